/** What is kept of a list's items is what the database says: after every change, by whomever, and for every viewer. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { itemColumns } from '../../../server/gallery/photos/list/page.ts';
import { shown } from '../../../server/platform/db/migrations/0037_item_versions.ts';
import { assertDone, assertRead, assertWritten } from '../../support/answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { eventually } from '../../support/holdings.ts';
import { addAlbum, addPhoto, anonymous, type Person, register, registerAdmin } from '../../support/people.ts';
import { jpeg } from '../../support/pictures.ts';

describe('what is kept of items', () => {
  let gallery: Gallery;
  let owner: Person;
  let fan: Person;
  let admin: Person;
  let nobody: Person;
  let ids: number[];

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    fan = await register(gallery, 'fan');
    admin = await registerAdmin(gallery, 'admin');
    nobody = anonymous(gallery);
    ids = [];
    for (let n = 0; n < 4; n++) {
      const picture = await jpeg({ width: 90 + n, height: 60 });
      ids.push((await addPhoto(owner, { title: `Photo ${n} "quoted", "views":1 ☃` }, picture)).id);
    }
  });
  after(() => gallery.close());

  const list = async (who: Person) => assertRead(await who.get('/api/photos')).list;
  /** A list that is read whole each time. */
  const wholeList = async (who: Person) =>
    assertRead(await who.get(`/api/users/${owner.id}/photos?limit=100`)).list;
  async function assertSame(what: string): Promise<void> {
    for (const who of [nobody, fan, owner, admin]) {
      // Read whole and kept; then from what is kept.
      for (const time of ['first', 'second']) {
        const [items, whole] = [await list(who), await wholeList(who)];
        assert.deepEqual(items, whole, `${what}, ${who.name}, ${time}`);
        assert.equal(JSON.stringify(items), JSON.stringify(whole), 'in the same order');
      }
    }
  }

  /** Views are written a moment later. */
  async function view(id: number): Promise<void> {
    assertRead(await fan.get(`/api/photos/${id}`));
    await eventually(async () => {
      const items: { id: number; views: number }[] = await list(nobody);
      assert.equal(items.find((item) => item.id === id)!.views, 1);
    });
  }

  test('changes with the photo and with its owner', async () => {
    const first = ids[0]!;
    const album = await addAlbum(gallery, owner, 'Hidden');
    await assertSame('at first');
    const changes: [string, () => Promise<unknown>][] = [
      ['title', async () => assertDone(await owner.put(`/api/photos/${first}`, { title: 'Other' }))],
      ['like', async () => assertWritten(await fan.post(`/api/photos/${first}/like`))],
      ['favorite', async () => assertWritten(await fan.post(`/api/photos/${first}/favorite`))],
      [
        'comment',
        async () => assertWritten(await fan.post(`/api/photos/${first}/comments`, { content: 'Oh' })),
      ],
      ['view', () => view(first)],
      ['edit', async () => assertWritten(await owner.post(`/api/photos/${first}/edit`, turn))],
      ['private', async () => assertDone(await owner.put(`/api/photos/${ids[1]}`, { is_public: 0 }))],
      ['album', async () => assertDone(await owner.put(`/api/photos/${ids[2]}`, { album_id: album }))],
      ['hidden', async () => assertWritten(await owner.put(`/api/albums/${album}`, { is_public: 0 }))],
      ['name', async () => assertWritten(await owner.put('/api/auth/profile', { nickname: 'Somebody' }))],
      ['trash', async () => assertDone(await owner.delete(`/api/photos/${ids[3]}`))],
      ['shown', async () => assertWritten(await owner.put(`/api/albums/${album}`, { is_public: 1 }))],
    ];
    const turn = { action: 'rotate', params: { angle: 90 } };
    for (const [what, change] of changes) {
      await change();
      await assertSame(what);
    }
  });

  test('each column that an item shows raises the version, its counters alone do not', async () => {
    const { kysely } = gallery.deps.db;
    const counters = ['views', 'likes', 'favorites', 'comments'];
    const shownColumns = itemColumns(0)
      .filter((column) => typeof column === 'string')
      .filter((column) => column !== 'photos.id')
      .map((column) => column.split('.') as ['photos' | 'users', string]);
    assert.ok(shownColumns.length > 15);
    const versionOf = async (table: string, id: number) => {
      const { rows } = await sql<{ item_version: number }>`SELECT item_version FROM ${sql.table(table)}
        WHERE id = ${id}`.execute(kysely);
      return rows[0]!.item_version;
    };
    for (const [table, column] of shownColumns) {
      const id = table === 'photos' ? ids[0]! : owner.id;
      const { rows } = await sql<
        Record<string, unknown>
      >`SELECT * FROM ${sql.table(table)} WHERE id = ${id}`.execute(kysely);
      const was = rows[0]![column];
      const other = column === 'user_id' ? fan.id : typeof was === 'number' ? was + 1 : `${was}x`;
      const before = await versionOf(table, id);
      const set = (value: unknown) =>
        sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${value} WHERE id = ${id}`.execute(kysely);
      await set(was);
      assert.equal(await versionOf(table, id), before, `${column} is the same`);
      await set(other);
      const isCounted = counters.includes(column);
      assert.equal(isCounted, !shown[table].includes(column), column);
      assert.equal(await versionOf(table, id), before + (isCounted ? 0 : 1), column);
      await set(was);
    }
  });
});
