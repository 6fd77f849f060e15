/**
 * Tests the whole journey in Simplified Chinese, from the first account to the decisions of an admin. Uses
 * real photographs if they are available. No page may contain English text.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRead } from '../support/assert-answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { asVisitor, logIn, type Person, password, register, registerAdmin } from '../support/people.ts';
import { findEnglish, zh } from './chinese.ts';
import { dropFiles } from './drop-files.ts';
import { camera, tenPhotos } from './photograph.ts';
import { assertAccessible, openTab, signIn, withoutWeb } from './steps.ts';

/** Title that the file Canon_500D_mongolels.jpg of the corpus contains. */
const titleInFile = 'Mongol Els';

describe('a journey through the gallery in Chinese', { skip: withoutWeb }, () => {
  let folder: string;
  let gallery: Gallery;
  /** Ann's browser and the browser of all other users. */
  let [hers, theirs]: Browser[] = [];
  let ann: Person;
  let ada: Person;
  let ben: Person;
  let link: string;
  /** Title of the photo that the search by camera finds. */
  let found: string;
  /** English texts with the places where they appeared. */
  const seen: string[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lightwell-journey-'));
    gallery = await startGallery();
    ada = await registerAdmin(gallery, 'ada');
    ben = await register(gallery, 'ben');
    [hers, theirs] = [await openBrowser({ locale: 'zh-CN' }), await openBrowser({ locale: 'zh-CN' })];
  });
  after(async () => {
    for (const browser of [hers, theirs]) await browser?.close();
    await gallery?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function look(page: Page, where: string): Promise<void> {
    for (const text of await findEnglish(page)) seen.push(`${where}: ${text}`);
  }
  /** Closes the page, and asserts that no English text has appeared since the last check. */
  async function leave(page: Page): Promise<void> {
    await page.close();
    assert.deepEqual(seen.splice(0), []);
  }
  const button = (page: Page, key: string, values = {}) =>
    page.getByRole('button', { name: zh(key, values), exact: true });
  const tiles = (page: Page) => page.locator('.tile[data-id]');
  const tile = (page: Page, name: string) => page.locator(`.tile:has(img[alt="${name}"])`);
  const notice = (page: Page, text: string) =>
    page.getByRole('region', { name: zh('statusMessages') }).getByText(text);
  const panel = (page: Page) => page.getByRole('complementary', { name: zh('info') });
  const selected = (page: Page, count: number) =>
    page
      .getByRole('region', { name: zh('selection') })
      .getByText(zh('selected', { count }))
      .waitFor();
  const titles = (page: Page) =>
    tiles(page)
      .locator('img')
      .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).alt));
  const openWall = async () => {
    const { page } = await openTab(hers!, gallery);
    // The photos are from several years, each of which has a heading.
    await page.setViewportSize({ width: 1440, height: 2600 });
    await page.locator('[data-check]').nth(9).waitFor();
    return page;
  };

  test('a visitor registers in Chinese and drops ten photos', async () => {
    const { page } = await openTab(hers!, gallery, '/register');
    await page.getByLabel(zh('username'), { exact: true }).fill('ann');
    await page.getByLabel(zh('email')).fill('ada@example.org');
    await page.getByLabel(zh('password')).fill(password);
    await button(page, 'createAccount').click();
    await page.getByRole('alert').waitFor();
    await look(page, 'refused');
    await page.getByLabel(zh('email')).fill('ann@example.org');
    await button(page, 'createAccount').click();
    await button(page, 'account').waitFor();
    await look(page, 'first wall');
    ann = await logIn(gallery, { ...ben, name: 'ann' });
    const files = await tenPhotos(join(folder, 'photos'));
    const note = join(folder, '便条.txt');
    await writeFile(note, '不是照片');
    await dropFiles(page, [...files, note], async () => {
      await look(page, 'dragging');
      await assertAccessible(page, 'dragging');
    });
    await button(page, 'uploadStart', { count: 10 }).waitFor();
    await look(page, 'before the upload');
    await page.getByLabel(zh('everyone')).check();
    await button(page, 'uploadStart', { count: 10 }).click();
    await page.getByRole('link', { name: zh('uploadViewAll') }).waitFor();
    await look(page, 'after the upload');
    await page.setViewportSize({ width: 1440, height: 2600 });
    await tiles(page).nth(9).waitFor();
    const names = files.map((file) => basename(file, '.jpg').replace('Canon_500D_mongolels', titleInFile));
    assert.deepEqual((await titles(page)).sort(), names.sort());
    await leave(page);
  });

  test('a user finds a photo by its camera, edits the photo, and shares it with a password', async () => {
    const page = await openWall();
    await page.getByRole('combobox', { name: zh('search') }).fill('500D');
    await page.getByRole('option').filter({ hasText: camera }).waitFor();
    await look(page, 'suggestions');
    await page.getByRole('option').filter({ hasText: camera }).click();
    await page.waitForURL('**/search?q=camera:**');
    // Waits for the tiles, because the page knows the number of photos before it shows them.
    await eventually(async () => assert.equal((await titles(page)).length, 1));
    [found = ''] = await titles(page);
    await look(page, 'found');
    await tiles(page).first().click();
    await button(page, 'info').click();
    await panel(page).getByText(camera).waitFor();
    await panel(page)
      .getByRole('textbox', { name: zh('writeComment') })
      .waitFor();
    await look(page, 'panel');
    await button(page, 'edit').click();
    const steps = page.getByRole('list', { name: zh('editSteps') });
    await steps.waitFor();
    await look(page, 'editor');
    await page.keyboard.press('r');
    await page.keyboard.press('Control+s');
    await steps.waitFor({ state: 'detached' });
    const [photo] = assertRead(await ann.get('/api/photos?q=camera:500D')).list;
    assert.ok(photo.height > photo.width, `${photo.width} × ${photo.height}`);

    await button(page, 'share').click();
    const dialog = page.getByRole('dialog', { name: zh('sharePhoto') });
    await dialog.getByLabel(zh('sharePassword')).check();
    await dialog.getByLabel(zh('password'), { exact: true }).fill('blue heron');
    await button(page, 'shareCreate').click();
    link = await dialog.getByLabel(zh('shareLink'), { exact: true }).inputValue();
    await look(page, 'shared');
    await leave(page);
  });

  test('a visitor opens the share signed out, and another user comments, reports and follows', async () => {
    const { page: guest } = await openTab(theirs!, gallery, new URL(link).pathname);
    await look(guest, 'link');
    await guest.getByRole('textbox').fill('blue heron');
    await guest.keyboard.press('Enter');
    await guest.getByRole('heading', { name: found }).waitFor();
    await look(guest, 'link, open');
    await leave(guest);

    await signIn(theirs!, gallery, ben);
    const { page } = await openTab(theirs!, gallery, '/users/ann');
    await button(page, 'follow').click();
    await button(page, 'followed').waitFor();
    await page.setViewportSize({ width: 1440, height: 2600 });
    await tile(page, found).click();
    await page.setViewportSize({ width: 1440, height: 844 });
    await button(page, 'info').click();
    await panel(page)
      .getByRole('textbox', { name: zh('writeComment') })
      .fill('真美');
    await button(page, 'postComment').click();
    await page.getByRole('article').filter({ hasText: '真美' }).waitFor();
    await look(page, 'commented');
    await button(page, 'reportPhoto').click();
    await page.getByLabel(zh('reportDetails')).fill('请看一下');
    await button(page, 'reportSubmit').click();
    await panel(page).getByText(zh('reportSent')).waitFor();
    await look(page, 'reported');
    await leave(page);
    assert.equal(assertRead(await ann.get('/api/users/ann')).stats.followers, 1);
  });

  test('a user selects photos of several months with Shift, adds tags, and undoes the change', async () => {
    const page = await openWall();
    const order = await titles(page);
    await tile(page, order[2]!).focus();
    await page.keyboard.press('x');
    await selected(page, 1);
    await tile(page, order[7]!).click({ modifiers: ['Shift'] });
    await selected(page, 6);
    await look(page, 'selected');
    await page.keyboard.press('t');
    await page.getByRole('dialog').getByLabel(zh('tags')).fill('旅行');
    await button(page, 'tagAdd').click();
    await notice(page, zh('doneTag', { count: 6 })).waitFor();
    await look(page, 'tagged');
    await assertAccessible(page, 'tagged');
    const tagged = async () => assertRead(await ann.get('/api/photos?tag=旅行')).list;
    const months = new Set(
      (await tagged()).map((photo: { taken_time: string }) => photo.taken_time.slice(0, 7)),
    );
    assert.ok(months.size > 1, [...months].join());
    await page.keyboard.press('Control+z');
    await notice(page, zh('undone')).waitFor();
    assert.deepEqual(await tagged(), []);

    await page.keyboard.press('a');
    await button(page, 'newAlbum').click();
    await page.getByLabel(zh('newAlbumName')).fill('旅行');
    await look(page, 'new album');
    await assertAccessible(page, 'new album');
    await button(page, 'newAlbumCreate').click();
    await notice(page, zh('addedToAlbum', { count: 6, album: '旅行' })).waitFor();
    await leave(page);
  });

  test('a user sorts the photos of an album', async () => {
    const [{ id }] = assertRead(await ann.get('/api/albums')).list;
    const { page } = await openTab(hers!, gallery, `/albums/${id}`);
    await page.locator('[data-check]').nth(5).waitFor();
    const [first, second, ...rest] = await titles(page);
    await tile(page, first!).focus();
    await page.locator('[data-spot]').first().waitFor({ state: 'attached' });
    await look(page, 'album, to be put in order');
    await assertAccessible(page, 'album, to be put in order');
    await page.keyboard.press('Alt+Shift+ArrowRight');
    const kept = async () =>
      assertRead(await ann.get(`/api/albums/${id}/photos`)).list.map(({ title }: { title: string }) => title);
    await eventually(async () => assert.deepEqual(await kept(), [second, first, ...rest]));
    await button(page, 'albumOptions').click();
    await look(page, 'menu of the album');
    await assertAccessible(page, 'menu of the album');
    await leave(page);
  });

  test('a user moves a photo to the trash and restores the photo', async () => {
    const page = await openWall();
    const [first] = await titles(page);
    await tile(page, first!).focus();
    await page.keyboard.press('x');
    await selected(page, 1);
    await page.keyboard.press('Delete');
    await notice(page, zh('doneDelete', { count: 1 })).waitFor();
    await look(page, 'moved to the trash');
    await page.goto(`${gallery.url}/trash`);
    await tile(page, first!).focus();
    await page.keyboard.press('x');
    await selected(page, 1);
    await look(page, 'trash');
    await page.keyboard.press('r');
    await page.getByText(zh('trashIsEmpty')).waitFor();
    await look(page, 'restored');
    await page.goto(gallery.url);
    await tile(page, first!).waitFor();
    await leave(page);
  });

  test('an admin handles the report and disables its author', async () => {
    await theirs!.context.clearCookies();
    await signIn(theirs!, gallery, ada);
    const { page } = await openTab(theirs!, gallery, '/admin/reports');
    await page.getByText('请看一下').waitFor();
    await page.keyboard.press('x');
    await page.getByText('请看一下').waitFor({ state: 'detached' });
    await look(page, 'handled');
    await page.goto(`${gallery.url}/admin/users`);
    await button(page, 'adminActionsFor', { name: 'ben' }).click();
    await look(page, 'menu of a user');
    await page.getByRole('menuitem', { name: zh('adminDisable') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: zh('adminDisable') })
      .click();
    await page.getByRole('row').filter({ hasText: 'ben' }).getByText(zh('adminDisabled')).waitFor();
    await look(page, 'disabled');
    assert.equal((await asVisitor(gallery).get('/api/users/ben')).status, 404);
    await leave(page);
  });
});
