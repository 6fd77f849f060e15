/**
 * Tests that a Takeout in five languages, imported in the browser, survives a killed server and a reload, and that a
 * later import completes photos.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { assertWritten } from '../support/assert-answers.ts';
import { assertEachFileOnce, assertTakeoutArrived } from '../support/assert-takeout.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { type ImportFolders, makeFolders, makePicture, readPhotos } from '../support/import-folders.ts';
import { addPhoto, type Person } from '../support/people.ts';
import { findFreePort } from '../support/postgres.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { createTakeout, type Takeout } from '../support/takeout.ts';
import {
  chooseSource,
  countOutcomes,
  importAll,
  openImport,
  openImportAs,
  type Receipt,
  saveReceipt,
} from './importing.ts';
import { withoutWeb } from './steps.ts';

describe('imports that are interrupted', { skip: withoutWeb }, () => {
  let browser: Browser;
  let folders: ImportFolders;
  let takeout: Takeout;
  let zips: string[];

  before(async () => {
    browser = await openBrowser();
    folders = await makeFolders();
    takeout = await createTakeout();
    zips = takeout.zips.map((_, part) => join(folders.root, `takeout-00${part + 1}.zip`));
    for (const [part, path] of zips.entries()) await writeFile(path, takeout.zips[part]!);
  });
  after(async () => {
    await browser?.close();
    await folders?.remove();
  });

  async function untilArrived(person: Person, photos: number): Promise<void> {
    await eventually(async () => {
      const { body } = await person.get(`/api/users/${person.id}/photos?limit=1`);
      assert.ok(body.data.pagination.total >= photos);
    }, 120_000);
  }

  test('a Takeout of three ZIPs arrives once, though the server is killed and the page is reloaded', async () => {
    const environment = { PORT: String(await findFreePort()) };
    const dataDir = join(folders.root, 'data');
    let server: ServerProcess = await startServer({ dataDir, environment });
    try {
      const { page, person } = await openImportAs(browser, server, 'nora');
      await chooseSource(page, zips);
      await page.getByText('10 albums').waitFor();
      await page.getByRole('button', { name: /^Import \d+ photos$/ }).click();
      await untilArrived(person, 5);
      await server.end('SIGKILL');
      await page.getByText('Can’t reach the gallery').first().waitFor();
      server = await startServer({ dataDir, environment });
      await untilArrived(person, 20);
      page.on('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await page.getByText('Your last import was interrupted.').waitFor();
      await chooseSource(page, zips);
      await importAll(page);
      const receipt = await saveReceipt(page);
      assertEachFileOnce(
        Object.entries(receipt).map(([file, { outcome }]) => [file, outcome] as const),
        takeout,
      );
      await trashLeftPhotos(person, receipt);
      await assertTakeoutArrived(person, takeout);
      await page.reload();
      await page.getByRole('button', { name: 'Choose a folder' }).waitFor();
      assert.equal(await page.getByText('Your last import was interrupted.').count(), 0);
      await page.close();
      await importAgain(server, person);
    } finally {
      await server.end('SIGTERM');
    }
  });

  /** The kill or the reload may fall between an upload and its move to the trash. The receipt names such photos. */
  async function trashLeftPhotos(person: Person, receipt: Receipt): Promise<void> {
    for (const { reason, photo } of Object.values(receipt)) {
      if (reason !== 'In the trash of the source, but in your library') continue;
      assertWritten(await person.delete(`/api/photos/${photo}`));
    }
  }

  /** A repeated import finds everything and changes nothing. */
  async function importAgain(server: ServerProcess, person: Person): Promise<void> {
    const { page } = await openImport(browser, server, person);
    await chooseSource(page, zips);
    await importAll(page);
    assert.equal(countOutcomes(await saveReceipt(page)).imported ?? 0, 0);
    await assertTakeoutArrived(person, takeout);
    await page.close();
  }

  test('an import with sidecars completes photos that came without them', async () => {
    const gallery: Gallery = await startGallery();
    try {
      const { page, person } = await openImportAs(browser, gallery, 'mia');
      const bytes = await makePicture();
      await addPhoto(person, { visibility: 'private' }, bytes);
      const facts = {
        title: 'a.jpg',
        description: 'Above the sea',
        photoTakenTime: { timestamp: '1561937400' },
      };
      const folder = await folders.folder('later', {
        'a.jpg': bytes,
        'a.jpg.json': JSON.stringify({ ...facts, favorited: true }),
      });
      await chooseSource(page, folder);
      await importAll(page);
      assert.deepEqual(countOutcomes(await saveReceipt(page)), { duplicate: 1, sidecar: 1 });
      const [{ description, taken_time, is_favorited }] = await readPhotos(person);
      assert.deepEqual(
        [description, taken_time, is_favorited],
        ['Above the sea', '2019-06-30 23:30:00', true],
      );
      await page.close();
    } finally {
      await gallery.close();
    }
  });
});
