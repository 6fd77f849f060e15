/** What is kept of a list's items is what the database says: after every change, by whomever, and for every viewer. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { createApp } from '../../../server/app.ts';
import { itemColumns } from '../../../server/gallery/photos/list/columns.ts';
import { itemColumns as shown } from '../../../server/platform/db/migrations/baseline/sqlite.ts';
import { assertDone, assertRead, assertWritten } from '../../support/answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { eventually } from '../../support/holdings.ts';
import {
  addAlbum,
  addPhoto,
  anonymous,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';
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
    const album = await addAlbum(owner, 'Hidden');
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

  test('each column that an item shows changes the version, its counters alone do not', async () => {
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
      assert.equal((await versionOf(table, id)) === before, isCounted, column);
      await set(was);
    }
  });

  test('shows nothing that the database has lost, though changes and ids come again', async () => {
    // As by any program: the gallery's own types do not let a version be written.
    const kysely = gallery.deps.db.kysely as unknown as Kysely<Record<string, Record<string, unknown>>>;
    const update = (table: string, id: number, values: Record<string, unknown>) =>
      kysely.updateTable(table).set(values).where('id', '=', id).execute();
    const rowOf = (table: string, id: number) =>
      kysely.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    for (const [table, id, column] of [
      ['photos', ids[0]!, 'title'],
      ['users', owner.id, 'nickname'],
    ] as const) {
      const before = await rowOf(table, id);
      await update(table, id, { [column]: 'lost' });
      await assertSame('before it is lost');
      // The row of a standby that was behind, or of a backup.
      await update(table, id, { [column]: before[column] });
      await update(table, id, { item_version: before.item_version });
      await update(table, id, { [column]: 'another' });
      await assertSame(`${column} after a loss`);
    }

    const id = ids[0]!;
    const { item_version: _, ...row } = await rowOf('photos', id);
    const comeAgain = (title: string) =>
      kysely.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('photos').where('id', '=', id).execute();
        await transaction
          .insertInto('photos')
          .values({ ...row, title })
          .execute();
      });
    for (const title of ['lost', 'another']) {
      await comeAgain(title);
      await assertSame(`${title} by an id that comes again`);
    }
  });

  test('is sent as by a server that keeps nothing yet: to the byte, by a token and by a cookie', async (context) => {
    assertDone(await owner.put(`/api/photos/${ids[1]}`, { is_public: 0 }));
    const login = await anonymous(gallery).send('POST', '/api/auth/login', {
      headers: { origin: gallery.url, 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'owner', password, cookie: true }),
    });
    assert.equal(login.status, 200);
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
    const tokens = [fan, owner, admin].map(({ token }) => ({ authorization: `Bearer ${token}` }));
    const another = async () => {
      const app = await createApp(gallery.deps);
      context.after(() => app.close());
      return app;
    };
    const keeping = await another();
    for (const headers of [{}, ...tokens, { cookie }]) {
      const fresh = await another();
      const ask = async (app: typeof fresh, method: 'GET' | 'HEAD') => {
        const answer = await app.inject({ method, url: '/api/photos', headers });
        assert.equal(answer.statusCode, 200);
        const { date: _, 'x-request-id': __, ...told } = answer.headers;
        return { told, body: answer.body };
      };
      const expected = await ask(fresh, 'GET');
      await ask(keeping, 'GET');
      assert.deepEqual(await ask(keeping, 'GET'), expected);
      assert.deepEqual(await ask(keeping, 'HEAD'), { ...expected, body: '' });
      // Signed paths are for who shows a token, and for nobody else.
      const grants = [...expected.body.matchAll(/[?]g=u(\d+)/g)].map(([, id]) => Number(id));
      const who = headers === tokens[1] ? owner.id : headers === tokens[2] ? admin.id : undefined;
      assert.deepEqual([...new Set(grants)], who === undefined ? [] : [who]);
    }
  });
});
