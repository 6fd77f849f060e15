/**
 * Tests ordering the photos of an album in a real browser: by mouse, by keyboard, by menu, and while another
 * user changes the order.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRead } from '../support/assert-answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { asVisitor, type Person, register } from '../support/people.ts';
import { addLetteredAlbum, assertOrder as assertKept, readOrder } from './lettered-album.ts';
import { assertAccessible, inEveryLook, openTab, signInAs, withoutWeb } from './steps.ts';

describe("an album's order", { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    browser = await openBrowser();
    const { page } = await openTab(browser, gallery, '/sign-in');
    await signInAs(page, 'ann');
    await page.close();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const addAlbum = (name: string, isPublic = 1) => addLetteredAlbum(ann, name, isPublic);
  const tile = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const shown = (page: Page) =>
    page.$$eval('.tile[data-id] img', (all) => all.map((one) => (one as HTMLImageElement).alt).join(''));
  const waitForOrder = (id: number) => readOrder(ann, id);
  const orders = (calls: string[]) => calls.filter((call) => call.startsWith('PUT'));

  const assertOrder = (page: Page, id: number, order: string) => assertKept(page, ann, id, order);

  /** Drags a photo and holds it over the left part of another photo. */
  async function drag(page: Page, name: string, over: string): Promise<void> {
    await tile(page, name).hover();
    await page.locator(`.tile[draggable=true] img[alt="${name}"]`).waitFor();
    const to = (await tile(page, over).boundingBox())!;
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 6 });
    await page.mouse.move(to.x + 12, to.y + to.height / 2, { steps: 4 });
  }

  test('dragging a photo opens a gap, and the photo stays there after a reload', async () => {
    const { id } = await addAlbum('By hand');
    const { page, calls, complaints } = await openTab(browser, gallery, `/albums/${id}`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await tile(page, 'F').waitFor();
    calls();
    await drag(page, 'E', 'B');
    await page.locator('[data-gap]').waitFor();
    assert.equal(await page.locator('[data-gap]').count(), 1);
    await page.mouse.up();
    await assertOrder(page, id, 'AEBCDF');
    assert.equal(await page.locator('[data-gap]').count(), 0);
    assert.deepEqual(calls(), [
      `GET /api/albums/${id}/photos?page=1&limit=100`,
      `PUT /api/albums/${id}/order`,
    ]);
    assert.equal(new URL(page.url()).pathname, `/albums/${id}`);
    await page.reload();
    await tile(page, 'F').waitFor();
    assert.equal(await shown(page), 'AEBCDF');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('keys move a photo to the start, the end and by steps as one move, and the focus stays', async () => {
    const { id } = await addAlbum('By keys');
    const { page, calls } = await openTab(browser, gallery, `/albums/${id}`);
    await tile(page, 'B').focus();
    await page.locator('[data-spot]').waitFor({ state: 'attached' });
    calls();
    // Controls the page's clock, because a busy machine may take longer for a key press than the page waits
    // for the next one.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1000);
    for (let n = 0; n < 3; n++) {
      await page.keyboard.press('Alt+Shift+ArrowRight');
      await page.clock.runFor(100);
    }
    await page.clock.resume();
    await assertOrder(page, id, 'ACDEBF');
    assert.equal(orders(calls()).length, 1);
    assert.equal(await page.evaluate(() => document.activeElement?.querySelector('img')?.alt), 'B');
    await page.keyboard.press('Alt+Shift+Home');
    await assertOrder(page, id, 'BACDEF');
    await tile(page, 'C').focus();
    await page.keyboard.press('Alt+Shift+End');
    await assertOrder(page, id, 'BADEFC');
    assert.equal(orders(calls()).length, 2);
    await page.close();
  });

  test('the menu stays at the focused photo while the page moves under a resting mouse', async () => {
    const { id } = await addAlbum('At rest');
    const { page } = await openTab(browser, gallery, `/albums/${id}`);
    await page.setViewportSize({ width: 800, height: 500 });
    const menuButton = (name: string) => page.getByRole('button', { name: `Options for ${name}` });
    await tile(page, 'F').hover();
    await menuButton('F').waitFor();
    await tile(page, 'B').focus();
    await menuButton('B').waitFor();
    await page.evaluate(async () => {
      const over = new Promise((resolve) => window.addEventListener('pointerover', resolve, { once: true }));
      window.scrollTo(0, window.scrollY > 0 ? 0 : document.documentElement.scrollHeight);
      await over;
      await new Promise(requestAnimationFrame);
    });
    assert.equal(await menuButton('B').count(), 1);
    await tile(page, 'C').hover();
    await menuButton('C').waitFor();
    await page.close();
  });

  test("saves a photo's move that was made just before the page closes", async () => {
    const { id } = await addAlbum('In a hurry');
    const { page, complaints } = await openTab(browser, gallery, `/albums/${id}`);
    await tile(page, 'B').focus();
    await page.locator('[data-spot]').waitFor({ state: 'attached' });
    await page.keyboard.press('Alt+Shift+End');
    await page.keyboard.press('Alt+Shift+ArrowLeft');
    await page.goto(`${gallery.url}/docs`);
    await eventually(async () => assert.equal(await waitForOrder(id), 'ACDEBF'));
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a menu opened by key moves a photo to the start, to the cover, out of the album and back', async () => {
    const { id, photos } = await addAlbum('By menu');
    const { page, complaints } = await openTab(browser, gallery, `/albums/${id}`);
    const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
    const openMenu = async (name: string) => {
      await tile(page, name).focus();
      await page.getByRole('button', { name: `Options for ${name}` }).waitFor();
      await page.keyboard.press('m');
      await item('Move to start').waitFor();
    };
    await openMenu('D');
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await item('Move to start').click();
    await assertOrder(page, id, 'DABCEF');
    await openMenu('A');
    await item('Use as cover').click();
    await page.getByText('Cover updated.').waitFor();
    const { thumb } = (await ann.get(`/api/photos/${photos.A}`)).body.data;
    const { cover } = (await ann.get(`/api/albums/${id}`)).body.data;
    assert.equal(cover.split('?')[0], thumb.split('?')[0]);
    await openMenu('B');
    await item('Remove from album').click();
    await assertOrder(page, id, 'DACEF');
    assert.equal((await ann.get(`/api/photos/${photos.B}`)).body.data.album, null);
    await page.getByRole('button', { name: 'Undo' }).click();
    await assertOrder(page, id, 'DABCEF');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('keeps a photo hidden that leaves a private album, and restores album and level by undo', async () => {
    const { id, photos } = await addAlbum('Hidden', 0);
    const { page } = await openTab(browser, gallery, `/albums/${id}`);
    const photoNow = async () => {
      const { album, visibility, effective_visibility } = assertRead(
        await ann.get(`/api/photos/${photos.A}`),
      );
      return { album: album?.id ?? null, visibility, effective_visibility };
    };
    await tile(page, 'A Private').focus();
    await page.getByRole('button', { name: 'Options for A' }).waitFor();
    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: 'Remove from album' }).click();
    await assertOrder(page, id, 'BCDEF');
    const hidden = { visibility: 'private', effective_visibility: 'private' };
    assert.deepEqual(await photoNow(), { album: null, ...hidden });
    assert.equal((await asVisitor(gallery).get(`/api/photos/${photos.A}`)).status, 403);
    await page.getByRole('button', { name: 'Undo' }).click();
    await assertOrder(page, id, 'ABCDEF');
    await eventually(async () =>
      assert.deepEqual(await photoNow(), { ...hidden, album: id, visibility: 'public' }),
    );
    await page.close();
  });

  test('keeps the moves of two windows, and the later window shows both moves', async () => {
    const { id } = await addAlbum('Two windows');
    const one = await openTab(browser, gallery, `/albums/${id}`);
    await tile(one.page, 'F').waitFor();
    const other = await openTab(browser, gallery, `/albums/${id}`);
    await tile(other.page, 'F').focus();
    await other.page.locator('[data-spot]').waitFor({ state: 'attached' });
    await other.page.keyboard.press('Alt+Shift+Home');
    await assertOrder(other.page, id, 'FABCDE');
    await other.page.close();
    assert.equal(await shown(one.page), 'ABCDEF');
    await tile(one.page, 'B').focus();
    await one.page.locator('[data-spot]').waitFor({ state: 'attached' });
    await one.page.keyboard.press('Alt+Shift+ArrowRight');
    await one.page.getByText('The order was changed elsewhere.').waitFor();
    await assertOrder(one.page, id, 'FACBDE');
    await one.page.close();
  });

  test('reports a photo that was moved elsewhere and an album that was deleted, and shows the state', async () => {
    const { id, photos } = await addAlbum('Elsewhere');
    const { page } = await openTab(browser, gallery, `/albums/${id}`);
    await tile(page, 'C').focus();
    await page.locator('[data-spot]').waitFor({ state: 'attached' });
    await ann.put(`/api/photos/${photos.C}`, { album_id: 0 });
    await page.keyboard.press('Alt+Shift+Home');
    await page
      .getByRole('region', { name: 'Status messages' })
      .getByText('This photo or the one next to it was removed')
      .waitFor();
    await assertOrder(page, id, 'ABDEF');
    await ann.delete(`/api/albums/${id}`);
    await tile(page, 'B').focus();
    await page.keyboard.press('Alt+Shift+Home');
    await page.getByRole('heading', { name: 'Album not found' }).waitFor();
    await page.close();
  });

  test('others cannot sort an album: they have no menu, no keys and no drag', async () => {
    const { id } = await addAlbum('Not theirs');
    await browser.context.clearCookies();
    const { page, calls } = await openTab(browser, gallery, `/albums/${id}`);
    await tile(page, 'B').hover();
    await tile(page, 'B').focus();
    await page.keyboard.press('Alt+Shift+Home');
    await page.keyboard.press('m');
    assert.equal(await page.locator('[data-spot]').count(), 0);
    assert.equal(await page.locator('.tile[draggable=true]').count(), 0);
    assert.equal(await shown(page), 'ABCDEF');
    assert.deepEqual(calls(), []);
    await page.close();
  });
});
