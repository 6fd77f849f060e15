/** A small gallery with data of every kind for tests that damage it and run `lightwell check`. */
import assert from 'node:assert/strict';
import { listImageObjectNames } from '../../server/gallery/delivery/objects.ts';
import type { ImageRow } from '../../server/platform/db/tables.ts';
import { type CheckOptions, type CheckOutcome, checkGallery } from '../../server/tools/check/check.ts';
import type { CheckFinding } from '../../server/tools/check/findings.ts';
import { assertWritten } from './assert-answers.ts';
import { type Gallery, startGallery } from './harness.ts';
import { addAlbum, addPhoto, type Person, register } from './people.ts';
import { createJpegWithExif, createLandmarks } from './pictures.ts';

export interface CheckResult extends CheckOutcome {
  findings: CheckFinding[];
  kinds: string[];
}

export interface CheckedGallery {
  gallery: Gallery;
  owner: Person;
  friend: Person;
  /** Id of a photo in a nested album, with tags, likes and comments, edited twice. */
  photo: number;
  comment: number;
  check(options?: Partial<CheckOptions>): Promise<CheckResult>;
  assertClean(): Promise<void>;
  /**
   * Asserts that two checks find these kinds of faults and change nothing, and that a third check repairs
   * them.
   */
  assertRepairs(...kinds: string[]): Promise<CheckResult>;
  versions(): Promise<ImageRow[]>;
  /** Returns the object name of one kind, of the original image version or of the shown version. */
  objectOf(kind: string, which: 'original' | 'shown'): Promise<string>;
  bytesOf(name: string): Promise<Buffer>;
  put(name: string, source: Buffer): Promise<void>;
}

export async function startCheckedGallery(): Promise<CheckedGallery> {
  const gallery = await startGallery();
  const { deps } = gallery;
  const owner = await register(gallery, 'owner');
  const friend = await register(gallery, 'friend');
  const { photo, comment } = await fillGallery(owner, friend);

  async function runCheck(options: Partial<CheckOptions> = {}): Promise<CheckResult> {
    const findings: CheckFinding[] = [];
    const outcome = await checkGallery(deps, {
      isFast: false,
      isRepair: false,
      jobs: 2,
      progress: { begin: () => {}, step: () => {} },
      onFinding: (finding) => findings.push(finding),
      ...options,
    });
    return { ...outcome, findings, kinds: [...new Set(findings.map(({ kind }) => kind))].sort() };
  }

  async function assertClean(): Promise<void> {
    assert.deepEqual((await runCheck()).findings, []);
  }

  async function assertRepairs(...kinds: string[]): Promise<CheckResult> {
    const listFindings = ({ findings }: CheckResult) =>
      findings.map(({ subject, detail }) => [subject, detail]).sort();
    const first = await runCheck();
    assert.deepEqual(first.kinds, kinds);
    assert.deepEqual([first.repaired, first.left], [0, first.findings.length]);
    assert.deepEqual(listFindings(await runCheck()), listFindings(first));
    const repaired = await runCheck({ isRepair: true });
    assert.deepEqual([repaired.kinds, repaired.left], [kinds, 0]);
    await assertClean();
    return first;
  }

  const readImageRows = () =>
    deps.db.kysely.selectFrom('images').selectAll().where('photo_id', '=', photo).orderBy('key').execute();

  async function findObject(kind: string, which: 'original' | 'shown'): Promise<string> {
    const { image_key, original_key } = await deps.db.kysely
      .selectFrom('photos')
      .select(['image_key', 'original_key'])
      .where('id', '=', photo)
      .executeTakeFirstOrThrow();
    const key = which === 'shown' ? image_key : original_key;
    const version = (await readImageRows()).find((image) => image.key === key)!;
    return listImageObjectNames(version).find((name) => name.includes(`.${kind}.`))!;
  }

  return {
    gallery,
    owner,
    friend,
    photo,
    comment,
    check: runCheck,
    assertClean,
    assertRepairs,
    versions: readImageRows,
    objectOf: findObject,
    bytesOf: async (name) => (await deps.storage.read(name))!,
    put: (name, source) => deps.storage.put([{ name, source }]),
  };
}

async function fillGallery(owner: Person, friend: Person) {
  const outer = await addAlbum(owner, 'Outer');
  const inner = await addAlbum(owner, 'Inner', { parentId: outer });
  const fields = { title: 'Harbour', tags: 'sea, Boats', album_id: String(inner) };
  const photo = (await addPhoto(owner, fields, await createJpegWithExif())).id;
  await addPhoto(owner, { is_public: '0', tags: 'sea' }, await createLandmarks());
  await owner.delete(`/api/photos/${(await addPhoto(owner)).id}`);
  for (const who of [owner, friend]) assertWritten(await who.post(`/api/photos/${photo}/like`));
  assertWritten(await friend.post(`/api/photos/${photo}/favorite`));
  const said = await friend.post(`/api/photos/${photo}/comments`, { content: 'Ahoy' });
  const comment: number = said.body.data.id;
  await owner.post(`/api/photos/${photo}/comments`, { content: 'Thanks', parent_id: comment });
  await owner.post(`/api/comments/${comment}/like`);
  await friend.post('/api/users/owner/follow');
  for (const angle of [90, 180]) {
    const step = { action: 'rotate', params: { angle } };
    assertWritten(await owner.post(`/api/photos/${photo}/edit`, step));
  }
  return { photo, comment };
}
