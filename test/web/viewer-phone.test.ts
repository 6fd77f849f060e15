/** Tests the viewer on a phone: actions near the thumb, swipes for the information, and the page below. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addComment } from '../support/moderation.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { createFingers } from './fingers.ts';
import { assertAccessible, openTab, signIn, withoutWeb } from './steps.ts';

const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
const title = 'An evening at the lake, seen from the old village';

describe('the viewer on a phone', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let lake: number;
  let foreign: number;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    const ben = await register(gallery, 'ben');
    foreign = (await addPhoto(ben, { title: 'By ben' })).id;
    lake = (await addPhoto(ann, { title })).id;
    await ben.post(`/api/photos/${lake}/like`, { liked: true });
    for (const text of ['What a light', 'Where is it?']) await addComment(ben, lake, text);
    browser = await openBrowser(phone);
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const panel = (page: Page) => page.getByRole('complementary', { name: 'Information' });
  const readActions = (page: Page) =>
    page
      .locator('.pswp button[data-action]:not([role])')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.action));
  async function swipe(page: Page, from: number, to: number): Promise<void> {
    const fingers = await createFingers(page);
    await fingers.move([
      [
        { x: 195, y: from },
        { x: 195, y: to },
      ],
    ]);
  }

  test('the actions stand at the bottom, with numbers, and others are in the menu with the trash last', async () => {
    const { page, complaints } = await openTab(browser, gallery, `/photos/${lake}`);
    await page.getByRole('button', { name: 'Like 1' }).waitFor();
    await page.getByRole('button', { name: 'Comments 2' }).waitFor();
    assert.deepEqual(await readActions(page), ['share', 'favorite', 'like', 'comment', 'info']);
    const { y } = (await page.getByRole('button', { name: 'Share' }).boundingBox())!;
    assert.ok(y > 750, `the row stands at ${y} px`);
    const text = page.getByRole('dialog').getByText(title);
    const { width } = (await text.first().boundingBox())!;
    assert.ok(width > 300, `the title has ${width} px`);
    await page.getByRole('button', { name: 'More', exact: true }).tap();
    const items = page.locator('[popover]:popover-open').getByRole('menuitem');
    assert.deepEqual((await items.allTextContents()).slice(0, 2), ['Add to albumA', 'EditE']);
    assert.match((await items.allTextContents()).at(-1)!, /^Move to trash/);
    await assertAccessible(page, 'the menu');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('actions that a photo of another user lacks are switched off and stay in their places', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${foreign}`);
    await page.getByRole('button', { name: 'Like', exact: true }).waitFor();
    await page.setViewportSize({ width: 1200, height: 844 });
    await page.locator('[data-action=edit]:disabled').waitFor();
    const placesOfForeign = await readPlaces(page);
    await page.goto(`${gallery.url}/photos/${lake}`);
    await page.locator('[data-action=edit]:enabled').waitFor();
    assert.deepEqual(await readPlaces(page), placesOfForeign);
    await page.close();
  });
  const readPlaces = (page: Page) =>
    page
      .locator('.pswp button[data-action]:not([role])')
      .evaluateAll((all) =>
        all.map((one) => `${(one as HTMLElement).dataset.action} ${one.getBoundingClientRect().x}`),
      );

  test('a swipe up opens the information, a swipe down closes first the information, then the photo', async () => {
    const { page, complaints } = await openTab(browser, gallery);
    await page.getByRole('link', { name: title, exact: true }).tap();
    await page.getByRole('dialog', { name: title, exact: true }).waitFor();
    assert.equal(await page.locator('#app').evaluate((app) => (app as HTMLElement).inert), true);
    // The viewer ignores fingers until its opening animation has ended.
    await eventually(async () => {
      await swipe(page, 600, 350);
      assert.equal(await panel(page).count(), 1);
    });
    await assertAccessible(page, 'the panel');
    await swipe(page, 120, 330);
    await panel(page).waitFor({ state: 'detached' });
    // Chromium may ignore a tap that follows a swipe at once.
    await eventually(async () => {
      await page.getByRole('button', { name: 'Comments 2' }).tap();
      assert.equal(await panel(page).count(), 1);
    });
    await panel(page).getByRole('heading', { name: '2 comments' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Information' }).tap();
    await panel(page).waitFor({ state: 'detached' });
    await swipe(page, 300, 700);
    await page.waitForURL(`${gallery.url}/`);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.locator('#app').evaluate((app) => (app as HTMLElement).inert), false);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a tap hides the controls, and another tap shows the controls', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${lake}`);
    await page.getByRole('button', { name: 'Like 1' }).waitFor();
    await page.touchscreen.tap(195, 420);
    await page.locator('.pswp--ui-away').waitFor();
    await page.touchscreen.tap(195, 420);
    await page.locator('.pswp--open:not(.pswp--ui-away)').waitFor();
    await page.close();
  });
});
