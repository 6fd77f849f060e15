/**
 * Tests that interrupted uploads continue after a reload and after a kill of the server, also with many
 * files.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { findFreePort } from '../support/postgres.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { tenPhotos } from './photograph.ts';
import { assertAccessible, withoutWeb } from './steps.ts';
import {
  assertPhotos,
  beginSlowly,
  connect,
  input,
  openAs,
  rows,
  status,
  tray,
  unlimited,
} from './uploading.ts';

describe('uploads that are interrupted', { skip: withoutWeb }, () => {
  let folder: string;
  let photos: string[];
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lightwell-upload-'));
    photos = await tenPhotos(join(folder, 'photos'));
    gallery = await startGallery();
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('after a reload, the upload asks for the remaining files and sends no file twice', async () => {
    const { page, person, session } = await openAs(browser, gallery, 'cleo');
    await beginSlowly(page, session, photos);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await tray(page).getByText('of 10 photos weren’t uploaded last time').waitFor();
    await assertAccessible(page, 'after a reload');
    await connect(session, unlimited);
    await input(page).setInputFiles(photos);
    await status(page, ' uploaded').waitFor();
    assert.equal(await rows(page, 'refused').count(), 0);
    await assertPhotos(person, 10);
    await page.reload();
    await page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
    assert.equal(await tray(page).count(), 0);
    await page.close();
  });

  test('five thousand files have few rows in the page and no bytes in memory', async () => {
    const { page } = await openAs(browser, gallery, 'emma');
    await input(page).evaluate((element: HTMLInputElement) => {
      const files = new DataTransfer();
      for (let n = 0; n < 5000; n++)
        files.items.add(new File([`${n}`], `photo-${n}.jpg`, { type: 'image/jpeg' }));
      const count = { read: 0 };
      Object.assign(window, { count });
      const { arrayBuffer } = Blob.prototype;
      Blob.prototype.arrayBuffer = function read() {
        count.read++;
        return arrayBuffer.call(this);
      };
      element.files = files.files;
      element.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await page.getByRole('button', { name: 'Upload 5,000 photos' }).waitFor();
    assert.ok((await tray(page).locator('li').count()) < 40);
    await tray(page)
      .getByRole('region', { name: 'Files' })
      .evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await tray(page).getByText('photo-4999.jpg').waitFor();
    assert.ok((await tray(page).locator('li').count()) < 40);
    assert.equal(await page.evaluate(() => (window as unknown as { count: { read: number } }).count.read), 0);
    await page.close();
  });

  test('an upload waits while a killed server restarts, and continues at the same byte', async () => {
    const environment = { PORT: String(await findFreePort()) };
    const dataDir = join(folder, 'data');
    let server: ServerProcess = await startServer({ dataDir, environment });
    try {
      const { page, person, session } = await openAs(browser, server, 'dora');
      await beginSlowly(page, session, photos);
      await server.end('SIGKILL');
      await status(page, 'Can’t reach the gallery').waitFor();
      server = await startServer({ dataDir, environment });
      await connect(session, unlimited);
      await status(page, '10 of 10 uploaded').waitFor();
      await assertPhotos(person, 10);
      await page.close();
    } finally {
      await server.end('SIGTERM');
    }
  });
});
