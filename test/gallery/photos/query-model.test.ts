/**
 * Compares random queries over random photos, as several users, with a filter in memory. Also tries texts
 * that are no queries.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findSearchQueryProblem, parseSearchQuery } from '../../../server/gallery/photos/query/parse.ts';
import { maxSmartAlbumsInQuery } from '../../../server/gallery/photos/query/smart.ts';
import type { LevelName } from '../../../server/platform/db/states.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createPhotoRows, type InsertPhoto } from '../../support/photo-rows.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { testSeed } from '../../support/seed.ts';
import { assertWays } from './query-model/assert-query.ts';
import { assertGroups } from './query-model/groups.ts';
import { makeTree } from './query-model/make-tree.ts';
import {
  type Album,
  countNamed,
  formatTree,
  isFoundBy,
  isListed,
  type ModelPhoto,
  type SmartAlbum,
  type Tree,
} from './query-model/model.ts';

const photosMade = 60;
const smartMade = 8;
/** Number of questions. `npm run test:all` asks more of them, on PostgreSQL. */
const questions = { sqlite: 120, postgres: 300 };
const texts = 2000;

const words = [
  'Alps',
  'alp',
  'Snow',
  'снег',
  '山',
  '山水',
  '100%',
  'a_b',
  '📷🏔',
  'Ünder',
  'or',
  'a-b',
  "don't",
];
/** Levels from narrow to wide. */
const levels: LevelName[] = ['private', 'members', 'public'];
const cameras = ['', '', 'Canon EOS R5', 'canon PowerShot', 'ЗЕНИТ-Е', 'X_100%'];
const extensions = ['jpg', 'jpg', 'png', 'heic'];

describe(`queries and a model of them (seed ${testSeed})`, () => {
  const random = createRandom(testSeed);
  let gallery: Gallery;
  let people: Person[];
  let admin: Person;
  let albums: Album[];
  let photos: ModelPhoto[];
  let smart: SmartAlbum[];

  before(async () => {
    gallery = await startGallery();
    people = [await register(gallery, 'ann'), await register(gallery, 'bea')];
    admin = await registerAdmin(gallery, 'admin');
    albums = [];
    for (const { id: owner, ...person } of people) {
      for (const visibility of ['public', 'members', 'private'] as const) {
        const id = await addAlbum({ id: owner, ...person }, 'Album', { visibility });
        albums.push({ id, owner, visibility });
      }
    }
    const names = [...new Set(cameras)].filter((name) => name !== '');
    const gear = names.map((name) => ({ name, name_key: name.toLowerCase() }));
    await gallery.deps.db.kysely.insertInto('equipment_names').values(gear).execute();
    const insert = await createPhotoRows(gallery);
    photos = [];
    for (let n = 0; n < photosMade; n++) photos.push(await makePhoto(random, insert));
    smart = [];
    for (let n = 0; n < smartMade; n++) smart.push(await makeSmart(random));
  });
  after(() => gallery.close());

  async function makeSmart(random: Random): Promise<SmartAlbum> {
    const owner = random.pick(people);
    const rule = makeTree(random, { words, cameras, albums: albums.map(({ id }) => id) });
    const visibility = makeLevel(random);
    const album = { name: 'Smart', rule: formatTree(rule, random), visibility };
    const { id } = assertWritten(await owner.post('/api/albums', album));
    return { id, owner: owner.id, visibility, rule };
  }

  async function makePhoto(random: Random, insert: InsertPhoto): Promise<ModelPhoto> {
    const { below, pick, chance } = random;
    const owner = pick(people);
    const text = () => Array.from({ length: 1 + below(3) }, () => pick(words)).join(' ');
    const tags = [...new Set(Array.from({ length: below(3) }, () => pick(words).toLowerCase()))];
    const album = chance(0.4) ? pick(albums.filter((one) => one.owner === owner.id)) : undefined;
    const visibility = makeLevel(random);
    const said = { title: text(), description: chance(0.4) ? text() : '', visibility };
    const id = await insert(owner, { ...said, tags, album: album?.id });
    const exif = {
      camera: pick(cameras),
      lens: pick(cameras),
      focal_length: pick([0, 4.25, 50, 85]),
      iso: pick([0, 100, 800]),
      aperture: pick(['', 'f/2.8', 'f/11']),
    };
    const shown = { size: pick([1000, 1024, 5_000_000]), width: pick([20, 40]), height: pick([20, 40]) };
    const day = () => Date.UTC(pick([2023, 2024]), below(12), 1 + below(28), pick([0, 12])) / 1000;
    const row = { ...exif, ...shown, taken_time: day(), create_time: day() };
    const image = { frames: pick([1, 1, 4]), extension: pick(extensions) };
    const { kysely } = gallery.deps.db;
    await kysely.updateTable('photos').set(row).where('id', '=', id).execute();
    await kysely.updateTable('images').set(image).where('photo_id', '=', id).execute();
    const likedBy = people.filter(() => chance(0.3));
    const keptBy = people.filter(() => chance(0.3));
    const shownTo = levels.find((one) => one === visibility || one === album?.visibility)!;
    const isSeenBy = (who: Person) => isListed(shownTo, owner.id, who.id);
    for (const [whose, reaction] of [
      [likedBy, 'like'],
      [keptBy, 'favorite'],
    ] as const) {
      for (const who of whose) {
        if (isSeenBy(who)) assertWritten(await who.post(`/api/photos/${id}/${reaction}`));
      }
    }
    const filterIds = (some: Person[]) => some.filter(isSeenBy).map(({ id }) => id);
    return {
      ...{ id, owner: owner.id, by: owner.name, ...said, shownTo, tags, album: album?.id, ...row, ...image },
      likedBy: filterIds(likedBy),
      keptBy: filterIds(keptBy),
    };
  }

  const whoIs = ({ id, ...who }: Person) =>
    id === 0 ? undefined : { id, isAdmin: who.name === admin.name, sessionId: 0 };

  const makeLevel = (random: Random) => random.pick<LevelName>(['public', 'public', 'members', 'private']);

  const isInLists = (who: Person, photo: ModelPhoto) => isListed(photo.shownTo, photo.owner, who.id);

  const findPhotos = (ids: number[]) => photos.filter(({ id }) => ids.includes(id));

  function expected(who: Person, tree: Tree): number[] {
    return photos
      .filter((photo) => isInLists(who, photo) && isFoundBy(tree, photo, who.id))
      .sort((one, other) => other.create_time - one.create_time || other.id - one.id)
      .map(({ id }) => id);
  }

  test('every list and total of a query agrees with the model', async () => {
    const viewers = [asVisitor(gallery), ...people, admin];
    let found = 0;
    const count = questions[gallery.deps.db.name];
    for (let n = 0; n < count; n++) {
      const who = random.pick(viewers);
      const tree = makeTree(random, { words, cameras, albums: albums.map(({ id }) => id), smart });
      const seen = smart.filter((album) => isListed(album.visibility, album.owner, who.id));
      if (countNamed(tree, listIds(seen)) > maxSmartAlbumsInQuery) continue;
      const q = formatTree(tree, random);
      const context = `seed ${testSeed}, question ${n}: ${who.name} asks ${q}`;
      const answer = await who.get(`/api/photos?limit=100&q=${encodeURIComponent(q)}`);
      assert.equal(answer.status, 200, `${context}: ${answer.bytes}`);
      const { list, pagination } = assertRead(answer);
      const ids = expected(who, tree);
      assert.deepEqual(
        list.map(({ id }: { id: number }) => id),
        ids,
        context,
      );
      assert.equal(pagination.total, ids.length, context);
      found += ids.length;
      if (n % 3 === 0) await assertGroups(who, q, findPhotos(ids), context);
      if (n % 10 === 1) await assertWays(gallery, whoIs(who), q, ids);
    }
    assert.ok(found > count, `the questions are about something: ${found}`);
  });

  test('the photos, count and newest photo of smart albums agree with the model', async () => {
    const viewers = [asVisitor(gallery), ...people, admin];
    for (const { id, owner, visibility, rule } of smart) {
      for (const who of viewers) {
        const context = `seed ${testSeed}: ${who.name} opens smart album ${id}, ${formatTree(rule, random)}`;
        const answer = await who.get(`/api/albums/${id}/photos?limit=100`);
        if (!isListed(visibility, owner, who.id) && who !== admin) {
          assertRefused(answer, 403, 30002);
          continue;
        }
        const ids = listIds(
          photos
            .filter((photo) => photo.owner === owner && (who === admin || isInLists(who, photo)))
            .filter((photo) => isFoundBy(rule, photo, owner, true))
            .sort((one, other) => other.create_time - one.create_time || other.id - one.id),
        );
        const { list } = assertRead(answer);
        assert.deepEqual(listIds(list), ids, context);
        const album = assertRead(await who.get(`/api/albums/${id}`));
        assert.deepEqual([album.photo_count, album.cover], [ids.length, list[0]?.thumb ?? ''], context);
        // A query is no request about the album, so an admin finds by it what every member sees.
        const named = isListed(visibility, owner, who.id)
          ? photos.filter((photo) => isInLists(who, photo))
          : [];
        const foundIds = ids.filter((one) => listIds(named).includes(one));
        const { list: asked } = assertRead(await who.get(`/api/photos?limit=100&q=album:${id}`));
        assert.deepEqual(listIds(asked), foundIds, context);
        await assertGroups(who, `album:${id}`, findPhotos(foundIds), context);
      }
    }
  });

  test('any text is a query or is refused, and quickly', async () => {
    const pieces = [
      ...words,
      ...'()"-:.><=%_*\\ \t',
      '..',
      'OR',
      'tag:',
      'iso:',
      'taken:',
      '2024-05',
      'is:',
      '>=',
    ];
    pieces.push(
      'is:liked',
      'shape:square',
      'size:',
      'MB',
      '\ud83d',
      '\u0000',
      '\u{10fffe}',
      "'",
      ';',
      '--',
      'e\u0301',
    );
    let refused = 0;
    for (let n = 0; n < texts; n++) {
      const text = Array.from({ length: 1 + random.below(12) }, () => random.pick(pieces)).join('');
      const problem = findSearchQueryProblem(text);
      if (problem === undefined) parseSearchQuery(text);
      else assert.match(problem, /^Cannot be read at character \d+: /, text);
      if (n % 10 > 0) continue;
      const { status, body } = await random
        .pick(people)
        .get(`/api/photos?q=${encodeURIComponent(clean(text))}`);
      const context = `seed ${testSeed}, text ${n}: ${text}`;
      assert.ok(status === 200 || (status === 400 && body.errors.q), `${context}: ${JSON.stringify(body)}`);
      if (status === 400) refused++;
    }
    assert.ok(refused > 10, `some cannot be read: ${refused}`);
  });

  test('parsing a query takes time in proportion to its length', () => {
    const hostile = ['(', ')', '-', '"', '""', 'a:', '-(', 'OR ', ' ', 'a"', '((a)', 'x '];
    for (const piece of hostile) {
      const cost = (length: number) => {
        const text = piece.repeat(length);
        const start = process.cpuUsage();
        findSearchQueryProblem(text);
        const { user, system } = process.cpuUsage(start);
        return user + system;
      };
      cost(10_000);
      // Fails for a parser that starts again for each piece, which would take many times as long.
      assert.ok(cost(100_000) < 5_000_000, piece);
    }
  });
});

const listIds = (rows: { id: number }[]) => rows.map(({ id }) => id);
/** Replaces lone surrogates, which a URL cannot contain. */
function clean(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '�');
}
