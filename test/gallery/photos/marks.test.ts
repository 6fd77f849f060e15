/** A photo's place in a list without filters is exact, whatever has changed since its marks were counted. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { moveLibraries } from '../../../server/gallery/library/account-moves.ts';
import { foldChanges } from '../../../server/gallery/library/fold-changes.ts';
import {
  beginGeneration,
  findUnmarked,
  markedSorts,
  setMarks,
} from '../../../server/gallery/library/marks.ts';
import { countByMarks } from '../../../server/gallery/photos/list/marks.ts';
import { setUserStatus } from '../../../server/gallery/users/follows/follows.ts';
import { openPostgres } from '../../../server/platform/db/postgres/postgres.ts';
import { UserStatus, Visibility } from '../../../server/platform/db/states.ts';
import { bringMarks } from '../../../server/tools/upkeep/marks.ts';
import { assertDone, assertRead } from '../../support/answers.ts';
import { type CheckedGallery, startCheckedGallery } from '../../support/checked-gallery.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { eventually } from '../../support/holdings.ts';
import { addAlbum, anonymous, type Person, register, registerAdmin } from '../../support/people.ts';
import { createRandom } from '../../support/random.ts';
import { seed } from '../../support/seed.ts';
import { addBlank, randomValues, smallSizes } from './marked-gallery.ts';

const rounds = 40;

describe(`places by marks (seed ${seed})`, () => {
  const random = createRandom(seed);
  const { below, chance, pick } = random;
  let gallery: Gallery;
  let owners: Person[];
  let viewers: Person[];
  let album: number;
  let ids: number[];
  /** Whose photos cannot be changed over HTTP. */
  let disabled: Person | undefined;
  let marked = 0;

  before(async () => {
    gallery = await startGallery();
    owners = [await register(gallery, 'ann'), await register(gallery, 'bea')];
    viewers = [...owners, await registerAdmin(gallery, 'root'), anonymous(gallery)];
    album = await addAlbum(owners[0]!, 'Hidden and shown');
    ids = [];
    for (let n = 0; n < 110; n++) ids.push(await addBlank(gallery, owners[below(2)]!.id, random));
  });
  after(() => gallery.close());

  const changes: (() => Promise<unknown>)[] = [
    async () => ids.push(await addBlank(gallery, pick(owners.filter((one) => one !== disabled)).id, random)),
    () => set(pick(ids)),
    () => set(pick(ids)),
    () => set(pick(ids)),
    () => ask((owner, id) => owner.put(`/api/photos/${id}`, { is_public: below(2) })),
    () => ask((owner, id) => owner.put(`/api/photos/${id}`, { title: `New ${below(9)}` })),
    () => ask((owner, id) => owner.delete(`/api/photos/${id}`)),
    () => ask((owner, id) => owner.post(`/api/photos/${id}/restore`)),
    () => ask((owner, id) => owner.delete(`/api/trash/${id}`)),
    () => ask((owner, id) => owner.post(`/api/photos/${id}/like`)),
    () => owners[0]!.post(`/api/albums/${album}/photos`, { ids: [pick(ids)] }),
    () => owners[0]!.put(`/api/albums/${album}`, { is_public: below(2) }),
    changeAccount,
  ];

  /** What is refused, as the photo is another's or gone, changes nothing. */
  async function ask(change: (owner: Person, id: number) => Promise<unknown>): Promise<void> {
    await change(pick(owners), pick(ids));
  }

  async function set(id: number): Promise<void> {
    await gallery.deps.db.kysely
      .updateTable('photos')
      .set(randomValues(random))
      .where('id', '=', id)
      .execute();
  }

  async function changeAccount(): Promise<void> {
    if (chance(0.7)) return;
    const [whom, status] = disabled ? [disabled, UserStatus.enabled] : [owners[1]!, UserStatus.disabled];
    disabled = disabled ? undefined : whom;
    const { kysely } = gallery.deps.db;
    await kysely.transaction().execute((transaction) => setUserStatus(transaction, whom.id, status));
    await moveLibraries(gallery.deps);
  }

  /** All of it, a part, or nothing: reads are exact in between, too. */
  async function keepMarks(): Promise<void> {
    const { deps } = gallery;
    if (!deps.db.hasMarks) return;
    await pick([
      () => bringMarks(deps, { sizes: smallSizes }),
      () => beginGeneration(deps.db),
      () => foldChanges(deps, 1 + below(7)),
      async () => {},
    ])();
  }

  async function assertPlaces(context: string): Promise<void> {
    const who = pick(viewers.filter((one) => one !== disabled));
    const order = pick(['asc', 'desc'] as const);
    const column = pick(markedSorts);
    const whose = chance(0.3) ? `&user_id=${pick(owners).id}` : '';
    const list = `/api/photos?sort=${column === 'title_key' ? 'title' : column}&order=${order}${whose}`;
    const all = await idsOf(who, list);
    for (let n = 0; n < 4 && all.length > 0; n++) {
      const around = pick(all);
      const { pagination } = assertRead(await who.get(`${list}&limit=1&around=${around}`));
      assert.equal(pagination.page, all.indexOf(around) + 1, `${context}: ${who.name}, ${list}, ${around}`);
    }
    const branch = { visibility: Visibility.public };
    const n = await countByMarks(gallery.deps, { column, order }, branch, { id: 0, value: 0 });
    if (n !== undefined) marked++;
  }

  async function idsOf(who: Person, list: string): Promise<number[]> {
    const found: number[] = [];
    for (let page = 1; ; page++) {
      const { list: photos, pagination } = assertRead(await who.get(`${list}&limit=100&page=${page}`));
      found.push(...photos.map(({ id }: { id: number }) => id));
      if (page >= pagination.pages) return found;
    }
  }

  test('are those that the whole list tells', async () => {
    for (let round = 0; round < rounds; round++) {
      for (let n = below(12); n >= 0; n--) await pick(changes)();
      await keepMarks();
      await assertPlaces(`seed ${seed}, round ${round}`);
    }
    const { hasMarks } = gallery.deps.db;
    assert.ok(hasMarks ? marked > rounds / 2 : marked === 0, `by marks: ${marked} times`);
  });
});

describe('marks of lists', () => {
  const random = createRandom(7);
  let checked: CheckedGallery;
  let gallery: Gallery;
  let owner: Person;
  let ids: number[];
  const run = (statement: string) => sql.raw(statement).execute(gallery.deps.db.kysely);

  before(async () => {
    checked = await startCheckedGallery();
    ({ gallery, owner } = checked);
    ids = [];
    for (let n = 0; n < 60; n++) ids.push(await addBlank(gallery, owner.id, random, n % 3 > 0));
    if (gallery.deps.db.hasMarks) await bringMarks(gallery.deps, { sizes: smallSizes });
  });
  after(() => gallery.close());

  const placeOf = async (who: Person, id: number) =>
    assertRead(await who.get(`/api/photos?sort=views&order=asc&limit=1&around=${id}`)).pagination.page;

  test('tell nobody of photos that they do not see', async () => {
    const { deps } = gallery;
    const visitor = anonymous(gallery);
    const shown = assertRead(await visitor.get('/api/photos?sort=views&limit=1')).list[0].id;
    const before = [await placeOf(visitor, shown), await placeOf(checked.friend, shown)];
    const place = await placeOf(owner, shown);
    const secrets: number[] = [];
    for (let n = 0; n < 3; n++) secrets.push(await addBlank(gallery, owner.id, random, false));
    await run(`UPDATE photos SET views = 0 WHERE id IN (${secrets})`);
    for (const step of [async () => {}, () => deps.db.hasMarks && bringMarks(deps, { sizes: smallSizes })]) {
      await step();
      assert.deepEqual([await placeOf(visitor, shown), await placeOf(checked.friend, shown)], before);
      assert.equal(await placeOf(owner, shown), place + 3);
      assert.equal(
        (await visitor.get(`/api/photos?sort=views&limit=1&around=${secrets[0]}`)).body.code,
        20003,
      );
    }
    for (const id of secrets) {
      assertDone(await owner.delete(`/api/photos/${id}`));
      assertDone(await owner.delete(`/api/trash/${id}`));
    }
    assert.equal(await placeOf(owner, shown), place);
  });

  test('that are wrong are found and set anew', async (context) => {
    if (!gallery.deps.db.hasMarks) return context.skip('SQLite has no marks');
    const { kinds } = await checked.check();
    assert.ok(!kinds.includes('total-drifted'), kinds.join());
    await run(`UPDATE list_marks SET n = n + 1 WHERE sort = 'views' AND user_id = 0 AND visibility = 2
      AND (value, title, photo_id) IN (SELECT value, title, photo_id FROM list_marks
        WHERE sort = 'views' AND user_id = 0 AND visibility = 2 ORDER BY value, photo_id OFFSET 2 LIMIT 1)`);
    const { findings } = await checked.check();
    assert.deepEqual(
      findings.filter(({ kind }) => kind === 'total-drifted').map(({ subject }) => subject),
      ['list_marks of sort views, user_id 0, visibility 2'],
    );
    await checked.check({ isRepair: true });
    assert.ok(!(await checked.check()).kinds.includes('total-drifted'));
  });

  test('are set where photos gather, and keep no title that is gone', async (context) => {
    const { deps } = gallery;
    if (!deps.db.hasMarks) return context.skip('SQLite has no marks');
    const held = async () =>
      (
        await sql<{ n: number; widest: number }>`SELECT count(*) AS n, max(n) AS widest FROM list_marks
          WHERE sort = 'title_key' AND user_id = 0 AND visibility = 2`.execute(deps.db.kysely)
      ).rows[0]!;
    await bringMarks(deps, { sizes: smallSizes });
    assert.deepEqual(await findUnmarked(deps.db, smallSizes), []);
    const { n } = await held();
    for (let made = 0; made < 30; made++) {
      const id = await addBlank(gallery, owner.id, random, true);
      await run(`UPDATE photos SET title = 'gathered', title_key = 'gathered' WHERE id = ${id}`);
    }
    await bringMarks(deps, { sizes: smallSizes });
    assert.ok((await held()).n > n);
    assert.ok((await held()).widest <= 2 * smallSizes.spacing);

    assertDone(await owner.put(`/api/photos/${checked.photo}`, { title: 'a secret name' }));
    await bringMarks(deps, { sizes: { spacing: 2, fewest: 20 } });
    await run("UPDATE photos SET title = 'plain', title_key = 'plain' WHERE title = 'a secret name'");
    await bringMarks(deps, { sizes: smallSizes });
    const { rows } = await sql`SELECT 1 FROM list_marks WHERE title = 'a secret name'
      UNION ALL SELECT 1 FROM list_changes WHERE title_key = 'a secret name'`.execute(deps.db.kysely);
    assert.deepEqual(rows, []);
  });

  test('keep no title that is gone while a list that has shrunk still has them', async (context) => {
    const { deps } = gallery;
    if (!deps.db.hasMarks) return context.skip('SQLite has no marks');
    await bringMarks(deps, { sizes: smallSizes });
    const ofList = "sort = 'title_key' AND user_id = 0 AND visibility = 2";
    const find = async (where: string) =>
      (
        await sql<{ photo_id: number; title: string }>`SELECT photo_id, title FROM list_marks
          WHERE ${sql.raw(`${ofList} AND ${where}`)} ORDER BY photo_id`.execute(deps.db.kysely)
      ).rows;
    const [mark] = await find("photo_id > 0 AND title <> ''");
    const { n } = await deps.db.kysely
      .selectFrom('photo_totals')
      .select('n')
      .where('user_id', '=', 0)
      .where('visibility', '=', Visibility.public)
      .executeTakeFirstOrThrow();
    await run(`UPDATE photos SET title = 'another', title_key = 'another' WHERE id = ${mark!.photo_id}`);
    await bringMarks(deps, { sizes: { ...smallSizes, fewest: n + 1 } });
    assert.ok((await find('true')).length > 1);
    const kept = await find(`photo_id = ${mark!.photo_id}`);
    assert.ok(!kept.some(({ title }) => title === mark!.title), JSON.stringify({ mark, kept }));
  });

  test('are set however long that takes', async (context) => {
    const { config, db } = gallery.deps;
    if (!db.hasMarks) return context.skip('SQLite has no marks');
    const limits = {
      pool: 2,
      connectTimeoutMs: 60_000,
      statementTimeoutMs: 1000,
      lockTimeoutMs: 0,
      prepares: true,
    };
    const url = new URL(config.databaseUrl!);
    // The client waits this long for an answer, instead of five seconds more than the server.
    url.searchParams.set('query_timeout', '2000');
    const hurried = openPostgres(url.href, limits, () => {});
    const isOverdue = async () => {
      const { rows } = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
          AND query_start < clock_timestamp() - interval '2.1 seconds'`.execute(db.kysely);
      assert.ok(rows.length > 0);
    };
    try {
      let setting: Promise<void> | undefined;
      await db.kysely.transaction().execute(async (transaction) => {
        await sql`LOCK TABLE photos IN ACCESS EXCLUSIVE MODE`.execute(transaction);
        setting = setMarks(hurried, { sort: 'views', user_id: 0, visibility: Visibility.public }, smallSizes);
        await Promise.race([setting, eventually(isOverdue)]);
      });
      await setting;
    } finally {
      await hurried.close();
    }
  });

  test('go with the photos of a list that shrinks, and are none in a small gallery', async (context) => {
    const { deps } = gallery;
    if (!deps.db.hasMarks) return context.skip('SQLite has no marks');
    await bringMarks(deps, { sizes: { spacing: 8, fewest: 1000 } });
    const { rows } = await sql`SELECT 1 FROM list_marks`.execute(deps.db.kysely);
    assert.deepEqual(rows, []);
  });
});
