/** Tests selecting photos of a wall in a real browser: by check mark, range, keyboard and finger. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRead } from '../support/assert-answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, addPhoto, type Person, register } from '../support/people.ts';
import {
  addMonths,
  assertAccessible,
  inEveryLook,
  openTab,
  signIn,
  type Tab,
  withoutWeb,
  years,
} from './steps.ts';

describe('a selection', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let bob: Person;
  /** Ids of photos, newest first, like on the wall. */
  let ids: number[];
  const [months, each] = [9, 15];

  before(async () => {
    gallery = await startGallery({ tokenTtl: years });
    ann = await register(gallery, 'ann');
    bob = await register(gallery, 'bob');
    ids = (await addMonths(gallery, ann, months, each)).reverse();
    browser = await openBrowser();
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const nth = (n: number) => `Photo ${months * each - 1 - n}`;
  const tile = (page: Page, name: string) => page.locator(`.tile:has(img[alt="${name}"])`);
  const check = (page: Page, name: string) =>
    page.getByRole('button', { name: `Select: ${name}`, exact: true });
  const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });
  const selected = (page: Page, text: string) => bar(page).getByText(text, { exact: true });
  const act = (page: Page, name: string) => bar(page).locator(`[data-action="${name}"]:visible`);
  const toast = (page: Page, text: string | RegExp) =>
    page.getByRole('region', { name: 'Status messages' }).getByText(text);
  const tagged = async (tag: string): Promise<number[]> =>
    assertRead(await ann.get(`/api/photos?tag=${tag}&sort=taken_time&limit=100`)).list.map(
      ({ id }: { id: number }) => id,
    );

  const openWall = async (path = '/'): Promise<Tab> => {
    const tab = await openTab(browser, gallery, path);
    await tab.page.setViewportSize({ width: 1440, height: 844 });
    return tab;
  };
  const start = async (page: Page, name: string) => {
    await tile(page, name).hover();
    await check(page, name).click();
    await selected(page, '1 selected').waitFor();
  };
  const toEnd = async (page: Page) => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForSelector('img[alt="Photo 0"]');
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  };

  test('the selection loads no code before it starts, and does not exist without an account', async () => {
    const { page, calls } = await openWall();
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    await page.reload();
    await tile(page, nth(0)).waitFor();
    assert.equal(
      scripts.some((url) => url.includes('/assets/selection-')),
      false,
    );
    const loaded = page.waitForRequest((request) => request.url().includes('/assets/selection-'));
    await check(page, nth(0)).hover();
    await loaded;
    calls();
    await start(page, nth(0));
    assert.deepEqual(calls(), []);
    await page.close();
    const stranger = await openBrowser();
    const other = await openTab(stranger, gallery);
    await tile(other.page, nth(0)).waitFor();
    assert.equal(await other.page.locator('[data-check]').count(), 0);
    await stranger.close();
  });

  test('the selection adds a tag across months with Shift, and undo keeps a tag that a photo had', async () => {
    await ann.put(`/api/photos/${ids[3]}`, { tags: ['alps'] });
    const { page, calls, complaints } = await openWall();
    await start(page, nth(1));
    await toEnd(page);
    await selected(page, '1 selected').waitFor();
    calls();
    const last = nth(ids.length - 1);
    await tile(page, last).click({ modifiers: ['Shift'] });
    await selected(page, `${ids.length - 1} selected`).waitFor();
    assert.deepEqual(calls(), []);
    assert.equal(await tile(page, last).getAttribute('data-selected'), 'true');

    await page.keyboard.press('t');
    const dialog = page.getByRole('dialog', { name: `Tag ${ids.length - 1} photos` });
    await dialog.getByLabel('Tags').fill('alps, winter');
    await assertAccessible(page, 'tag');
    await dialog.getByRole('button', { name: 'Add tags' }).click();
    await toast(page, `${ids.length - 1} photos tagged.`).waitFor();
    assert.equal((await tagged('winter')).length, 100);
    await page.keyboard.press('Control+z');
    await toast(page, 'Undone.').waitFor();
    assert.deepEqual(await tagged('winter'), []);
    assert.deepEqual(await tagged('alps'), [ids[3]]);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a selected range over unloaded months loads exactly the photos of the range', async () => {
    const { page, calls } = await openWall();
    await start(page, nth(0));
    await tile(page, nth(0)).focus();
    await page.keyboard.press('End');
    const last = tile(page, nth(ids.length - 1));
    await last.and(page.locator(':focus')).waitFor();
    calls();
    await page.keyboard.press('Shift+x');
    await selected(page, `${ids.length} selected`).waitFor();
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });
    assert.equal(await page.locator('[data-selected]').count(), 0);
    await page.close();
  });

  test('a range in a list that has changed selects nothing and shows a message', async () => {
    const { page } = await openWall();
    await start(page, nth(0));
    const fresh = await addPhoto(ann, { title: 'In between' });
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForSelector('img[alt="Photo 1"]');
    await tile(page, nth(ids.length - 2)).click({ modifiers: ['Shift'] });
    await toast(page, /in this list changed/).waitFor();
    await selected(page, '1 selected').waitFor();
    assert.equal(await page.locator('.tile[data-selected]').count(), 0, 'the selected tile is far above');
    await ann.delete(`/api/photos/${fresh.id}`);
    await ann.delete(`/api/trash/${fresh.id}`);
    await page.close();
  });

  test('arrow keys move, Space and x select, Ctrl+A selects all, and Esc ends the selection', async () => {
    const { page } = await openWall();
    await tile(page, nth(0)).focus();
    await page.keyboard.press('ArrowRight');
    await tile(page, nth(1)).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Space');
    await selected(page, '1 selected').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await selected(page, '2 selected').waitFor();
    await page.keyboard.press('ArrowUp');
    await tile(page, nth(1)).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('x');
    await selected(page, '1 selected').waitFor();
    await page.keyboard.press('Control+a');
    await selected(page, `${ids.length} selected`).waitFor();
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Home');
    await tile(page, nth(0)).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.close();
  });

  test('moves to the trash at once and back by undo; sets who can see a photo, and undoes that', async () => {
    const { page, calls, complaints } = await openWall();
    await start(page, nth(0));
    await tile(page, nth(2)).click();
    await selected(page, '2 selected').waitFor();
    calls();
    await page.keyboard.press('Delete');
    await toast(page, '2 photos moved to the trash.').waitFor();
    await tile(page, nth(0)).waitFor({ state: 'detached' });
    assert.equal(await tile(page, nth(1)).count(), 1);
    await bar(page).waitFor({ state: 'detached' });
    assert.deepEqual(
      calls().map((call) => call.split('?')[0]),
      ['POST /api/photos/batch', 'GET /api/timeline', 'GET /api/photos'],
    );
    assert.equal(assertRead(await ann.get('/api/trash')).pagination.total, 2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await tile(page, nth(0)).waitFor();
    await tile(page, nth(2)).waitFor();
    assert.equal(assertRead(await ann.get('/api/trash')).pagination.total, 0);
    await start(page, nth(4));
    await act(page, 'visibility').click();
    const dialog = page.getByRole('dialog', { name: 'Visibility of 1 photo' });
    await dialog.getByLabel('Only me').check();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await toast(page, '1 photo set to “Only me”.').waitFor();
    assert.equal(assertRead(await ann.get(`/api/photos/${ids[4]}`)).visibility, 'private');
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () =>
      assert.equal(assertRead(await ann.get(`/api/photos/${ids[4]}`)).visibility, 'public'),
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the selection can be described, put into an old or new album, and downloaded as a ZIP', async () => {
    const album = await addAlbum(ann, 'Alps');
    const { page } = await openWall();
    await start(page, nth(5));
    await tile(page, nth(6)).click();
    await act(page, 'describe').click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Twins');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, '2 photos updated.').waitFor();
    await act(page, 'album').click();
    await page.getByRole('dialog').getByRole('button', { name: /^Alps/ }).click();
    await toast(page, '2 photos added to “Alps”.').waitFor();
    assert.deepEqual((await inAlbum(album)).sort(), [ids[6], ids[5]].sort());
    await act(page, 'album').click();
    await page.getByRole('dialog').getByRole('button', { name: 'New album' }).click();
    await page.getByLabel('Album name').fill('Peaks');
    await page.getByRole('button', { name: 'Create album' }).click();
    await toast(page, '2 photos added to “Peaks”.').waitFor();
    assert.equal((await inAlbum(album)).length, 2);
    const download = page.waitForEvent('download');
    await act(page, 'archive').click();
    assert.match((await download).suggestedFilename(), /\.zip$/);
    for (const id of [ids[5], ids[6]]) await ann.put(`/api/photos/${id}`, { title: '', album_id: null });
    await page.close();
  });

  const inAlbum = async (album: number): Promise<number[]> =>
    assertRead(await ann.get(`/api/albums/${album}/photos`)).list.map(({ id }: { id: number }) => id);

  test("the selection offers allowed actions for others' photos, and explains failures", async () => {
    const theirs = (await addPhoto(bob, { title: 'Theirs' })).id;
    const own = (await addPhoto(ann, { title: 'Own' })).id;
    const { page } = await openWall();
    await start(page, 'Theirs');
    assert.equal(await act(page, 'tag').count(), 0);
    assert.equal(await act(page, 'delete').count(), 0);
    await tile(page, 'Own').click();
    assert.equal(await act(page, 'delete').count(), 0);
    await bob.delete(`/api/photos/${theirs}`);
    await act(page, 'favorite').click();
    await toast(page, '1 of 2 photos couldn’t be changed: The photo does not exist.').waitFor();
    await toast(page, '1 photo added to favorites.').waitFor();
    assert.equal(assertRead(await ann.get(`/api/photos/${own}`)).is_favorited, true);
    await page.close();
  });

  test('a resting finger starts the selection, and leaving the list ends the selection', async () => {
    const { page } = await openWall();
    await page.setViewportSize({ width: 390, height: 844 });
    await tile(page, nth(0)).waitFor();
    await page.evaluate((id) => {
      const target = document.querySelector(`.tile[data-id="${id}"]`)!;
      const { x, y } = target.getBoundingClientRect();
      const at = { bubbles: true, pointerType: 'touch', clientX: x + 20, clientY: y + 20 };
      target.dispatchEvent(new PointerEvent('pointerdown', at));
    }, ids[0]);
    await selected(page, '1 selected').waitFor();
    await page.evaluate((id) => {
      const target = document.querySelector<HTMLElement>(`.tile[data-id="${id}"]`)!;
      target.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, pointerType: 'touch' }));
      target.click();
    }, ids[0]);
    await selected(page, '1 selected').waitFor();
    await bar(page).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Tag' }).waitFor();
    await assertAccessible(page, 'menu');
    await page.keyboard.press('Escape');
    await page.goto(`${gallery.url}/favorites`);
    await page.goBack();
    await tile(page, nth(0)).waitFor();
    assert.equal(await bar(page).count(), 0);
    await page.close();
  });

  test('axe finds nothing while photos are selected', async () => {
    const { page } = await openWall();
    await start(page, nth(0));
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.close();
  });
});
