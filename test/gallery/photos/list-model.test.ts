/** Compares lists of random photos with random filters, as several users, with a simple model. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { LevelName } from '../../../server/platform/db/states.ts';
import { assertDone, assertRead } from '../../support/assert-answers.ts';
import { recountGroups } from '../../support/groups.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { setPhoto } from '../../support/photo-counters.ts';
import { createPhotoRows } from '../../support/photo-rows.ts';
import { createRandom } from '../../support/random.ts';
import { testSeed } from '../../support/seed.ts';
import { fold, keywords, words } from './list-words.ts';

const photosMade = 70;
/** The first photos are real uploads; the others are inserted as rows like an upload does. */
const uploaded = 8;
const questions = 350;

const numbers = [
  'views',
  'likes',
  'favorites',
  'downloads',
  'size',
  'update_time',
  'taken_time',
  'create_time',
] as const;
const sorts = [...numbers, 'title'] as const;
const levels: LevelName[] = ['public', 'members', 'private'];
const day = 86_400;
const firstDay = 1_700_006_400;

interface ModelPhoto {
  id: number;
  owner: number;
  title: string;
  description: string;
  tags: string[];
  album: number | undefined;
  visibility: LevelName;
  numbers: Record<(typeof numbers)[number], number>;
}

interface Question {
  sort: (typeof sorts)[number];
  order: 'asc' | 'desc';
  limit: number;
  page: number;
  user_id?: number;
  album_id?: number;
  tag?: string;
  keyword?: string;
  date_from?: string;
  date_to?: string;
  is_public?: number;
}

describe(`the photo list and a model of it (seed ${testSeed})`, () => {
  const { below, pick: oneOf, chance: perhaps } = createRandom(testSeed);

  let gallery: Gallery;
  let people: Person[];
  let admin: Person;
  let albums: { id: number; owner: number; visibility: LevelName }[];
  let photos: ModelPhoto[];

  before(async () => {
    gallery = await startGallery();
    people = [await register(gallery, 'ann'), await register(gallery, 'bea'), await register(gallery, 'cyd')];
    admin = await registerAdmin(gallery, 'admin');
    albums = [];
    for (const { id } of people) {
      for (const visibility of levels) {
        const person = people.find((one) => one.id === id)!;
        albums.push({
          id: await addAlbum(person, `Album ${visibility}`, { visibility }),
          owner: id,
          visibility,
        });
      }
    }
    const insert = await createPhotoRows(gallery);
    photos = [];
    for (let n = 0; n < photosMade; n++) await makePhoto(n < uploaded ? upload : insert);
    await recountGroups(gallery);
  });
  after(() => gallery.close());

  async function upload(owner: Person, made: ReturnType<typeof randomFields>): Promise<number> {
    const { title, description, tags, visibility, album } = made;
    const fields = { title, description, tags: tags.join(), visibility };
    return (await addPhoto(owner, { ...fields, ...(album && { album_id: String(album) }) })).id;
  }

  /** Creates a photo and perhaps changes it. Some photos end in the trash, which the model does not know. */
  async function makePhoto(make: typeof upload): Promise<void> {
    const owner = people[Math.min(below(4), 2)]!;
    const made = randomFields(owner);
    const id = await make(owner, made);
    if (perhaps(0.15)) return assertDone(await owner.delete(`/api/photos/${id}`));
    let fields = made;
    if (perhaps(0.4)) {
      fields = randomFields(owner);
      const { title, description, tags, visibility, album: album_id = null } = fields;
      assertDone(await owner.put(`/api/photos/${id}`, { title, description, tags, visibility, album_id }));
    }
    const values = Object.fromEntries(numbers.map((name) => [name, below(4)])) as ModelPhoto['numbers'];
    values.create_time = firstDay + below(4) * day + oneOf([0, 1, day - 1]);
    const { kysely } = gallery.deps.db;
    await setPhoto(kysely, id, values);
    const { create_time } = values;
    await kysely.updateTable('photo_tags').set({ create_time }).where('photo_id', '=', id).execute();
    photos.push({ ...fields, id, owner: owner.id, numbers: values });
  }

  function randomFields(owner: Person) {
    const text = () => Array.from({ length: 1 + below(3) }, () => oneOf(words)).join(' ');
    const own = albums.filter((album) => album.owner === owner.id);
    return {
      title: text(),
      description: perhaps(0.5) ? text() : '',
      tags: [
        ...new Map(
          Array.from({ length: below(4) }, () => oneOf(words)).map((tag) => [fold(tag), tag]),
        ).values(),
      ],
      visibility: randomLevel(),
      album: perhaps(0.4) ? oneOf(own).id : undefined,
    };
  }

  const randomLevel = () => oneOf<LevelName>(['public', 'public', 'members', 'private']);

  const sees = (who: Person, photo: ModelPhoto) => {
    const album = albums.find(({ id }) => id === photo.album);
    const all = [photo.visibility, album?.visibility ?? 'public'];
    if (who.id === photo.owner || all.every((one) => one === 'public')) return true;
    return who.id !== 0 && !all.includes('private');
  };

  function expected(who: Person, question: Question): number[] {
    const { user_id, album_id, tag, keyword, date_from, date_to, is_public } = question;
    const getDay = ({ numbers }: ModelPhoto) =>
      new Date(numbers.create_time * 1000).toISOString().slice(0, 10);
    const isAlone = user_id === undefined && album_id === undefined;
    const whose = is_public !== undefined && isAlone ? who.id : undefined;
    const isOfAlbum = who === admin && album_id !== undefined;
    const direction = question.order === 'asc' ? 1 : -1;
    return photos
      .filter((photo) => isOfAlbum || sees(who, photo))
      .filter((photo) => whose === undefined || photo.owner === whose)
      .filter((photo) => is_public === undefined || (photo.visibility === 'public') === (is_public === 1))
      .filter((photo) => user_id === undefined || photo.owner === user_id)
      .filter((photo) => album_id === undefined || photo.album === album_id)
      .filter((photo) => tag === undefined || photo.tags.some((one) => fold(one) === fold(tag)))
      .filter(
        (photo) => keyword === undefined || listTexts(photo).some((text) => text.includes(fold(keyword))),
      )
      .filter((photo) => date_from === undefined || getDay(photo) >= date_from)
      .filter((photo) => date_to === undefined || getDay(photo) <= date_to)
      .sort((one, other) => direction * (compare(one, other, question.sort) || one.id - other.id))
      .map(({ id }) => id);
  }

  function randomQuestion(who: Person): Question {
    const mayRead = albums.filter(
      ({ visibility, owner }) =>
        visibility === 'public' ||
        (visibility === 'members' && who.id !== 0) ||
        who === admin ||
        who.id === owner,
    );
    const date = () => new Date((firstDay + (below(6) - 1) * day) * 1000).toISOString().slice(0, 10);
    return {
      sort: oneOf(sorts),
      order: oneOf(['asc', 'desc']),
      limit: oneOf([1, 3, 7, 20, 100]),
      page: oneOf([1, 1, 2, 3, 5, 9]),
      ...(perhaps(0.3) && { user_id: oneOf(people).id }),
      ...(perhaps(0.2) && { album_id: oneOf(mayRead).id }),
      ...(perhaps(0.3) && { tag: perhaps(0.5) ? oneOf(words) : oneOf(words).toUpperCase() }),
      ...(perhaps(0.4) && { keyword: oneOf(keywords) }),
      ...(perhaps(0.2) && { date_from: date() }),
      ...(perhaps(0.2) && { date_to: date() }),
      ...(perhaps(0.2) && who.id !== 0 && { is_public: below(2) }),
    };
  }

  test('every photo list agrees with the model in its photos, order and total', async () => {
    assert.ok(photos.length > 40);
    const viewers = [asVisitor(gallery), ...people, admin];
    let found = 0;
    for (let n = 0; n < questions; n++) {
      const who = oneOf(viewers);
      const question = randomQuestion(who);
      const query = new URLSearchParams(
        Object.entries(question).map(([name, value]) => [name, String(value)]),
      );
      const { list, pagination } = assertRead(await who.get(`/api/photos?${query}`));
      const all = expected(who, question);
      const { page, limit } = question;
      const context = `seed ${testSeed}, question ${n}: ${who.name} ${decodeURIComponent(query.toString())}`;
      assert.deepEqual(
        list.map(({ id }: { id: number }) => id),
        all.slice((page - 1) * limit, page * limit),
        context,
      );
      const pages = Math.ceil(all.length / limit);
      assert.deepEqual(pagination, { page, limit, total: all.length, pages }, context);
      found += list.length;
    }
    assert.ok(found > questions, `the questions are about something: ${found}`);
  });

  test("every page of the unfiltered lists and of each owner's photos agrees with the model", async () => {
    const limit = 5;
    let longest = 0;
    for (const who of [asVisitor(gallery), ...people, admin])
      for (const owner of [undefined, ...people])
        for (const sort of ['create_time', 'likes', 'title'] as const)
          for (const order of ['asc', 'desc'] as const) {
            const question = { sort, order, limit, ...(owner && { user_id: owner.id }) };
            const all = expected(who, { ...question, page: 1 });
            const query = new URLSearchParams(
              Object.entries(question).map(([name, value]) => [name, String(value)]),
            );
            const seen: number[] = [];
            for (let page = 1; page <= Math.ceil(all.length / limit); page++) {
              const { list } = assertRead(await who.get(`/api/photos?${query}&page=${page}`));
              seen.push(...list.map(({ id }: { id: number }) => id));
            }
            assert.deepEqual(seen, all, `seed ${testSeed}, ${who.name} ${query}`);
            longest = Math.max(longest, seen.length);
          }
    assert.ok(longest > 8 * limit, `there are pages to walk: ${longest}`);
  });

  test('the page around a photo agrees with the model', async () => {
    const viewers = [asVisitor(gallery), ...people, admin];
    let held = 0;
    for (let n = 0; n < questions / 3; n++) {
      const who = oneOf(viewers);
      const question = { ...randomQuestion(who), page: 1 };
      const all = expected(who, question);
      const around = perhaps(0.8) && all.length > 0 ? oneOf(all) : oneOf(photos).id;
      const query = new URLSearchParams(
        Object.entries({ ...question, around }).map(([name, value]) => [name, String(value)]),
      );
      const answer = await who.get(`/api/photos?${query}`);
      const context = `seed ${testSeed}, around ${n}: ${who.name} ${decodeURIComponent(query.toString())}`;
      const place = all.indexOf(around);
      if (place < 0) {
        assert.deepEqual([answer.status, answer.body.code], [404, 20003], context);
        continue;
      }
      held++;
      const { list, pagination } = assertRead(answer);
      const { limit } = question;
      const page = Math.floor(place / limit) + 1;
      const ids = list.map(({ id }: { id: number }) => id);
      assert.deepEqual(ids, all.slice((page - 1) * limit, page * limit), context);
      assert.deepEqual(
        pagination,
        { page, limit, total: all.length, pages: Math.ceil(all.length / limit) },
        context,
      );
    }
    assert.ok(held > questions / 10, `most are held: ${held}`);
  });

  test('the photos that each person can see agree with the model', async () => {
    for (const who of [asVisitor(gallery), ...people, admin]) {
      for (const photo of photos) {
        const { status } = await who.get(`/api/photos/${photo.id}`);
        assert.equal(status, who === admin || sees(who, photo) ? 200 : 403);
      }
    }
    for (const person of people) {
      const { stats } = assertRead(await person.get('/api/auth/user'));
      assert.equal(stats.photos, photos.filter(({ owner }) => owner === person.id).length);
    }
  });
});

function listTexts({ title, description, tags }: ModelPhoto): string[] {
  return [title, description, ...tags].map(fold);
}

function compare(one: ModelPhoto, other: ModelPhoto, sort: Question['sort']): number {
  if (sort === 'title') return Buffer.compare(Buffer.from(fold(one.title)), Buffer.from(fold(other.title)));
  return one.numbers[sort] - other.numbers[sort];
}
