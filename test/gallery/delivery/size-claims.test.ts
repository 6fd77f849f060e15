/** Who makes a size, where another process or the image's end comes in between. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, anonymous, type Person, register } from '../../support/people.ts';
import { jpeg } from '../../support/pictures.ts';
import { imageOf, keyOf, madeBy, sizesStored } from './sizes.ts';

const bitOf640 = 2;

describe('a size and its claim', () => {
  let gallery: Gallery;
  let owner: Person;
  let anybody: Person;
  let photo: Awaited<ReturnType<typeof addPhoto>>;
  let path: string;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    anybody = anonymous(gallery);
  });
  after(() => gallery.close());
  beforeEach(async () => {
    photo = await addPhoto(owner, {}, await jpeg({ width: 900, height: 600 }));
    path = (await imageOf(owner, photo))(640);
  });

  const claims = () => gallery.deps.db.kysely.selectFrom('size_claims').select('object').execute();

  test('is not made again where another process made it after the row was read', async () => {
    const { bytes } = await anybody.get(path);
    const before = await madeBy(gallery);
    // A request that has read the row before the bit was set, as far as it can tell.
    const { db } = gallery.deps;
    const { run } = db;
    db.run = async (text, parameters) =>
      (await run(text, parameters)).map((row) => ('sizes' in row ? { ...row, sizes: 0 } : row));
    const again = await anybody.get(path);
    db.run = run;
    assert.equal(again.status, 200);
    assert.ok(again.bytes.equals(bytes));
    assert.equal(await madeBy(gallery), before);
    assert.deepEqual(await claims(), []);
  });

  test('is not made again by who waits for the claim while it is given back', async () => {
    const other = await startGallery({ ...gallery.deps.config });
    try {
      const { db, storage } = other.deps;
      const object = `${keyOf(photo)}.w640.webp`;
      const until_time = other.deps.clock() + 10;
      await db.kysely.insertInto('size_claims').values({ object, until_time }).execute();
      await storage.put([{ name: object, source: Buffer.from('made by the other') }]);
      const before = await madeBy(gallery);
      const isAsked = askedOf(gallery);
      let answer: ReturnType<Person['get']> | undefined;
      await db.kysely.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('images')
          .set({ sizes: bitOf640 })
          .where('key', '=', keyOf(photo))
          .execute();
        await transaction.deleteFrom('size_claims').where('object', '=', object).execute();
        answer ??= anybody.get(path);
        await isAsked;
      });
      assert.equal((await answer!).bytes.toString(), 'made by the other');
      assert.equal(await madeBy(gallery), before);
      assert.deepEqual(await claims(), []);
    } finally {
      await other.close();
    }
  });

  test('ends with an image that goes while it is made: no object stays, nor a claim', async () => {
    const { storage, db } = gallery.deps;
    const { put } = storage;
    storage.put = async (objects) => {
      await put(objects);
      await db.kysely.deleteFrom('images').where('key', '=', keyOf(photo)).execute();
    };
    const { status } = await anybody.get(path);
    storage.put = put;
    assert.equal(status, 404);
    assert.deepEqual(
      (await sizesStored(gallery, photo)).filter((name) => name.includes('.w640.')),
      [],
    );
    assert.deepEqual(await claims(), []);
  });

  test('keeps no claim of an image that has gone', async () => {
    const { db } = gallery.deps;
    const { together } = db;
    // The claim is the first that is asked for.
    db.together = async (statements) => {
      await db.kysely.deleteFrom('images').where('key', '=', keyOf(photo)).execute();
      return together(statements);
    };
    const { status } = await anybody.get(path);
    db.together = together;
    assert.equal(status, 404);
    assert.deepEqual(await claims(), []);
  });

  test('gives its claim back where it could not be stored, and is made the next time', async () => {
    const { storage } = gallery.deps;
    const { put } = storage;
    storage.put = () => Promise.reject(new Error('the disk failed'));
    assert.notEqual((await anybody.get(path)).status, 200);
    storage.put = put;
    assert.deepEqual(await claims(), []);
    assert.equal((await anybody.get(path)).status, 200);
  });

  test('is sent as it was made, without being read again', async () => {
    const { storage } = gallery.deps;
    const { read } = storage;
    const names: string[] = [];
    storage.read = (name) => {
      names.push(name);
      return read(name);
    };
    const { status, bytes } = await anybody.get(path);
    storage.read = read;
    assert.equal(status, 200);
    assert.deepEqual(names, [`${keyOf(photo)}.preview.jpg`]);
    assert.ok(bytes.equals((await read(`${keyOf(photo)}.w640.webp`))!));
  });
});

/** Once it has sent a claim to the database and, on PostgreSQL, waits for a lock there. */
async function askedOf({ deps }: Gallery): Promise<void> {
  const { db } = deps;
  const { together } = db;
  const { promise, resolve } = Promise.withResolvers<void>();
  db.together = (statements) => {
    db.together = together;
    const outcome = together(statements);
    resolve();
    return outcome;
  };
  await promise;
  if (db.name !== 'postgres') return;
  const waiting = sql<{ n: number }>`SELECT count(*) AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await waiting.execute(db.kysely)).rows[0]!.n === 0);
}
