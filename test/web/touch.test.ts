/**
 * Tests touch only, like on a phone: order and cover of an album, removing photos from it, and swipe and zoom
 * in the viewer.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRead } from '../support/assert-answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { createFingers, type Point } from './fingers.ts';
import { addLetteredAlbum, assertOrder as assertKept, readOrder } from './lettered-album.ts';
import { assertAccessible, openTab, signIn, withoutWeb } from './steps.ts';

const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };

describe('by touch', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    browser = await openBrowser(phone);
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const addAlbum = (name: string, isPublic = 1) => addLetteredAlbum(ann, name, isPublic);
  const tile = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
  const waitForOrder = (id: number) => readOrder(ann, id);
  const assertOrder = (page: Page, id: number, order: string) => assertKept(page, ann, id, order);
  async function findMiddle(page: Page, name: string): Promise<Point> {
    const { x, y, width, height } = (await tile(page, name).boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  }
  /** Holds a finger on a photo until the photo is selected. */
  async function hold(page: Page, name: string): Promise<void> {
    const fingers = await createFingers(page);
    await fingers.down(await findMiddle(page, name));
    await page.locator(`.tile[data-selected]:has(img[alt="${name}"])`).waitFor();
    await fingers.up();
  }
  async function openMenu(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: `Options for ${name}` }).tap();
    await item(page, 'Move to start').waitFor();
  }

  test("a finger that rests on an album's photo opens the menu with order, cover and removal", async () => {
    const { id, photos } = await addAlbum('By touch');
    const { page, complaints } = await openTab(browser, gallery, `/albums/${id}`);
    await page.locator('[data-check]').first().waitFor({ state: 'attached' });
    await hold(page, 'D');
    await openMenu(page, 'D');
    await assertAccessible(page, 'menu');
    await item(page, 'Move to start').tap();
    await assertOrder(page, id, 'DABCEF');
    await openMenu(page, 'D');
    await item(page, 'Move one later').tap();
    await assertOrder(page, id, 'ADBCEF');

    // Moves the photo to any position in one step.
    await openMenu(page, 'D');
    await item(page, 'Move to another position…').tap();
    await page.getByText('Choose the photo whose position this photo should take.').waitFor();
    await assertAccessible(page, 'choosing a place');
    await tile(page, 'E').tap();
    await assertOrder(page, id, 'ABCEDF');
    assert.equal(new URL(page.url()).pathname, `/albums/${id}`);
    assert.equal(await page.locator('.tile[data-selected]').count(), 1);

    await openMenu(page, 'D');
    await item(page, 'Move to another position…').tap();
    await page.getByRole('status').getByRole('button', { name: 'Cancel' }).tap();
    await openMenu(page, 'D');
    await item(page, 'Use as cover').tap();
    await page.getByText('Cover updated.').waitFor();
    const { thumb } = assertRead(await ann.get(`/api/photos/${photos.D}`));
    const { cover } = assertRead(await ann.get(`/api/albums/${id}`));
    assert.equal(cover.split('?')[0], thumb.split('?')[0]);

    await openMenu(page, 'D');
    await item(page, 'Remove from album').tap();
    await assertOrder(page, id, 'ABCEF');
    await page.getByRole('button', { name: 'Undo' }).tap();
    await assertOrder(page, id, 'ABCEDF');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the viewer sets the cover, and removes a photo from the album and back, by touch', async () => {
    const { id, photos } = await addAlbum('In the viewer', 0);
    const { page, complaints } = await openTab(browser, gallery, `/albums/${id}`);
    await tile(page, 'B Private').tap();
    const dialog = page.getByRole('dialog').first();
    const more = dialog.getByRole('button', { name: 'More', exact: true });
    const choose = async (name: string) => {
      await more.tap();
      await item(page, name).tap();
    };
    await dialog.getByText('2 of 6').waitFor();
    await dialog.locator('[role=menuitem][data-action=cover]').waitFor({ state: 'attached' });
    await choose('Use as cover');
    await page.getByText('Cover updated.').waitFor();
    const { thumb } = assertRead(await ann.get(`/api/photos/${photos.B}`));
    const { cover } = assertRead(await ann.get(`/api/albums/${id}`));
    assert.equal(cover.split('?')[0], thumb.split('?')[0]);

    await more.tap();
    // Checks the menu after the viewer has finished its opening animation.
    await assertAccessible(page, 'menu');
    await item(page, 'Remove from album').tap();
    await page.waitForURL(`**/albums/${id}/photos/${photos.C}`);
    await dialog.getByText('2 of 5').waitFor();
    await eventually(async () => assert.equal(await waitForOrder(id), 'ACDEF'));
    await page.getByRole('button', { name: 'Undo' }).tap();
    await page.waitForURL(`**/albums/${id}/photos/${photos.B}`);
    await dialog.getByText('2 of 6').waitFor();
    await eventually(async () => assert.equal(await waitForOrder(id), 'ABCDEF'));
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await assertOrder(page, id, 'ABCDEF');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('others have no album menu by touch, neither on the wall nor in the viewer', async () => {
    const { id } = await addAlbum('Not theirs');
    const other = await openBrowser(phone);
    try {
      await signIn(other, gallery, await register(gallery, 'ben'));
      const { page } = await openTab(other, gallery, `/albums/${id}`);
      await page.locator('[data-check]').first().waitFor({ state: 'attached' });
      await hold(page, 'B');
      await page.getByRole('region', { name: 'Selection' }).waitFor();
      assert.equal(await page.locator('[data-spot]').count(), 0);
      await page.getByRole('button', { name: 'Select: B' }).tap();
      await tile(page, 'B').tap();
      await page.getByRole('button', { name: 'More', exact: true }).tap();
      await item(page, 'Download').waitFor();
      assert.equal(await item(page, 'Use as cover').count(), 0);
    } finally {
      await other.close();
    }
  });

  test('swiping turns photos, two fingers zoom, and swiping down closes the viewer', async () => {
    const { id, photos } = await addAlbum('To look at');
    const fine = await createJpeg({ width: 3000, height: 2000, colour: 'teal' });
    const large = await addPhoto(ann, { title: 'Fine', album_id: String(id) }, fine);
    const { page, complaints } = await openTab(browser, gallery, `/albums/${id}/photos/${photos.F}`);
    const dialog = page.getByRole('dialog').first();
    await dialog.getByText('6 of 7', { exact: true }).waitFor();
    const fingers = await createFingers(page);
    const y = 420;
    const swipe = (from: number, to: number) =>
      fingers.move([
        [
          { x: from, y },
          { x: to, y },
        ],
      ]);
    await swipe(320, 40);
    await page.waitForURL(`**/albums/${id}/photos/${large.id}`);
    await dialog.getByText('7 of 7', { exact: true }).waitFor();
    await page.locator('.pswp--open img[alt="Fine"]').first().waitFor();
    const image = page.locator('[role=dialog] [aria-hidden=false] img[alt="Fine"]').first();
    const width = async () => (await image.boundingBox())!.width;
    await eventually(async () => assert.equal(Math.round(await width()), 390));

    await fingers.move([
      [
        { x: 180, y },
        { x: 90, y },
      ],
      [
        { x: 210, y },
        { x: 300, y },
      ],
    ]);
    await dialog.getByText(/^7 of 7 · \d+%$/).waitFor();
    await eventually(async () => assert.ok((await width()) > 700, `${await width()} px`));
    // A swipe moves a zoomed photo instead of showing the next one.
    const before = (await image.boundingBox())!.x;
    await swipe(200, 260);
    await eventually(async () => assert.ok((await image.boundingBox())!.x > before + 20));
    await dialog.getByText(/^7 of 7 · \d+%$/).waitFor();
    await fingers.move([
      [
        { x: 60, y },
        { x: 190, y },
      ],
      [
        { x: 330, y },
        { x: 200, y },
      ],
    ]);
    await dialog.getByText('7 of 7', { exact: true }).waitFor();
    await eventually(async () => assert.equal(Math.round(await width()), 390));
    await swipe(60, 340);
    await page.waitForURL(`**/albums/${id}/photos/${photos.F}`);
    // Swipes down, which closes the viewer.
    await fingers.move([
      [
        { x: 195, y: 300 },
        { x: 195, y: 700 },
      ],
    ]);
    await page.waitForURL(`**/albums/${id}`);
    await tile(page, 'F').waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('two fingers that move apart make the rows of a wall higher, and together lower', async () => {
    const { page } = await openTab(browser, gallery, '/');
    await page.locator('[data-check]').first().waitFor();
    const fingers = await createFingers(page);
    const y = 420;
    const pinch = (from: number, to: number) =>
      fingers.move([
        [
          { x: 195 - from, y },
          { x: 195 - to, y },
        ],
        [
          { x: 195 + from, y },
          { x: 195 + to, y },
        ],
      ]);
    const density = () => page.evaluate(() => document.documentElement.dataset.density);
    assert.equal(await density(), 'normal');
    await pinch(60, 100);
    await eventually(async () => assert.equal(await density(), 'comfortable'));
    await pinch(150, 60);
    await eventually(async () => assert.equal(await density(), 'compact'));
    assert.equal(await page.evaluate(() => window.visualViewport!.scale), 1);
    await page.close();
  });

  test('a double tap zooms in, and another double tap zooms out, repeatedly', async () => {
    const { id } = await addAlbum('To come near');
    const fine = await createJpeg({ width: 3000, height: 2000, colour: 'teal' });
    const large = await addPhoto(ann, { title: 'Fine', album_id: String(id) }, fine);
    const { page, complaints } = await openTab(browser, gallery, `/albums/${id}/photos/${large.id}`);
    const dialog = page.getByRole('dialog').first();
    await page.locator('.pswp--open img[alt="Fine"]').first().waitFor();
    const image = page.locator('[role=dialog] [aria-hidden=false] img[alt="Fine"]').first();
    const width = async () => Math.round((await image.boundingBox())!.width);
    const fingers = await createFingers(page);
    for (let turn = 0; turn < 3; turn++) {
      await eventually(async () => assert.equal(await width(), 390));
      await fingers.tapTwice({ x: 195, y: 420 });
      await dialog.getByText(/^7 of 7 · 100%$/).waitFor();
      await eventually(async () => assert.equal(await width(), 3000));
      await fingers.tapTwice({ x: 195, y: 420 });
      await dialog.getByText('7 of 7', { exact: true }).waitFor();
    }
    await eventually(async () => assert.equal(await width(), 390));
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
