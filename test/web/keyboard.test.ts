/**
 * Tests the gallery without a mouse and without motion: Tab reaches everything, and closing a dialog returns
 * the focus.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addComment, addReport } from '../support/moderation.ts';
import { addAlbum, addPhoto, type Person, register, registerAdmin } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { focused, moveToTile, tabTo, walkStops } from './focus-stops.ts';
import { moved, watchMotion } from './motion.ts';
import { openTab, signIn, withoutWeb } from './steps.ts';

/** A window so low that pages scroll under the bar. */
const low = { width: 1440, height: 480 };

describe('by keyboard alone', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ada: Person;
  let ben: Person;
  let album: number;
  let ids: number[];
  let bens: number;

  before(async () => {
    gallery = await startGallery();
    ada = await registerAdmin(gallery, 'ada');
    ben = await register(gallery, 'ben');
    album = await addAlbum(ada, 'Alps');
    ids = [];
    for (let n = 0; n < 9; n++) {
      const picture = await createJpeg({
        width: 300 + n * 40,
        height: 220,
        colour: `hsl(${n * 40}, 45%, 45%)`,
      });
      const fields = { title: `Photo ${n}`, tags: 'winter', ...(n < 3 && { album_id: String(album) }) };
      ids.push((await addPhoto(ada, fields, picture)).id);
    }
    bens = (await addPhoto(ben, { title: 'Of ben' })).id;
    await ada.post('/api/users/ben/follow', { followed: true });
    await addComment(ben, ids[8]!, 'Well seen');
    await addReport(ben, 'photo', ids[0]!);
    await ada.post(`/api/photos/${ids[1]}/share`, { type: 'link' });
    browser = await openBrowser({ reducedMotion: 'reduce' });
    await browser.context.addInitScript(watchMotion);
    browser.context.setDefaultTimeout(20_000);
    await signIn(browser, gallery, ada);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  async function open(path: string, size = low): Promise<Page> {
    const { page } = await openTab(browser, gallery, path);
    await page.setViewportSize(size);
    await page.waitForLoadState('networkidle');
    return page;
  }
  /** Closes the page, and asserts that nothing moved, because the user prefers reduced motion. */
  async function leave(page: Page): Promise<void> {
    assert.deepEqual(await moved(page), []);
    await page.close();
  }
  /**
   * Walks through the page once by Tab, and also backwards. The way back is left out if a similar page was
   * walked backwards.
   */
  async function assertReached(page: Page, where: string, isBackToo = true): Promise<string[]> {
    const { stops, problems } = await walkStops(page);
    assert.deepEqual(problems, [], where);
    if (!isBackToo) return stops;
    const back = await walkStops(page, 'Shift+Tab');
    assert.deepEqual(back.problems, [], `${where}, backwards`);
    return stops;
  }
  /** Asserts that the dialog behind a button keeps the focus inside, and returns the focus when it closes. */
  async function assertDialog(page: Page, opener: RegExp, { content = '', isBackToo = true } = {}) {
    const name = await tabTo(page, opener);
    await page.keyboard.press('Enter');
    if (content) await page.getByRole('dialog').getByText(content).first().waitFor();
    await assertOver(page, name, isBackToo);
  }
  async function assertOver(page: Page, opener: string, isBackToo: boolean): Promise<void> {
    const dialog = page.locator('dialog[open]');
    await dialog.waitFor();
    const stops = await assertReached(page, `after ${opener}`, isBackToo);
    assert.ok(stops.some((stop) => stop === 'button Close'));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await focused(page), opener);
  }
  const untilFocused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor();

  test("the keyboard opens a photo and its details, and returns to the photo's tile", async () => {
    const page = await open('/');
    const isTile = (stop: string) => /^a (?:Photo \d|Of ben)/.test(stop);
    assert.deepEqual((await assertReached(page, 'home')).filter(isTile), ['a Of ben']);
    await moveToTile(page, /Photo 8/);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/photos/${ids[8]}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    const stops = await assertReached(page, 'viewer');
    assert.ok(!stops.some((stop) => stop.includes('Skip')), 'the page below has no focus');
    await page.keyboard.press('i');
    await page.getByText('Well seen').waitFor();
    await assertReached(page, 'viewer with its panel');
    await assertDialog(page, /^button Share/);
    await page.getByRole('button', { name: 'Edit details' }).waitFor();
    await tabTo(page, /^button Edit details/);
    await page.keyboard.press('Enter');
    await page.getByRole('form', { name: 'Edit details' }).waitFor();
    await assertReached(page, 'details');
    await tabTo(page, /Title/);
    await page.keyboard.press('Escape');
    await untilFocused(page, '[data-opens=details]');
    await tabTo(page, /Write a comment/);
    await page.keyboard.type('By keys');
    await tabTo(page, /^button Post/);
    await page.keyboard.press('Enter');
    const own = page.getByRole('article').filter({ hasText: 'By keys' });
    await own.waitFor();
    await tabTo(page, /^button Delete/);
    await page.keyboard.press('Enter');
    await page.locator('dialog[open]').waitFor();
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);
    await own.waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(`**/photos/${ids[7]}`);
    // Waits for the details of the photo, which appear a moment later.
    await page.getByRole('button', { name: 'Edit details' }).waitFor();
    await tabTo(page, /^button Edit details/);
    await page.keyboard.press('Delete');
    await page.waitForURL(`**/photos/${ids[6]}`);
    await untilFocused(page, '.pswp');
    await page
      .getByRole('region', { name: 'Status messages' })
      .getByRole('button', { name: 'Undo' })
      .waitFor();
    await tabTo(page, /^button Undo/);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/photos/${ids[7]}`);
    await page.keyboard.press('Escape');
    await page.waitForURL(`${gallery.url}/`);
    await untilFocused(page, `.tile[data-id="${ids[7]}"]`);
    await leave(page);
  });

  test('the keyboard starts and cancels a report of a photo', async () => {
    const page = await open(`/photos/${bens}`);
    await page.keyboard.press('i');
    await page.getByRole('button', { name: 'Report this photo' }).waitFor();
    await tabTo(page, /^button Report this photo/);
    await page.keyboard.press('Enter');
    await page.getByRole('form', { name: 'Report' }).waitFor();
    await page.keyboard.press('Escape');
    await untilFocused(page, '[data-opens=report]');
    await leave(page);
  });

  test('the keyboard searches by a suggestion, and removes the filter', async () => {
    const page = await open('/');
    await tabTo(page, /Search/);
    await page.keyboard.type('wint');
    const option = page.getByRole('option', { name: /winter/ });
    await option.first().waitFor();
    while ((await page.locator('[role=option][aria-selected=true]', { hasText: 'winter' }).count()) === 0) {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=tag:winter');
    await tabTo(page, /Remove filter: Tag winter/);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.search.includes('winter'));
    await leave(page);
  });

  test('the keyboard opens an album and its menu, and changes the order', async () => {
    const page = await open(`/albums/${album}`);
    await assertDialog(page, /^button Share/);
    const items = ['Edit details', 'Move album…', 'Change cover', 'Delete album'];
    for (const [n, item] of items.entries()) {
      await tabTo(page, /^button Album options/);
      await page.keyboard.press('Enter');
      await tabTo(page, new RegExp(`menuitem ${item}`), 'ArrowDown');
      await page.keyboard.press('Enter');
      await assertOver(page, 'button Album options', n === 0);
    }
    await tabTo(page, /Photo 0/);
    await page.locator('[data-spot]').first().waitFor({ state: 'attached' });
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await page.keyboard.press('Alt+Shift+ArrowRight');
    await saved;
    assert.match(await focused(page), /Photo 0/);
    await leave(page);
  });

  test('the keyboard selects photos, answers questions, and returns', async () => {
    const page = await open('/', { width: 1440, height: 844 });
    await moveToTile(page, /Photo 8/);
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('x');
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByText('2 selected').waitFor();
    const stops = await assertReached(page, 'selection');
    assert.ok(!stops.includes('button Account'), 'it lies under the bar');
    await assertDialog(page, /^button Tag/);
    await assertDialog(page, /^button Edit details/, { isBackToo: false });
    await assertDialog(page, /^button Add to album/, { content: 'Alps' });
    await tabTo(page, /Clear selection/);
    await page.keyboard.press('Enter');
    await untilFocused(page, `.tile[data-id="${ids[7]}"]`);
    await page.keyboard.press('x');
    await bar.waitFor();
    await page.keyboard.press('Delete');
    await bar.waitFor({ state: 'detached' });
    await untilFocused(page, `.tile[data-id="${ids[6]}"]`);
    await tabTo(page, /^button Undo/);
    await page.keyboard.press('Enter');
    await page.locator(`.tile[data-id="${ids[7]}"]`).waitFor();
    await leave(page);
  });

  test('the upload panel gets the focus as soon as photos were chosen', async () => {
    const page = await open('/');
    // Waits for the file chooser early, because the browser learns on another channel that file choosers are
    // intercepted.
    const chooser = page.waitForEvent('filechooser');
    await tabTo(page, /^button Upload/);
    await page.keyboard.press('Enter');
    const buffer = await createJpeg({ width: 321, height: 200, colour: 'red' });
    await (await chooser).setFiles([{ name: 'red.jpg', mimeType: 'image/jpeg', buffer }]);
    await untilFocused(page, 'aside');
    await assertReached(page, 'upload');
    await tabTo(page, /^button Upload 1 photo/);
    await page.keyboard.press('Enter');
    await untilFocused(page, 'aside');
    await page.getByRole('link', { name: /red\.jpg/ }).waitFor();
    await tabTo(page, /^button Close/);
    await page.keyboard.press('Enter');
    await page.locator('aside').waitFor({ state: 'detached' });
    await leave(page);
  });

  test('the keyboard crops, adds steps and saves in the editor', async () => {
    const page = await open(`/photos/${ids[5]}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await tabTo(page, /^button Edit$/);
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Edit steps' }).waitFor();
    await assertReached(page, 'editor');
    await tabTo(page, /Left edge/);
    for (let n = 0; n < 5; n++) await page.keyboard.press('ArrowRight');
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await tabTo(page, /^button Save/);
    await page.keyboard.press('Enter');
    assert.equal((await saved).status(), 200);
    await page.getByRole('dialog', { name: 'Edit photo' }).waitFor({ state: 'detached' });
    await leave(page);
  });

  test('a popover closes when Tab leaves the popover', async () => {
    const page = await open('/');
    for (const [opener, id] of [
      [/^button Notifications/, 'notifications'],
      [/^button Account/, 'account'],
    ] as const) {
      await tabTo(page, opener);
      await page.keyboard.press('Enter');
      const popover = page.locator(`#${id}:popover-open`);
      await popover.locator('a').first().waitFor();
      await assertReached(page, id);
      await popover.waitFor({ state: 'detached' });
    }
    await leave(page);
  });

  test('the keyboard decides the reports of an admin', async () => {
    const page = await open('/admin/reports');
    await page.getByRole('button', { name: 'Remove' }).waitFor();
    await assertDialog(page, /^button Remove/);
    assert.deepEqual(await moved(page), []);
    await page.goto(`${gallery.url}/admin/users`, { waitUntil: 'networkidle' });
    const acts = ['Set quota', 'Disable account', 'Password reset link', 'Delete account'];
    for (const [n, act] of acts.entries()) {
      await tabTo(page, /^button Actions for ben/);
      await page.keyboard.press('Enter');
      await tabTo(page, new RegExp(`menuitem ${act}`), 'ArrowDown');
      await page.keyboard.press('Enter');
      await assertOver(page, 'button Actions for ben', n === 0);
    }
    await leave(page);
  });
});
