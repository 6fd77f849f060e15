/** The torture checks must detect a gallery that differs from its ledger. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { makeTestGallery, type TestGallery } from '../../torture/gallery-setups.ts';
import { checkAgainstLedger } from '../../torture/load/check-ledger.ts';
import { type Faults, noFaults } from '../../torture/load/faults.ts';
import { createLedger, type Ledger } from '../../torture/load/ledger.ts';
import { createLoad, registerUsers } from '../../torture/load/load.ts';
import { eventually } from '../support/gallery-counts.ts';
import { createRandom } from '../support/random.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

const none = noFaults();

describe('a look at a gallery under load', () => {
  let home: TestGallery;
  let server: ServerProcess;
  const ledger: Ledger = createLedger();

  before(async () => {
    home = await makeTestGallery('sqlite');
    server = await startServer({ dataDir: home.dataDir });
    await registerUsers(ledger, server);
    const load = await createLoad(ledger, createRandom(7));
    // Repeats the load until the ledger has enough photos, because later steps may delete photos again.
    while (!isEnough()) {
      const workers = load.begin(server);
      await eventually(async () => assert.ok(isEnough()));
      assert.equal(await workers.end(), 0);
    }
  });
  after(async () => {
    await server?.end('SIGKILL');
    await home?.end();
  });

  function isEnough(): boolean {
    const hasComment = ledger.comments.some(({ content, photo }) => content.is && photo.place.is === 'shown');
    return hasComment && ledger.photos.filter(isPlain).length >= 4;
  }

  /**
   * Compares the gallery with the ledger. `isWhole` checks the bytes of all photos, not only of photos with
   * an unsure state.
   */
  async function look({ isWhole = false } = {}): Promise<Faults> {
    const faults = noFaults();
    const check = isWhole ? 'full' : 'fast';
    await checkAgainstLedger({
      ledger,
      faults,
      place: server,
      settings: home,
      isChosen: () => isWhole,
      check,
    });
    return faults;
  }

  function change(statement: string): void {
    const database = new DatabaseSync(join(home.dataDir, 'lightwell.db'), { timeout: 5000 });
    database.exec(statement);
    database.close();
  }

  test('finds nothing where all is well', async () => {
    assert.deepEqual([await look({ isWhole: true }), ledger.wrong], [none, []]);
  });

  test('finds a change that is undone, and takes what it found for what is there', async () => {
    const photo = ledger.photos.find(isPlain)!;
    change(`UPDATE photos SET level = (level + 1) % 3 WHERE id = ${photo.id}`);
    const { changed, lost, appeared } = await look();
    assert.match(changed.join(), new RegExp(`^the level of photo ${photo.id} is`));
    assert.deepEqual([lost, appeared], [[], []]);
    change(`UPDATE photos SET level = (level + 2) % 3 WHERE id = ${photo.id}`);
    assert.match((await look()).changed.join(), /the level of photo/);
    assert.deepEqual(await look(), none);
  });

  test('finds a comment that is gone, and the counter that is not told', async () => {
    const { id, photo } = ledger.comments.find(
      ({ content, photo }) => content.is && photo.place.is === 'shown',
    )!;
    change(`DELETE FROM comments WHERE id = ${id}`);
    const { changed, counts, findings } = await look();
    assert.deepEqual(changed, [
      `comment ${id} on photo ${photo.id} is null: ${changed[0]!.split('null: ')[1]}`,
    ]);
    assert.match(counts.join(), new RegExp(`comments of photo ${photo.id}`));
    assert.match(findings.join(), /counter-drifted/);
    change(
      `UPDATE photo_counts SET comments = comments - 1, comment_threads = comment_threads - 1
        WHERE photo_id = ${photo.id}`,
    );
  });

  test('finds a photo without its bytes', async () => {
    const photo = ledger.photos.find(isPlain)!;
    const name = photo.path.split('?')[0]!.split('/').at(-1)!;
    await rm(join(home.dataDir, 'files', name.slice(0, 2), name));
    const { bytes, findings } = await look({ isWhole: true });
    assert.match(bytes.join(), new RegExp(`the original of photo ${photo.id}: ${name} is nothing`));
    assert.match(findings.join(), /original-missing/);
  });

  test('finds a photo that is gone, and one that nobody sent', async () => {
    const { id } = ledger.photos.find(isPlain)!;
    change(`PRAGMA foreign_keys = ON; DELETE FROM photos WHERE id = ${id}`);
    assert.match((await look()).lost.join(), new RegExp(`photo ${id} is gone: "shown" was told`));
    const other = ledger.photos.pop()!;
    assert.match((await look()).appeared.join(), new RegExp(`photo ${other.id}, `));
  });

  function isPlain({ place, steps, path }: Ledger['photos'][number]): boolean {
    return place.is === 'shown' && steps.is.length === 0 && path !== '';
  }
});
