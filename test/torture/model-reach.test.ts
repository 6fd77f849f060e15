/**
 * Runs the random steps on the model alone and counts the cases that they reach. Rare cases must stay
 * frequent, such as moves of albums to a higher level, because a fault shows only where a sequence reaches
 * it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeaning, draw, expect, makers } from '../../torture/model/draw.ts';
import { makeRows, names, type Rows } from '../../torture/model/rows.ts';
import { albumLevel, isPhotoListed, seesPhoto } from '../../torture/model/rules.ts';
import type { Step } from '../../torture/model/steps/kind.ts';
import { createRandom } from '../support/random.ts';

const sequences = 300;
const stepsOfOne = 120;

/** Returns the state before a step, for a comparison with the state after the step. */
function snapshot(rows: Rows) {
  return {
    seen: new Map([...rows.albums.values()].map((album) => [album.label, albumLevel(rows, album)])),
    edits: new Map([...rows.photos.values()].map(({ label, edits }) => [label, edits.length])),
    liked: new Set(
      [...rows.photos.values()].flatMap(({ owner, likes }) => [...likes].filter((name) => name !== owner)),
    ),
    told: rows.notices.map((notice) => ({ ...notice })),
    hiddenFrom: new Set(
      [...rows.comments.values()]
        .filter(({ author, photo }) => !seesPhoto(rows, author, rows.photos.get(photo)!))
        .map(({ label }) => label),
    ),
    covers: new Map([...rows.albums.values()].map(({ label, cover }) => [label, cover])),
  };
}

/** Returns the cases that a completed step has reached. */
function listCases(
  rows: Rows,
  { by, does, it, level, to, answers }: Step,
  before: ReturnType<typeof snapshot>,
): string[] {
  const changed = [...rows.albums.values()].filter(
    (album) => before.seen.has(album.label) && before.seen.get(album.label) !== albumLevel(rows, album),
  );
  const cleared = [...rows.albums.values()].some(({ label, cover }) => before.covers.get(label) && !cover);
  const target = rows.albums.get(rows.shares.get(it)?.target ?? '');
  const hidden = [...rows.photos.values()].filter(
    (photo) => photo.owner === target?.owner && !photo.isTrashed,
  );
  const likes = before.told.filter(({ type, photo }) => type === does && photo === it);
  const last = likes.pop();
  const cases: [string, boolean][] = [
    ['albums that moved up are seen by others', does === 'delete album' && changed.length > 0],
    [
      'an album is seen by others where it is put',
      does === 'update album' && level === undefined && changed.length > 0,
    ],
    ['a cover ends with a move', does !== 'set cover' && cleared],
    [
      'a history goes back to an earlier step',
      does === 'revert' && to !== undefined && (before.edits.get(it) ?? 0) > Number(to),
    ],
    [
      'a photo goes back to its original',
      does === 'revert' && to === undefined && (before.edits.get(it) ?? 0) > 0,
    ],
    ['likes go with an account', does === 'delete user' && before.liked.has(it as never)],
    [
      'an unread like is taken back, and those before it were read',
      last?.actor === by && !last.isRead && likes.length > 0 && likes.every(({ isRead }) => isRead),
    ],
    [
      'who sees a photo no longer is answered below it',
      does === 'comment' && before.hiddenFrom.has(answers as string),
    ],
    ['a link of a smart album is opened', does === 'open share' && target?.rule !== undefined],
    [
      'while its owner has private photos',
      does === 'open share' &&
        target?.rule !== undefined &&
        hidden.some((photo) => !isPhotoListed(rows, 'nobody', photo)),
    ],
  ];
  return [`${does}`, ...cases.filter(([, isIt]) => isIt).map(([name]) => name)];
}

function play(seed: number): Set<string> {
  const random = createRandom(seed);
  const leaning = createLeaning(random);
  const rows = makeRows();
  const ids = new Map<string, number>(names.map((name, index) => [name, index]));
  const met = new Set<string>();
  for (let taken = 0; taken < stepsOfOne; ) {
    const step = draw(random, leaning, rows, { ids });
    if (!step) continue;
    taken++;
    const before = snapshot(rows);
    const { code } = expect(rows, step);
    if (code !== 0 && code !== 200) continue;
    if (makers.has(step.does)) ids.set(step.it, ids.size);
    for (const name of listCases(rows, step, before)) met.add(name);
  }
  return met;
}

/** The minimum number of sequences, out of a hundred, that must reach each case. */
const minCases: Record<string, number> = {
  'a photo that leaves an album keeps a narrower level': 10,
  'an album is seen by others where it is put': 10,
  'a cover ends with a move': 5,
  'a history goes back to an earlier step': 5,
  'a photo goes back to its original': 10,
  'likes go with an account': 5,
  'an unread like is taken back, and those before it were read': 3,
  'who sees a photo no longer is answered below it': 2,
  'a link of a smart album is opened': 5,
  'while its owner has private photos': 3,
  'set rule': 5,
  'order album': 2,
  join: 20,
};

test('random steps meet what faults are found by', (context) => {
  const counts = new Map<string, number>();
  for (let seed = 0; seed < sequences; seed++) {
    for (const name of play(seed)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const [name, percent] of Object.entries(minCases)) {
    const met = (100 * (counts.get(name) ?? 0)) / sequences;
    context.diagnostic(`${name}: in ${Math.round(met)} of a hundred sequences`);
    assert.ok(met >= percent, `${name}: in ${met} of a hundred sequences, must be ${percent}`);
  }
});
