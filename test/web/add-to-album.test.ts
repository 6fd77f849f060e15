/** Tests in a real browser how the owner adds photos to several albums, moves them, and takes them out again. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRead } from '../support/assert-answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { addLetteredAlbum, assertOrder, type LetteredAlbum, readOrder } from './lettered-album.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe('photos in several albums', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  /** An album for everyone with the photos A to F. */
  let trip: LetteredAlbum;
  /** An empty album for the owner only. Each test has another one. */
  let diary = { id: 0, name: '' };
  let tests = 0;

  before(async () => {
    gallery = await startGallery();
    browser = await openBrowser();
    ann = await register(gallery, 'ann');
    trip = await addLetteredAlbum(ann, 'Trip');
    await signIn(browser, gallery, ann);
  });
  beforeEach(async () => {
    const { body } = await ann.post('/api/albums', { name: `Diary ${++tests}`, visibility: 'private' });
    diary = body.data;
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const dialog = (page: Page) => page.locator('dialog[open]');
  const tick = (page: Page, album: string) => dialog(page).getByRole('checkbox', { name: album });
  const row = (page: Page, album: string) => dialog(page).getByRole('button', { name: album });
  const toast = (page: Page, text: string) =>
    page.getByRole('region', { name: 'Status messages' }).getByText(text, { exact: true });
  const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).last().click();
  const tile = (page: Page, name: string) => page.locator(`.tile:has(img[alt="${name}"])`);

  async function readAlbums(letter: string): Promise<string[]> {
    const { albums } = assertRead(await ann.get(`/api/photos/${trip.photos[letter]}`));
    return albums.map(({ name, as }: { name: string; as: string }) => `${name}: ${as}`);
  }
  const assertAlbums = (letter: string, ...names: string[]) =>
    eventually(async () => assert.deepEqual(await readAlbums(letter), names));

  async function openViewer(letter: string, wall = '') {
    const tab = await openTab(browser, gallery, `${wall}/photos/${trip.photos[letter]}`);
    await tab.page.locator('button[data-action=album]').first().waitFor();
    await tab.page.keyboard.press('a');
    await dialog(tab.page).locator('li[data-album]').first().waitFor();
    return tab;
  }

  async function select(page: Page, ...letters: string[]): Promise<void> {
    for (const letter of letters) {
      await tile(page, letter).focus();
      await page.keyboard.press('x');
    }
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByText(`${letters.length} selected`).waitFor();
  }

  test('ticks add the photo to an album and take it out, and the panel lists all albums', async () => {
    const { page, complaints } = await openViewer('B');
    await tick(page, 'Trip').and(page.locator(':checked')).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `viewer, ${name}`));
    await tick(page, diary.name).check();
    await toast(page, `Added to “${diary.name}”.`).waitFor();
    assert.deepEqual(await readAlbums('B'), ['Trip: main', `${diary.name}: reference`]);
    await tick(page, 'Trip').uncheck();
    await toast(page, 'B was removed from “Trip” but stays in your library.').waitFor();
    assert.equal(await readOrder(ann, trip.id), 'ACDEF');
    await undo(page);
    await tick(page, 'Trip').and(page.locator(':checked')).waitFor();
    assert.equal(await readOrder(ann, trip.id), 'ABCDEF');
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press('i');
    const panel = page.getByRole('complementary', { name: 'Information' });
    await panel.getByText('Albums', { exact: true }).waitFor();
    assert.deepEqual(await panel.locator('dd a').allTextContents(), ['Trip', diary.name]);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('says that a narrower main album hides the photo, and undo restores its level', async () => {
    const { id } = await addPhoto(ann, { title: 'Loose' });
    const { page } = await openTab(browser, gallery, '/');
    await select(page, 'Loose');
    await page.keyboard.press('a');
    await tick(page, diary.name).check();
    await toast(
      page,
      `Added to “${diary.name}”. The photo is now visible only to you, like the album.`,
    ).waitFor();
    await undo(page);
    await toast(page, 'Undone.').waitFor();
    const { albums, visibility } = assertRead(await ann.get(`/api/photos/${id}`));
    assert.deepEqual({ albums, visibility }, { albums: [], visibility: 'public' });
    await page.close();
  });

  test('a move in the viewer shows the next photo of the album, and undo moves the photo back', async () => {
    const { page } = await openViewer('C', `/albums/${trip.id}`);
    await dialog(page).getByRole('checkbox', { name: 'Move instead of adding' }).check();
    await row(page, diary.name).click();
    await page.waitForURL(`**/albums/${trip.id}/photos/${trip.photos.D}`);
    await assertAlbums('C', `${diary.name}: main`);
    await undo(page);
    await page.waitForURL(`**/albums/${trip.id}/photos/${trip.photos.C}`);
    await assertAlbums('C', 'Trip: main');
    await eventually(async () => {
      const { visibility } = assertRead(await ann.get(`/api/photos/${trip.photos.C}`));
      assert.equal(visibility, 'public');
    });
    assert.equal(await readOrder(ann, trip.id), 'ABCDEF');
    await page.close();
  });

  test('a selection is added to an album, and undo keeps photos that the album had', async () => {
    await ann.post(`/api/albums/${diary.id}/photos`, { ids: [trip.photos.E] });
    const { page, complaints } = await openTab(browser, gallery, `/albums/${trip.id}`);
    await select(page, 'A', 'E');
    await page.keyboard.press('a');
    await row(page, diary.name).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `selection, ${name}`));
    await row(page, diary.name).click();
    await toast(page, `Added to “${diary.name}”. 1 was already in it.`).waitFor();
    await undo(page);
    await toast(page, 'Undone.').waitFor();
    assert.equal(await readOrder(ann, diary.id), 'E');
    assert.deepEqual(await readAlbums('A'), ['Trip: main']);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a name that no album has becomes a new album with the photo, and its message leads there', async () => {
    const { page, complaints } = await openViewer('D');
    await dialog(page).getByRole('searchbox', { name: 'Find an album' }).fill('Sunsets');
    await row(page, 'New album “Sunsets”').waitFor();
    await tick(page, 'Trip').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    assert.equal(await dialog(page).getByLabel('Album name').inputValue(), 'Sunsets');
    await dialog(page).getByLabel('Members').check();
    await dialog(page).getByRole('button', { name: 'Create album' }).click();
    await tick(page, 'Sunsets').and(page.locator(':checked')).waitFor();
    assert.deepEqual(await readAlbums('D'), ['Trip: main', 'Sunsets: reference']);
    await page.getByRole('region', { name: 'Status messages' }).getByRole('button', { name: 'View' }).click();
    await page.getByRole('heading', { name: 'Sunsets' }).waitFor();
    await tile(page, 'D').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.match(page.url(), /\/albums\/\d+$/);
    await page.goBack();
    await page.waitForURL(`**/photos/${trip.photos.D}`);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('an empty album is filled with photos of the library, and marks photos that it has', async () => {
    const picture = await createJpeg({ width: 400, height: 300, colour: 'teal' });
    await addPhoto(ann, { title: 'Lake' }, picture);
    const { page, complaints } = await openTab(browser, gallery, `/albums/${diary.id}`);
    await page.getByRole('link', { name: 'Choose from your photos' }).click();
    const search = page.getByRole('searchbox', { name: 'Search your photos' });
    await tile(page, 'B').click();
    await search.fill('lake');
    await tile(page, 'B').waitFor({ state: 'detached' });
    await tile(page, 'Lake').click();
    await inEveryLook(page, (name) => assertAccessible(page, `picker, ${name}`));
    await page.getByRole('button', { name: 'Add 2 photos' }).click();
    await assertOrder(page, ann, diary.id, 'BLake');
    await page.getByRole('button', { name: 'Add photos' }).click();
    await page.getByRole('menuitem', { name: 'Choose from your photos' }).click();
    const taken = page.getByRole('checkbox', { name: 'B In album' });
    await taken.click({ force: true });
    await tile(page, 'C').click();
    await page.getByRole('region', { name: 'Selection' }).getByText('1 selected').waitFor();
    await page.getByRole('button', { name: 'Add 1 photo' }).click();
    await assertOrder(page, ann, diary.id, 'BLakeC');
    await undo(page);
    await assertOrder(page, ann, diary.id, 'BLake');
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
