/** Tests that an import in the browser waits while the storage quota is full. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, openBrowser } from '../support/browser.ts';
import { startGallery } from '../support/harness.ts';
import { type ImportFolders, makeFolders, makePicture } from '../support/import-folders.ts';
import { chooseSource, countOutcomes, openImportAs, saveReceipt } from './importing.ts';
import { withoutWeb } from './steps.ts';

describe('imports in the browser within limits', { skip: withoutWeb }, () => {
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

  async function makeFolder(count: number): Promise<string> {
    const files: Record<string, Buffer> = {};
    for (let n = 0; n < count; n++) files[`${n}.jpg`] = await makePicture();
    return folders.folder(`limits-${count}`, files);
  }

  test('a full quota pauses the import with one sentence, and freed storage lets it go on', async () => {
    const gallery = await startGallery({ defaultQuotaBytes: 1000 });
    try {
      const { page, person } = await openImportAs(browser, gallery, 'quinn');
      await chooseSource(page, await makeFolder(3));
      await page.getByRole('button', { name: 'Import 3 photos' }).click();
      await page.getByText('You’re out of storage.').first().waitFor();
      await gallery.deps.db.kysely
        .updateTable('users')
        .set({ quota_bytes: null })
        .where('id', '=', person.id)
        .execute();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'Import finished' }).waitFor();
      assert.deepEqual(countOutcomes(await saveReceipt(page)), { imported: 3 });
      await page.close();
    } finally {
      await gallery.close();
    }
  });
});
