/** Tests that the page stays usable while it imports a ZIP of 20,000 files, and that its memory stays bounded. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { createHostileZip, type HostileEntry } from '../support/hostile-zip.ts';
import { type ImportFolders, makeFolders, makePicture, readAlbums } from '../support/import-folders.ts';
import { chooseSource, countOutcomes, openImportAs, saveReceipt } from './importing.ts';
import { withoutWeb } from './steps.ts';

/** Each picture is in each album, so that few uploads make a long import. */
const [pictures, albums] = [200, 100];
const files = pictures * albums;
const maxHeapMb = 200;
/** Time in milliseconds that the page may be busy at once, on a machine with other work. */
const maxTaskMs = 3000;

describe('an import of very many files', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let folders: ImportFolders;

  before(async () => {
    gallery = await startGallery();
    browser = await openBrowser();
    folders = await makeFolders();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
    await folders?.remove();
  });

  test('the page stays usable, and the receipt has each file', async (context) => {
    const entries: HostileEntry[] = [];
    for (let n = 0; n < pictures; n++) {
      const picture = await makePicture();
      for (let album = 0; album < albums; album++)
        entries.push({ name: `Album ${album}/IMG_${n}.jpg`, content: picture });
    }
    const path = join(folders.root, 'many.zip');
    await writeFile(path, createHostileZip(entries));
    const { page, person } = await openImportAs(browser, gallery, 'mona');
    const session = await browser.context.newCDPSession(page);
    await page.evaluate(() => {
      const seen = Object.assign(window, { longestTask: 0 });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.longestTask = Math.max(seen.longestTask, duration);
      }).observe({ type: 'longtask' });
    });
    const assertUsable = async (when: string) => {
      const longest = await page.evaluate(() => (window as unknown as { longestTask: number }).longestTask);
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      context.diagnostic(`${when}: ${Math.round(usedSize / 1e6)} MB, longest task ${Math.round(longest)} ms`);
      assert.ok(usedSize < maxHeapMb * 1e6, `${when}: ${usedSize} bytes`);
      assert.ok(longest < maxTaskMs, `${when}: busy for ${longest} ms`);
    };
    page.setDefaultTimeout(1_200_000);
    await chooseSource(page, [path]);
    await page.getByText(`${albums} albums`).waitFor();
    await assertUsable('found');
    await page.getByRole('button', { name: /^Import / }).click();
    await page.getByText(/^[1-9][\d,]* of 20,000 photos$/).waitFor();
    await assertUsable('running');
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    await assertUsable('done');
    const outcomes = countOutcomes(await saveReceipt(page));
    assert.deepEqual(outcomes, { imported: pictures, duplicate: files - pictures });
    assert.deepEqual(
      (await readAlbums(person)).map(({ photo_count }) => photo_count),
      Array(albums).fill(pictures),
    );
    await page.close();
  });
});
