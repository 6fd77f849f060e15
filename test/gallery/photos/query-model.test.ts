/**
 * Compares random queries over random photos, as several users, with a filter in memory. Also tries texts
 * that are no queries.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseQuery, queryProblem } from '../../../server/gallery/photos/query/parse.ts';
import { maxSmart } from '../../../server/gallery/photos/query/smart.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createPhotoRows, type InsertPhoto } from '../../support/photo-rows.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { testSeed } from '../../support/seed.ts';
import { assertWays } from './query-model/assert-query.ts';
import { countValues, getMonth, groupByMonth } from './query-model/groups.ts';
import { makeTree } from './query-model/make-tree.ts';
import {
  type Album,
  countNamed,
  formatTree,
  isFoundBy,
  type ModelPhoto,
  type SmartAlbum,
  type Tree,
} from './query-model/model.ts';

const photosMade = 60;
const smartMade = 8;
const questions = 300;
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
      for (const isPublic of [1, 0]) {
        const id = await addAlbum({ id: owner, ...person }, 'Album', { isPublic: isPublic === 1 });
        albums.push({ id, owner, isPublic });
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
    const isOpen = random.chance(0.7);
    const album = { name: 'Smart', rule: formatTree(rule, random), is_public: isOpen ? 1 : 0 };
    const { id } = assertWritten(await owner.post('/api/albums', album));
    return { id, owner: owner.id, isOpen, rule };
  }

  async function makePhoto({ below, pick, chance }: Random, insert: InsertPhoto): Promise<ModelPhoto> {
    const owner = pick(people);
    const text = () => Array.from({ length: 1 + below(3) }, () => pick(words)).join(' ');
    const tags = [...new Set(Array.from({ length: below(3) }, () => pick(words).toLowerCase()))];
    const album = chance(0.4) ? pick(albums.filter((one) => one.owner === owner.id)) : undefined;
    const said = { title: text(), description: chance(0.4) ? text() : '', isPublic: chance(0.7) ? 1 : 0 };
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
    const isOpen = said.isPublic === 1 && album?.isPublic !== 0;
    for (const [whose, reaction] of [
      [likedBy, 'like'],
      [keptBy, 'favorite'],
    ] as const) {
      for (const who of whose) {
        if (isOpen || who === owner) assertWritten(await who.post(`/api/photos/${id}/${reaction}`));
      }
    }
    const filterIds = (some: Person[]) => some.filter((who) => isOpen || who === owner).map(({ id }) => id);
    return {
      ...{ id, owner: owner.id, by: owner.name, ...said, isOpen, tags, album: album?.id, ...row, ...image },
      likedBy: filterIds(likedBy),
      keptBy: filterIds(keptBy),
    };
  }

  const whoIs = ({ id, ...who }: Person) =>
    id === 0 ? undefined : { id, isAdmin: who.name === admin.name, sessionId: 0 };

  const sees = (who: Person, photo: ModelPhoto) => photo.isOpen || who === admin || who.id === photo.owner;

  function expected(who: Person, tree: Tree): number[] {
    return photos
      .filter((photo) => sees(who, photo) && isFoundBy(tree, photo, who.id, who === admin))
      .sort((one, other) => other.create_time - one.create_time || other.id - one.id)
      .map(({ id }) => id);
  }

  test('every list and total of a query agrees with the model', async () => {
    const viewers = [asVisitor(gallery), ...people, admin];
    let found = 0;
    for (let n = 0; n < questions; n++) {
      const who = random.pick(viewers);
      const tree = makeTree(random, { words, cameras, albums: albums.map(({ id }) => id), smart });
      const seen = smart.filter((album) => album.isOpen || album.owner === who.id || who === admin);
      if (countNamed(tree, listIds(seen)) > maxSmart) continue;
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
      if (n % 3 === 0) await assertGroups(who, q, ids, context);
      if (n % 10 === 1) await assertWays(gallery, whoIs(who), q, ids);
    }
    assert.ok(found > questions, `the questions are about something: ${found}`);
  });

  test('the photos, count and newest photo of smart albums agree with the model', async () => {
    const viewers = [asVisitor(gallery), ...people, admin];
    for (const { id, owner, isOpen, rule } of smart) {
      for (const who of viewers) {
        const context = `seed ${testSeed}: ${who.name} opens smart album ${id}, ${formatTree(rule, random)}`;
        const answer = await who.get(`/api/albums/${id}/photos?limit=100`);
        if (!isOpen && who.id !== owner && who !== admin) {
          assertRefused(answer, 403, 30002);
          continue;
        }
        const ids = listIds(
          photos
            .filter((photo) => photo.owner === owner && sees(who, photo))
            .filter((photo) => isFoundBy(rule, photo, owner, false))
            .sort((one, other) => other.create_time - one.create_time || other.id - one.id),
        );
        const { list } = assertRead(answer);
        assert.deepEqual(listIds(list), ids, context);
        const album = assertRead(await who.get(`/api/albums/${id}`));
        assert.deepEqual([album.photo_count, album.cover], [ids.length, list[0]?.thumb ?? ''], context);
        const { list: asked } = assertRead(await who.get(`/api/photos?limit=100&q=album:${id}`));
        assert.deepEqual(listIds(asked), ids, context);
        await assertGroups(who, `album:${id}`, ids, context);
      }
    }
  });

  async function assertGroups(who: Person, q: string, ids: number[], context: string): Promise<void> {
    const asked = `q=${encodeURIComponent(q)}`;
    const held = photos.filter(({ id }) => ids.includes(id));
    for (const by of ['taken_time', 'create_time'] as const) {
      const { list } = assertRead(await who.get(`/api/timeline?by=${by}&${asked}`));
      assert.deepEqual(list, groupByMonth(held, by), `${context}, months by ${by}`);
    }
    const facets = assertRead(await who.get(`/api/facets?${asked}`));
    const told = {
      tags: facets.tags.map(({ name, count }: Named) => [name, count]),
      cameras: facets.cameras.map(({ name, count }: Named) => [name, count]),
      years: facets.years.map(({ year, count }: { year: number; count: number }) => [String(year), count]),
      users: facets.users.map(({ user, count }: { user: { id: number }; count: number }) => [
        String(user.id),
        count,
      ]),
    };
    const expected = {
      tags: countValues(held.flatMap(({ tags }) => tags)),
      cameras: countValues(held.map(({ camera }) => camera).filter((camera) => camera !== '')),
      years: countValues(held.map((photo) => getMonth(photo.taken_time).slice(0, 4))),
      users: countValues(held.map(({ owner }) => String(owner))),
    };
    for (const facet of ['tags', 'cameras', 'years', 'users'] as const)
      assert.deepEqual(told[facet].sort(), expected[facet].sort(), `${context}, ${facet}`);
  }

  test('any text is quickly parsed as a query or refused', async () => {
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
      const problem = queryProblem(text);
      if (problem === undefined) parseQuery(text);
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
        queryProblem(text);
        const { user, system } = process.cpuUsage(start);
        return user + system;
      };
      cost(10_000);
      // Fails for a parser that starts again for each piece, which would take many times as long.
      assert.ok(cost(100_000) < 5_000_000, piece);
    }
  });
});

interface Named {
  name: string;
  count: number;
}

const listIds = (rows: { id: number }[]) => rows.map(({ id }) => id);
/** Replaces lone surrogates, which a URL cannot contain. */
function clean(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '�');
}
