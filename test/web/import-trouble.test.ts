/** Tests what goes wrong during an import in the browser: an ended session, limits, a stop, and a lost connection. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { type ImportFolders, makeFolders, makePicture, readPhotos } from '../support/import-folders.ts';
import { password } from '../support/people.ts';
import { chooseSource, countOutcomes, importAll, openImportAs, saveReceipt } from './importing.ts';
import { withoutWeb } from './steps.ts';

describe('imports in the browser that meet trouble', { skip: withoutWeb }, () => {
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

  async function makeFolder(name: string, count: number): Promise<string> {
    const files: Record<string, Buffer> = {};
    for (let n = 0; n < count; n++) files[`Trip/${n}.jpg`] = await makePicture();
    return folders.folder(name, files);
  }
  const startButton = (page: Page) => page.getByRole('button', { name: /^Import \d+ photos?$/ });
  const start = (page: Page) => startButton(page).click();
  const untilFinished = (page: Page) => page.getByRole('heading', { name: 'Import finished' }).waitFor();

  test('an ended session asks to sign in again, and no file fails because of it', async () => {
    const { page, person } = await openImportAs(browser, gallery, 'sara');
    await chooseSource(page, await makeFolder('session', 5));
    const { list } = (await person.get('/api/auth/sessions?limit=100')).body.data;
    for (const { id, is_current } of list) if (!is_current) await person.delete(`/api/auth/sessions/${id}`);
    // Another request may have opened the dialog already, and the dialog covers the button.
    await startButton(page).evaluate((button) => (button as HTMLElement).click());
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await untilFinished(page);
    assert.deepEqual(countOutcomes(await saveReceipt(page)), { imported: 5 });
    await page.close();
  });

  test('an import pauses offline and goes on, and can be paused and continued by hand', async () => {
    const { page, person } = await openImportAs(browser, gallery, 'olaf');
    await chooseSource(page, await makeFolder('offline', 6));
    await browser.context.setOffline(true);
    await start(page);
    await page.getByText('You’re offline.').first().waitFor();
    await browser.context.setOffline(false);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Import paused.').first().waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await untilFinished(page);
    assert.deepEqual(countOutcomes(await saveReceipt(page)), { imported: 6 });
    assert.equal((await readPhotos(person)).length, 6);
    await page.close();
  });

  test('a stopped import names the files that it did not reach, and imports them the next time', async () => {
    const { page, person } = await openImportAs(browser, gallery, 'stella');
    const folder = await makeFolder('stopped', 8);
    await chooseSource(page, folder);
    await start(page);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('heading', { name: 'Import stopped' }).waitFor();
    const first = countOutcomes(await saveReceipt(page));
    assert.equal((first.imported ?? 0) + (first.refused ?? 0), 8, JSON.stringify(first));
    assert.ok(first.refused! > 0, JSON.stringify(first));
    await page.getByRole('button', { name: 'Import more' }).click();
    await chooseSource(page, folder);
    await importAll(page);
    const { imported = 0, duplicate = 0 } = countOutcomes(await saveReceipt(page));
    assert.equal(imported + duplicate, 8);
    assert.equal((await readPhotos(person)).length, 8);
    await page.close();
  });

  test('XMP and JSON files beside photos reach the gallery, without the settings of an editor', async () => {
    const { page, person } = await openImportAs(browser, gallery, 'xenia');
    const settings = Array.from({ length: 900 }, (_, n) => `crs:Setting${n}="12345"`).join(' ');
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" ${settings}><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Harbour</rdf:li></rdf:Alt></dc:title><dc:subject><rdf:Bag><rdf:li>sea</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`;
    const takeout = (more: object) =>
      JSON.stringify({
        title: 'b.jpg',
        photoTakenTime: { timestamp: '1561937400' },
        geoData: { latitude: 41.9, longitude: 12.5 },
        ...more,
      });
    const folder = await folders.folder('sidecars', {
      'a.jpg': await makePicture(),
      'a.jpg.xmp': xmp,
      'b.jpg': await makePicture(),
      'b.jpg.json': takeout({ favorited: true }),
      'c.jpg': await makePicture(),
      'c.jpg.json': takeout({ title: 'c.jpg', archived: true }),
      'd.jpg': await makePicture(),
      'd.jpg.json': takeout({ title: 'd.jpg', trashed: true }),
    });
    await chooseSource(page, folder);
    await page.getByText('1 in the trash').waitFor();
    await page.getByText('1 archived, becomes private').waitFor();
    await page.getByLabel('Everyone').check();
    for (const expected of [
      { imported: 4, sidecar: 4 },
      { duplicate: 4, sidecar: 4 },
    ]) {
      await importAll(page);
      assert.deepEqual(countOutcomes(await saveReceipt(page)), expected);
      await page.getByRole('button', { name: 'Import more' }).click();
      await chooseSource(page, folder);
    }
    const photos = new Map((await readPhotos(person)).map((photo) => [photo.title, photo]));
    assert.deepEqual([...photos.keys()].sort(), ['Harbour', 'b', 'c']);
    assert.deepEqual(photos.get('Harbour').tags, ['sea']);
    const { taken_time, is_favorited, location, visibility } = photos.get('b');
    assert.deepEqual([taken_time, is_favorited, visibility], ['2019-07-01 01:30:00', true, 'public']);
    assert.equal(location.latitude, 41.9);
    assert.deepEqual([photos.get('c').visibility, photos.get('c').tags], ['private', ['archive']]);
    const { list } = (await person.get('/api/trash')).body.data;
    assert.equal(list.length, 1);
    await person.post(`/api/photos/${list[0].id}/restore`);
    await page.reload();
    await chooseSource(page, folder);
    await importAll(page);
    const receipt = await saveReceipt(page);
    assert.equal(receipt['sidecars/d.jpg']!.reason, 'In the trash of the source, but in your library');
    await page.close();
  });
});
