/** While many write, and two processes fold what they write, each moment has the places that counting finds in it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { beginGeneration, markedSorts } from '../../../server/gallery/library/marks.ts';
import { removePhotos, setVisibility } from '../../../server/gallery/library/set-visibility.ts';
import { countByMarks } from '../../../server/gallery/photos/list/marks.ts';
import { openDatabase } from '../../../server/platform/db/index.ts';
import { Visibility } from '../../../server/platform/db/states.ts';
import { checkMarks } from '../../../server/tools/check/marks.ts';
import { bringMarks } from '../../../server/tools/upkeep/marks.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type Person, register } from '../../support/people.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { someoneWaits } from '../../support/row-locks.ts';
import { seed } from '../../support/seed.ts';
import { addBlank, randomValues, smallSizes } from './marked-gallery.ts';

const reads = 150;

let gallery: Gallery;
let owner: Person;
before(async () => {
  gallery = await startGallery();
  owner = await register(gallery, 'ann');
});
after(() => gallery?.close());

test(`places are exact while others write and fold (seed ${seed})`, async (context) => {
  const { deps } = gallery;
  const { config, db } = deps;
  if (!db.hasMarks) return context.skip('SQLite has no marks');
  const first = createRandom(seed);
  for (let n = 0; n < 120; n++) await addBlank(gallery, owner.id, first);
  await bringMarks(deps, { sizes: smallSizes });
  const { dataDir, databaseUrl: url } = config;
  const other = await openDatabase({ dataDir, url, onError: () => {} });
  let isOver = false;
  let folds = 0;
  let writes = 0;

  async function write(random: Random): Promise<void> {
    while (!isOver) {
      await change(random);
      writes++;
    }
  }
  async function fold(db: typeof deps.db): Promise<void> {
    while (!isOver) {
      await bringMarks({ db }, { sizes: smallSizes });
      folds++;
    }
  }

  const working = [
    ...[1, 2, 3].map((n) => write(createRandom(seed + n))),
    ...[db, other].map((database) => fold(database)),
  ];
  let found = 0;
  try {
    for (let n = 0; n < reads; n++) if (await assertExact(first, `seed ${seed}, read ${n}`)) found++;
  } finally {
    isOver = true;
    await Promise.all(working);
    await other.close();
  }
  assert.ok(found > reads / 2, `by marks: ${found} of ${reads}`);
  assert.ok(folds > 3 && writes > 20, `${folds} folds, ${writes} writes`);
  const wrong: unknown[] = [];
  const progress = { begin: () => {}, step: () => {} };
  const report = async (finding: unknown) => void wrong.push(finding);
  await checkMarks({ deps, isFast: true, jobs: 1, progress, report });
  assert.deepEqual(wrong, []);

  /** Several photos in one transaction, some of which is taken back. */
  async function change(random: Random): Promise<void> {
    if (random.chance(0.2)) await addBlank(gallery, owner.id, random);
    await db.kysely
      .transaction()
      .execute(async (transaction) => {
        await db.lockLibrary(transaction, owner.id);
        const photos = await transaction
          .selectFrom('photos')
          .selectAll()
          .where('id', '>', random.below(120))
          .orderBy('id')
          .limit(1 + random.below(4))
          .forUpdate()
          .execute();
        for (const { id } of photos) {
          await transaction.updateTable('photos').set(randomValues(random)).where('id', '=', id).execute();
        }
        if (random.chance(0.3)) {
          const to = random.pick([Visibility.trash, Visibility.private, Visibility.public]);
          await setVisibility(deps, transaction, photos, to);
        } else if (random.chance(0.1)) {
          await removePhotos(deps, transaction, photos);
        }
        if (random.chance(0.1)) throw new TakenBack();
      })
      .catch((error: unknown) => {
        if (!(error instanceof TakenBack)) throw error;
      });
  }

  /** Marks and entries are counted as of one moment. False where there were no marks. */
  function assertExact(random: Random, context: string): Promise<boolean> {
    const column = random.pick(markedSorts);
    const order = random.pick(['asc', 'desc'] as const);
    const visibility = random.pick([Visibility.private, Visibility.public]);
    const branch = { visibility, ...(random.chance(0.5) && { userId: owner.id }) };
    const drawn = randomValues(random);
    const place = { id: 1 + random.below(150), value: drawn[column] };
    return db.kysely
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (transaction) => {
        const moment = { db: { ...db, bounded: transaction } };
        const n = await countByMarks(moment, { column, order }, branch, place);
        if (n === undefined) return false;
        const isBefore = sql.raw(order === 'desc' ? '>' : '<');
        const type = sql.raw(column === 'title_key' ? 'text' : 'bigint');
        const { rows } = await sql<{
          n: number;
        }>`SELECT count(*) AS n FROM photos WHERE visibility = ${visibility}
          AND (${sql.ref(column)}, id) ${isBefore} (CAST(${place.value} AS ${type}), ${place.id})`.execute(
          transaction,
        );
        assert.equal(n, rows[0]!.n, `${context}: ${column} ${order}, ${JSON.stringify({ branch, place })}`);
        return true;
      });
  }
});

test('a generation begins when nobody is under way, and who comes then writes in it', async (context) => {
  const { db } = gallery.deps;
  if (!db.hasMarks) return context.skip('SQLite has no marks');
  const random = createRandom(seed);
  const [one, other] = [await addBlank(gallery, owner.id, random), await addBlank(gallery, owner.id, random)];
  const view = (kysely: typeof db.kysely, id: number) =>
    kysely
      .updateTable('photos')
      .set((is) => ({ views: is('views', '+', 1) }))
      .where('id', '=', id)
      .execute();
  const generation = async () =>
    (await sql<{ generation: number }>`SELECT generation FROM list_generations`.execute(db.kysely)).rows[0]!
      .generation;
  await bringMarks({ db }, { sizes: smallSizes });
  const before = await generation();
  await db.kysely.transaction().execute(async (transaction) => {
    await view(transaction, one);
    assert.equal(await beginGeneration(db), false);
  });
  assert.equal(await generation(), before);
  assert.equal(await beginGeneration(db), true);
  assert.equal(await generation(), before + 1);

  // As beginGeneration does, but not at once.
  const written = Promise.withResolvers<void>();
  await db.kysely.transaction().execute(async (transaction) => {
    await sql`LOCK TABLE list_changes IN SHARE MODE`.execute(transaction);
    await sql`UPDATE list_generations SET generation = generation + 1`.execute(transaction);
    view(db.kysely, other).then(() => written.resolve(), written.reject);
    await someoneWaits(gallery);
  });
  await written.promise;
  const { rows } = await sql`SELECT generation FROM list_changes WHERE photo_id = ${other}
    ORDER BY generation DESC LIMIT 1`.execute(db.kysely);
  assert.deepEqual(rows, [{ generation: before + 2 }]);
});

class TakenBack extends Error {}
