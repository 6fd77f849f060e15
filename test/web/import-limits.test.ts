/** Tests that an import in the browser waits for a rate limit, a full disk and a server that is away. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { startGallery } from '../support/harness.ts';
import { type ImportFolders, makeFolders, makePicture, readPhotos } from '../support/import-folders.ts';
import { startServer } from '../support/server-process.ts';
import { makeVolumes } from '../support/volumes.ts';
import { chooseSource, countOutcomes, openImportAs, saveReceipt } from './importing.ts';
import { withoutWeb } from './steps.ts';

const aMinute = 60_000;

describe('imports in the browser that have to wait', { skip: withoutWeb }, () => {
  let browser: Browser;
  let folders: ImportFolders;

  before(async () => {
    browser = await openBrowser();
    folders = await makeFolders();
  });
  after(async () => {
    await browser?.close();
    await folders?.remove();
  });

  async function makeFolder(name: string, count: number): Promise<string> {
    const files: Record<string, Buffer | string> = {};
    for (let n = 0; n < count; n++) files[`Trip/${n}.jpg`] = await makePicture();
    files['Trip/0.mov'] = 'film';
    return folders.folder(name, files);
  }
  const start = (page: Page) => page.getByRole('button', { name: /^Import \d+ photos?$/ }).click();
  const untilFinished = (page: Page) => page.getByRole('heading', { name: 'Import finished' }).waitFor();

  test('a rate limit of uploads or calls pauses the import, also on a device with a wrong clock', async () => {
    const [uploadRateLimit, webRateLimit] = [24, 60];
    const gallery = await startGallery({ uploadRateLimit, webRateLimit });
    try {
      const { page, person } = await openImportAs(browser, gallery, 'rita');
      // The device is a day ahead of the server.
      await page.clock.install({ time: Date.now() + 86_400_000 });
      await page.goto(`${gallery.url}/import`);
      const folder = await makeFolder('limited', 12);
      let used = 0;
      await page.route('**/api/albums', async (route) => {
        if (route.request().method() !== 'POST' || used++ > 0) return route.continue();
        // A proxy has limits of its own.
        return route.fulfill({ status: 429, body: 'slow down' });
      });
      await chooseSource(page, folder);
      const refused: string[] = [];
      page.on('response', (response) => response.status() === 429 && refused.push(response.url()));
      await start(page);
      const paused = page.getByText('Paused briefly').first();
      for (let minute = 0; minute < 5; minute++) {
        await Promise.race([paused.waitFor(), untilFinished(page)]);
        if (!(await paused.isVisible())) break;
        await gallery.shared.makeRateLimiter('web', webRateLimit).reset(`u${person.id}`);
        await gallery.shared.makeRateLimiter('uploads', uploadRateLimit).reset(`u${person.id}`);
        await page.clock.fastForward(aMinute);
        await paused.waitFor({ state: 'detached' });
      }
      await untilFinished(page);
      await page.getByText('The film of a live photo').waitFor();
      assert.deepEqual(countOutcomes(await saveReceipt(page)), { imported: 12, ignored: 1 });
      assert.deepEqual(refused, [`${gallery.url}/api/albums`], 'the page waits before the limit is reached');
      assert.equal((await readPhotos(person)).length, 12);
      await page.close();
    } finally {
      await gallery.close();
    }
  });

  test('a full disk and a stopped server pause the import, and no file is lost', async (context) => {
    const volumes = await makeVolumes();
    if (typeof volumes === 'string') return context.skip(volumes);
    const { dataDir, files } = volumes;
    let server = await startServer({ dataDir });
    context.after(async () => {
      await server.end('SIGKILL');
      await volumes.end();
    });
    const { page, person } = await openImportAs(browser, server, 'fay');
    await chooseSource(page, await makeFolder('full', 9));
    await files.leaveFree(0);
    await start(page);
    await page.getByText('The server’s disk is full.').first().waitFor();
    await files.makeRoom();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(/^[1-9] of 9 photos$/).waitFor();
    const port = new URL(server.url).port;
    await server.end('SIGKILL');
    await page.getByText('Can’t reach the gallery.').first().waitFor();
    server = await startServer({ dataDir, environment: { PORT: port } });
    await untilFinished(page);
    assert.deepEqual(countOutcomes(await saveReceipt(page)), { imported: 9, ignored: 1 });
    assert.equal((await readPhotos(person)).length, 9);
    const { list } = (await person.get(`/api/albums?user_id=${person.id}`)).body.data;
    assert.equal(list[0].photo_count, 9);
    await page.close();
  });
});
