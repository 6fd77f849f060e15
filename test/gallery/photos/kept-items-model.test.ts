/**
 * Random changes, through the API and by SQL as any process may make them, and random pages for all kinds of viewers:
 * what is written from kept items is, byte for byte, what is written by one who keeps nothing, and by the way that other
 * lists take.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../../../server/gallery/accounts/viewer.ts';
import { createListPhotos, createWritePhotos } from '../../../server/gallery/photos/list/list.ts';
import { type ListQuery, PhotoItem } from '../../../server/gallery/photos/schema.ts';
import { setUserStatus } from '../../../server/gallery/users/follows/follows.ts';
import { type AccountStatus, UserStatus } from '../../../server/platform/db/states.ts';
import { pageOf } from '../../../server/platform/http/envelope.ts';
import { allowedBy, Written } from '../../../server/platform/http/serialization.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, type Person, register, registerAdmin } from '../../support/people.ts';
import { createRandom } from '../../support/random.ts';
import { seed } from '../../support/seed.ts';
import { addBlank } from './marked-gallery.ts';

const random = createRandom(seed);
const { below, pick, chance } = random;
const photosMade = 60;
const changesMade = 80;
const pagesAfterEach = 5;

const sorts = ['create_time', 'update_time', 'taken_time', 'views', 'likes', 'favorites', 'size'] as const;
const texts = [
  '',
  '"quoted", "views":1',
  '\u2028\u0001\\',
  '"}],"pagination":{',
  '雪📷</script>',
  'x'.repeat(3000),
];
const columns = {
  text: ['title', 'placeholder', 'image_key', 'preview_extension'],
  number: [...sorts, 'comments', 'width', 'height'],
  user: ['username', 'nickname', 'avatar'],
};

describe(`pages written from kept items (seed ${seed})`, () => {
  let gallery: Gallery;
  let owners: Person[];
  let viewers: (Viewer | undefined)[];
  let album: number;
  const ids: number[] = [];
  /** Paths are signed for a period, which may end between two pages. */
  let deps: Gallery['deps'];
  let writeKept: ReturnType<typeof createWritePhotos>;
  let list: ReturnType<typeof createListPhotos>;
  const allowed = allowedBy(pageOf(PhotoItem));

  before(async () => {
    gallery = await startGallery();
    deps = { ...gallery.deps, clock: () => 1_900_000_000 };
    owners = [await register(gallery, 'owner'), await register(gallery, 'other')];
    const admin = await registerAdmin(gallery, 'admin');
    const people = [...owners, await register(gallery, 'stranger'), admin];
    const signedIn = people.map(({ id }) => ({ id, isAdmin: id === admin.id, sessionId: 0 }));
    viewers = [undefined, ...signedIn, ...signedIn.map((viewer) => ({ ...viewer, hasCookie: true }))];
    album = await addAlbum(owners[0]!, 'Album');
    for (let n = 0; n < photosMade; n++) ids.push(await addBlank(gallery, pick(owners).id, random));
    writeKept = createWritePhotos(deps);
    list = createListPhotos(deps);
  });
  after(() => gallery.close());

  async function assertSame(what: string, viewer: Viewer | undefined, query: ListQuery): Promise<void> {
    const about = `seed ${seed}, ${what}, ${JSON.stringify({ viewer, query })}`;
    const jsonOf = (page: unknown) => {
      assert.ok(page instanceof Written, about);
      return Buffer.from(page.pieces.join(''), 'latin1').toString();
    };
    const ask = async () => JSON.stringify(allowed(await list(viewer, query)));
    const expected = await ask();
    const fresh = jsonOf(await createWritePhotos(deps)(viewer, query));
    const kept = jsonOf(await writeKept(viewer, query));
    // What follows an account's status in the background may have come between.
    if ((await ask()) !== expected) return assertSame(what, viewer, query);
    assert.equal(fresh, expected, `${about}, nothing kept`);
    assert.equal(kept, expected, about);
  }

  function randomQuery(): ListQuery {
    const limit = pick([1, 3, 7, 20, 100, 500]);
    const page = chance(0.1) ? 1_000_000_000 : 1 + below(Math.ceil(photosMade / Math.min(limit, 100)) + 1);
    const owner = chance(0.3) ? { user_id: pick([...owners.map(({ id }) => id), 999_999]) } : {};
    return { page, limit, sort: pick([...sorts, 'title' as const]), order: pick(['asc', 'desc']), ...owner };
  }

  /** What is not allowed just now, of a disabled account for instance, changes nothing. */
  function randomChange(): [string, () => Promise<unknown>] {
    const { kysely } = gallery.deps.db;
    const [id, owner] = [pick(ids), pick(owners)];
    const set = (table: string, column: string, value: string | number, of: number) => ({
      what: `${table}.${column} of ${of}`,
      statement: sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${value} WHERE id = ${of}`,
    });
    const bySql = pick([
      set('photos', pick(columns.text), pick(texts), id),
      set('photos', pick(columns.number), pick([0, 1, 7, 2_000_000_000]), id),
      set('users', pick(columns.user), `${pick(texts)}${owner.id}`, owner.id),
    ]);
    const undone = (statement: RawBuilder<unknown>) =>
      assert.rejects(
        kysely.transaction().execute(async (transaction) => {
          await statement.execute(transaction);
          throw new Error('undone');
        }),
        { message: 'undone' },
      );
    const status = pick([UserStatus.enabled, UserStatus.enabled, UserStatus.disabled]);
    return pick<[string, () => Promise<unknown>]>([
      [bySql.what, () => bySql.statement.execute(kysely)],
      [bySql.what, () => bySql.statement.execute(kysely)],
      [`undone: ${bySql.what}`, () => undone(bySql.statement)],
      [`flag of ${id}`, () => owner.put(`/api/photos/${id}`, { is_public: below(2) })],
      [`album of ${id}`, () => owner.put(`/api/photos/${id}`, { album_id: pick([0, album]) })],
      [`album's flag`, () => owners[0]!.put(`/api/albums/${album}`, { is_public: below(2) })],
      [`trash with ${id}`, () => owner.delete(`/api/photos/${id}`)],
      [`out of the trash ${id}`, () => owner.post(`/api/photos/${id}/restore`)],
      [`like of ${id}`, () => owner.post(`/api/photos/${id}/${pick(['like', 'favorite'])}`)],
      [`status ${status} of ${owner.id}`, () => setStatus(owner.id, status)],
      ['one more', async () => ids.push(await addBlank(gallery, owner.id, random))],
    ]);
  }

  const setStatus = (id: number, status: AccountStatus) =>
    gallery.deps.db.kysely.transaction().execute((transaction) => setUserStatus(transaction, id, status));

  test('are the same after each change, for everybody', async () => {
    for (let n = 0; n < changesMade; n++) {
      const [what, change] = randomChange();
      await change();
      for (let m = 0; m < pagesAfterEach; m++) await assertSame(what, pick(viewers), randomQuery());
    }
  });
});
