/** Tests the viewer in a real browser: opening, moving on, closing, and returning to the same place. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { type Person, register } from '../support/people.ts';
import { addMonths, assertAccessible, inEveryLook, openTab, signIn, withoutWeb, years } from './steps.ts';

describe('the viewer', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let ids: number[];

  before(async () => {
    gallery = await startGallery({ tokenTtl: years });
    ann = await register(gallery, 'ann');
    ids = await addMonths(gallery, ann, 8, 15);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const dialog = (page: Page) => page.getByRole('dialog');
  /** Waits until the viewer shows the photo at the photo's URL. */
  async function untilShown(page: Page, number: number): Promise<void> {
    await page.waitForURL(`**/photos/${ids[number]}`);
    await dialog(page).getByText(`Photo ${number}`, { exact: true }).first().waitFor();
  }
  const untilClosed = (page: Page) => dialog(page).waitFor({ state: 'detached' });

  test('the viewer opens from the tile, turns with keys, and closes with Esc at the same place', async () => {
    const { page, complaints } = await openTab(browser, gallery);
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.waitForSelector('[role=slider]');
    await page.evaluate(() => window.scrollTo(0, 900));
    await page.waitForSelector('img[alt="Photo 90"]');
    const tile = page.getByRole('link', { name: 'Photo 90', exact: true });
    await tile.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const { y: before } = (await tile.boundingBox())!;
    await tile.click();
    await untilShown(page, 90);
    await page.keyboard.press('ArrowRight');
    await untilShown(page, 89);
    await page.keyboard.press('ArrowLeft');
    await untilShown(page, 90);
    await page.keyboard.press('Escape');
    await untilClosed(page);
    await page.waitForURL(`${gallery.url}/`);
    const { y: after } = (await tile.boundingBox())!;
    assert.ok(Math.abs(after - before) < 160, `${before} and ${after}: less than a row`);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("the browser's Back closes the viewer, and Forward opens the viewer again", async () => {
    const { page } = await openTab(browser, gallery);
    await page.getByRole('link', { name: 'Photo 119', exact: true }).click();
    await untilShown(page, 119);
    await page.goBack();
    await untilClosed(page);
    await page.waitForURL(`${gallery.url}/`);
    await page.goForward();
    await untilShown(page, 119);
    await page.close();
  });

  test('the viewer continues past the end of a page, and the wall follows', async () => {
    const { page, calls } = await openTab(browser, gallery, `/photos/${ids[22]}`);
    await untilShown(page, 22);
    for (let number = 21; number >= 18; number--) {
      await page.keyboard.press('ArrowRight');
      await untilShown(page, number);
    }
    await page.keyboard.press('Escape');
    await untilClosed(page);
    await page.waitForURL(`${gallery.url}/`);
    const { y } = (await page.getByRole('link', { name: 'Photo 18', exact: true }).boundingBox())!;
    assert.ok(y > -200 && y < 800, `the photo is at ${y} px`);
    const lists = calls().filter((one) => one.startsWith('GET /api/photos?'));
    assert.ok(lists.length <= 1, lists.join('\n'));
    await page.close();
  });

  test('a photo opened by its address is shown with its audience, and a missing photo says so', async () => {
    const { page, complaints } = await openTab(browser, gallery, `/photos/${ids[100]}`);
    await untilShown(page, 100);
    await page.keyboard.press('i');
    await page.getByText('Everyone').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    assert.deepEqual(complaints, []);
    await page.goto(`${gallery.url}/photos/999999`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Go to photos' }).click();
    await page.waitForURL(`${gallery.url}/`);
    await page.close();
  });

  test('dialogs stay above the panel of the viewer while the panel opens and closes', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${ids[101]}`);
    await untilShown(page, 101);
    await page.keyboard.press('i');
    await page.getByText('Everyone').waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const button = page.getByRole('button', { name: 'Information' });
    // Waits until the controls are hidden after a pause without movement. A movement shows them again, and a
    // click at the same moment must reach the button.
    await page.locator('.pswp--ui-away').waitFor();
    const isMet = await button.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    assert.ok(isMet);
    await button.click();
    await page.getByRole('complementary', { name: 'Information' }).waitFor({ state: 'detached' });
    await page.close();
  });

  test('keys set likes and favorites in the viewer, and visitors have no such buttons', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${ids[110]}`);
    await untilShown(page, 110);
    assert.equal(await page.getByRole('button', { name: 'Like' }).count(), 0);
    await signIn(browser, gallery, ann);
    await page.reload();
    await untilShown(page, 110);
    await page.getByRole('button', { name: 'Like' }).waitFor();
    await page.keyboard.press('l');
    await page.getByRole('button', { name: 'Unlike' }).waitFor();
    await page.keyboard.press('f');
    await page.getByRole('button', { name: 'Remove from favorites' }).waitFor();
    await eventually(async () => {
      const { body } = await ann.get(`/api/photos/${ids[110]}`);
      assert.equal(body.data.is_liked, true);
      assert.equal(body.data.is_favorited, true);
    });
    await page.reload();
    await page.getByRole('button', { name: 'Unlike' }).waitFor();
    await page.close();
    await browser.context.clearCookies();
  });

  test('a photo far down in a list without positions opens again after a reload', async () => {
    const ben = await register(gallery, 'ben');
    await ben.post('/api/users/ann/follow', { following: true });
    await signIn(browser, gallery, ben);
    const { page } = await openTab(browser, gallery, `/feed/photos/${ids[21]}`);
    await untilShown(page, 21);
    for (let number = 20; number >= 17; number--) {
      await page.keyboard.press('ArrowRight');
      await untilShown(page, number);
    }
    await dialog(page).getByText('103 of 120').waitFor();
    await page.reload();
    await untilShown(page, 17);
    await dialog(page).getByText('103 of 120').waitFor();
    await page.close();
    await browser.context.clearCookies();
  });
});
