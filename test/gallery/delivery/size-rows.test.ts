/**
 * Tests how the server stores a rendered size and its bit in the row of the image version, while another
 * process or a deletion interferes.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { countRenderings, listStoredSizes, readImagePath, readKey } from './sizes.ts';

describe('a size and its row', () => {
  let gallery: Gallery;
  let owner: Person;
  let anybody: Person;
  let photo: Awaited<ReturnType<typeof addPhoto>>;
  let path: string;
  let name: string;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    anybody = asVisitor(gallery);
  });
  after(() => gallery.close());
  beforeEach(async () => {
    photo = await addPhoto(owner, {}, await createJpeg({ width: 900, height: 600 }));
    path = (await readImagePath(owner, photo))(640);
    name = `${readKey(photo)}.w640.webp`;
  });

  /** Requests a size, and runs `between` once after the object is stored and before the row is written. */
  async function getWhile(between: () => Promise<unknown>) {
    const { storage } = gallery.deps;
    const { put } = storage;
    storage.put = async (objects) => {
      await put(objects);
      await between();
    };
    const answer = await anybody.get(path);
    storage.put = put;
    return answer;
  }

  test('is not rendered again where it was made after the row was read', async () => {
    const { bytes } = await anybody.get(path);
    const before = await countRenderings(gallery);
    // Simulates a request that has read the row before the bit was set.
    const { kysely } = gallery.deps.db;
    const { executeQuery } = kysely;
    kysely.executeQuery = async (query) => {
      const result = await executeQuery.call(kysely, query);
      const rows = result.rows.map((row) => (Object(row).sizes ? { ...Object(row), sizes: 0 } : row));
      return { ...result, rows } as never;
    };
    const again = await anybody.get(path);
    kysely.executeQuery = executeQuery;
    assert.equal(again.status, 200);
    assert.ok(again.bytes.equals(bytes));
    assert.equal(await countRenderings(gallery), before);
  });

  test('keeps its object and its bit where another process makes it at the same time', async () => {
    const other = await startGallery({ ...gallery.deps.config });
    try {
      const { status, bytes } = await getWhile(async () => {
        assert.equal((await asVisitor(other).get(path)).status, 200);
      });
      assert.equal(status, 200);
      assert.ok(bytes.equals((await gallery.deps.storage.read(name))!));
      assert.deepEqual(await listStoredSizes(gallery, photo), [name]);
      const row = gallery.deps.db.kysely
        .selectFrom('images')
        .select('sizes')
        .where('key', '=', readKey(photo));
      assert.equal((await row.executeTakeFirstOrThrow()).sizes, 2);
    } finally {
      await other.close();
    }
  });

  test('leaves no object where its image goes while it is made', async () => {
    const { kysely } = gallery.deps.db;
    const { status } = await getWhile(() =>
      kysely.deleteFrom('images').where('key', '=', readKey(photo)).execute(),
    );
    assert.equal(status, 404);
    assert.equal(await gallery.deps.storage.stat(name), undefined);
  });

  test('is made the next time where it could not be stored', async () => {
    const { storage } = gallery.deps;
    const { put } = storage;
    storage.put = () => Promise.reject(new Error('the disk failed'));
    assert.notEqual((await anybody.get(path)).status, 200);
    storage.put = put;
    assert.equal((await anybody.get(path)).status, 200);
  });

  test('is made the next time where the database did not take its bit, over the same object', async () => {
    const rename = (from: string, to: string) =>
      sql`ALTER TABLE ${sql.ref(from)} RENAME TO ${sql.ref(to)}`.execute(gallery.deps.db.kysely);
    const before = await countRenderings(gallery);
    await getWhile(() => rename('images', 'images_away'));
    await rename('images_away', 'images');
    assert.equal(await countRenderings(gallery), before);
    assert.equal((await anybody.get(path)).status, 200);
    assert.equal(await countRenderings(gallery), before + 1);
    assert.deepEqual(await listStoredSizes(gallery, photo), [name]);
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
    assert.deepEqual(names, [`${readKey(photo)}.preview.jpg`]);
    assert.ok(bytes.equals((await read(name))!));
  });
});
