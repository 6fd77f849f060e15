/**
 * Tests uploading in a real browser, with real photographs if available: by drop, and with a lost network.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { createPhoto } from '../support/photo-metadata.ts';
import { createJpeg } from '../support/pictures.ts';
import { dropFiles } from './drop-files.ts';
import { tenPhotos } from './photograph.ts';
import { assertAccessible, inEveryLook, withoutWeb } from './steps.ts';
import { assertPhotos, beginSlowly, connect, input, openAs, rows, status, unlimited } from './uploading.ts';

describe('uploading in the browser', { skip: withoutWeb }, () => {
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

  test('the upload links existing photos, names files that are no photo, and shows the others', async () => {
    const { page, person, calls, complaints } = await openAs(browser, gallery, 'ann');
    await page.setViewportSize({ width: 1440, height: 900 });
    const picture = await createJpeg({ width: 500, height: 300 });
    const { body } = await person.upload(picture, { title: 'Here before' });
    assert.equal(body.code, 0);
    const same = join(folder, 'same.jpg');
    await writeFile(same, picture);
    const text = join(folder, 'notes.txt');
    await writeFile(text, 'no photo');
    await dropFiles(page, [...photos, same, text]);
    await rows(page, 'refused').getByText('Not a photo').waitFor();
    await page.getByLabel('Everyone').check();
    await page.getByLabel('Tags').fill('alps, snow');
    await inEveryLook(page, (name) => assertAccessible(page, `before, ${name}`));
    calls();
    await page.getByRole('button', { name: 'Upload 11 photos' }).click();
    await status(page, '11 of 12 uploaded. 1 failed').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `after, ${name}`));
    await page.setViewportSize({ width: 1440, height: 900 });
    const made = calls();
    assert.equal(made.filter((one) => one.startsWith('GET /api/timeline')).length, 1, made.join('\n'));
    assert.ok(made.filter((one) => one.startsWith('GET ')).length <= 3, made.join('\n'));
    await assertPhotos(person, 11);
    const list = (await person.get('/api/photos?tag=snow')).body.data.list;
    assert.equal(list.length, 10);
    assert.ok(list.every(({ is_public }: { is_public: number }) => is_public === 1));
    // The photos are from several years, so the window shows only some of them.
    await page.locator('.tile[data-id]').nth(3).waitFor();
    await rows(page, 'duplicate').getByRole('link').click();
    await page.waitForURL(`**/photos/${body.data.id}`);
    // Ignores 409 messages: the browser logs the refusal of a photo that already exists.
    assert.deepEqual(
      complaints.filter((one) => !one.includes('409')),
      [],
    );
    await page.close();
  });

  test('the upload refuses a picture with too many megapixels before it sends a byte', async () => {
    const { page, person, calls } = await openAs(browser, gallery, 'dora');
    const huge = join(folder, 'huge.png');
    const header = Buffer.from('89504e470d0a1a0a0000000d494844520000753000007530080200000000000000', 'hex');
    await writeFile(huge, Buffer.concat([header, Buffer.alloc(100_000)]));
    await dropFiles(page, [photos[0]!, huge]);
    calls();
    await page.getByRole('button', { name: 'Upload 2 photos' }).click();
    await rows(page, 'refused').getByText('More than 220 megapixels').waitFor();
    await status(page, '1 of 2 uploaded. 1 failed').waitFor();
    assert.equal(calls().filter((one) => one.startsWith('POST /api/uploads')).length, 1);
    await assertPhotos(person, 1);
    await page.close();
  });

  test('the upload sends the time of a file, and leaves the title to the file', async () => {
    const { page, person } = await openAs(browser, gallery, 'cleo');
    const file = join(folder, 'scan.jpg');
    await writeFile(file, await createPhoto({ iptc: [[5, 'Ridge']] }));
    await utimes(file, new Date(2012, 2, 4, 5, 6, 7), new Date(2012, 2, 4, 5, 6, 7));
    await input(page).setInputFiles([file]);
    await page.getByRole('button', { name: 'Upload 1 photo' }).click();
    await status(page, '1 of 1 uploaded').waitFor();
    const { list } = (await person.get(`/api/photos?user_id=${person.id}`)).body.data;
    assert.deepEqual([list[0].title, list[0].taken_time], ['Ridge', '2012-03-04 05:06:07']);
    await page.close();
  });

  test('the upload waits while the browser is offline, says so, and continues automatically', async () => {
    const { page, person, session } = await openAs(browser, gallery, 'bea');
    await beginSlowly(page, session, photos);
    await connect(session, unlimited, true);
    await status(page, 'You’re offline').waitFor();
    assert.equal(await rows(page, 'sending').count(), 0);
    assert.equal(await rows(page, 'refused').count(), 0);
    await assertAccessible(page, 'offline');
    await connect(session, unlimited);
    await status(page, '10 of 10 uploaded').waitFor();
    await assertPhotos(person, 10);
    await page.close();
  });
});
