/**
 * Tests in a real browser who sees which photos. The photos are uploads for the owner only, photos for members and
 * for everyone, and photos that leave a private album.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRead, assertWritten } from '../support/assert-answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { addLetteredAlbum, assertOrder } from './lettered-album.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

const forMembers = 'Members (anyone can create an account)';

describe('who can see photos', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let ben: Person;

  before(async () => {
    gallery = await startGallery({ registration: 'open' });
    ann = await register(gallery, 'ann');
    ben = await register(gallery, 'ben');
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  async function openAs(who: Person | undefined, path = '/') {
    await browser.context.clearCookies();
    if (who) await signIn(browser, gallery, who);
    return openTab(browser, gallery, path);
  }

  const tile = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const tray = (page: Page) => page.getByRole('complementary', { name: 'Uploads' });
  const chosen = (page: Page) =>
    page.getByRole('group', { name: 'Who can see this' }).getByRole('radio', { checked: true });
  const label = (page: Page) =>
    chosen(page).evaluate((radio) => radio.closest('label')?.textContent ?? undefined);

  async function pickFiles(page: Page, ...names: string[]): Promise<void> {
    const files = await Promise.all(
      names.map(async (name) => ({
        name: `${name}.jpg`,
        mimeType: 'image/jpeg',
        buffer: await createJpeg({ width: 300, height: 200, colour: `hsl(${name.length * 47}, 45%, 45%)` }),
      })),
    );
    await page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
    await page.locator('#upload-files').setInputFiles(files);
    await chosen(page).waitFor();
  }

  async function assertWall(who: Person | undefined, names: string[]): Promise<void> {
    const { page } = await openAs(who);
    for (const name of names) await tile(page, name).waitFor();
    assert.equal(await page.locator('.tile[data-id]').count(), names.length);
    await page.close();
  }

  test('the card of a private album shows a lock of the size of its text', async () => {
    assertWritten(await ann.post('/api/albums', { name: 'Diary', visibility: 'private' }));
    const { page } = await openAs(ann, '/users/ann/albums');
    const lock = page.getByRole('img', { name: 'Private' });
    const width = await lock.evaluate((mark) => getComputedStyle(mark, '::before').width);
    assert.ok(Number.parseFloat(width) > 8, width);
    await page.close();
  });

  test('uploads for the owner only, shows one photo to members and one to everyone', async () => {
    const { page, complaints } = await openAs(ann);
    await pickFiles(page, 'Oak', 'River', 'Harbour');
    assert.equal(await label(page), 'Only me');
    await inEveryLook(page, (name) => assertAccessible(page, `upload, ${name}`));
    await page.getByRole('button', { name: 'Upload 3 photos' }).click();
    await tray(page).locator('li[data-state=done]').nth(2).waitFor();
    await tray(page).getByRole('button', { name: 'Close' }).click();
    const mark = tile(page, 'Oak Private').getByRole('img', { name: 'Private', exact: true });
    assert.equal((await mark.boundingBox())?.width, 24, 'the tile shows the lock in a circle');

    await tile(page, 'River Private').focus();
    await page.keyboard.press('x');
    await page.getByRole('region', { name: 'Selection' }).waitFor();
    await page.keyboard.press('v');
    await page.getByRole('dialog').getByLabel(forMembers).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await tile(page, 'River Members only').waitFor();
    await page.keyboard.press('Escape');

    await tile(page, 'Harbour Private').click();
    const viewer = page.getByRole('dialog').first();
    await viewer.getByRole('img', { name: 'Private', exact: true }).waitFor();
    await page.keyboard.press('i');
    await page.getByText('Only you, admins and people with a link').waitFor();
    await page.getByRole('button', { name: 'Edit details' }).click();
    await page.getByLabel('Everyone').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('complementary', { name: 'Information' }).getByText('Everyone').waitFor();
    await viewer.getByRole('img', { name: 'Private', exact: true }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await tile(page, 'Harbour').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `wall, ${name}`));
    assert.deepEqual(complaints, []);
    await page.close();

    await assertWall(ben, ['River Members only', 'Harbour']);
    await assertWall(undefined, ['Harbour']);
  });

  test('starts uploads with the level that the owner set in the settings, and never remembers a wider one', async () => {
    const { page } = await openAs(ann, '/settings');
    assert.equal(await label(page), 'Only me');
    await page.getByLabel(forMembers).check();
    await page.getByText('Saved.').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `settings, ${name}`));
    await page.goto(gallery.url);
    await pickFiles(page, 'Pine');
    assert.equal(await label(page), forMembers);
    await page.getByLabel('Everyone').check();
    await page.getByRole('button', { name: 'Upload 1 photo' }).click();
    await tray(page).locator('li[data-state=done]').waitFor();
    await pickFiles(page, 'Mountain');
    assert.equal(await label(page), forMembers);
    await page.close();

    const others = await openAs(ben);
    await pickFiles(others.page, 'Sea');
    assert.equal(await label(others.page), 'Only me');
    await others.page.close();
  });

  test('keeps photos hidden that leave a private album, and undo restores their levels and positions', async () => {
    const { id, photos } = await addLetteredAlbum(ann, 'Selected', 0);
    await ann.put(`/api/photos/${photos.B}`, { visibility: 'members' });
    const readLevels = async () => {
      const read = async (letter: string) => assertRead(await ann.get(`/api/photos/${photos[letter]}`));
      return [(await read('A')).visibility, (await read('B')).visibility];
    };
    const { page } = await openAs(ann, `/albums/${id}`);
    await tile(page, 'A Private').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('x');
    await page.getByRole('region', { name: 'Selection' }).getByText('2 selected').waitFor();
    await page.keyboard.press('o');
    await assertOrder(page, ann, id, 'CDEF');
    assert.deepEqual(await readLevels(), ['private', 'private']);
    assert.equal((await ben.get(`/api/photos/${photos.A}`)).status, 403);
    await page.getByRole('button', { name: 'Undo' }).click();
    await assertOrder(page, ann, id, 'ABCDEF');
    await eventually(async () => assert.deepEqual(await readLevels(), ['public', 'members']));
    await page.close();
  });
});
