/** Tests the months of a wall: headings, selecting a month, the rail, the density, the top, and a fling. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { addMonths, openTab, signIn, withoutWeb, years } from './steps.ts';

const [months, each] = [30, 9];

describe('the months of a wall', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;

  before(async () => {
    gallery = await startGallery({ tokenTtl: years });
    ann = await register(gallery, 'ann');
    await addMonths(gallery, ann, months, each);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  async function openWall(): Promise<Page> {
    await browser.context.clearCookies();
    await signIn(browser, gallery, ann);
    const { page } = await openTab(browser, gallery);
    await page.locator('.wall-count').first().waitFor();
    return page;
  }

  test('no heading crosses a year, and each tells how many photos are below it', async () => {
    const page = await openWall();
    const headings = await page.locator('.wall-heading').allInnerTexts();
    for (const heading of headings) assert.equal(heading.match(/\b20\d\d\b/g)?.length, 1, heading);
    const counts = await page.locator('.wall-count').allInnerTexts();
    assert.ok(
      counts.every((count) => Number(count) % each === 0 && Number(count) > 0),
      counts.join(),
    );
    await page.close();
  });

  test('a button selects all photos of a month, and a second press takes them out again', async () => {
    const page = await openWall();
    const count = Number(await page.locator('.wall-count').first().innerText());
    const button = page.getByRole('button', { name: /^Select all photos of / }).first();
    await button.click();
    await page.waitForFunction((n) => document.querySelectorAll('.tile[data-selected]').length === n, count);
    await button.click();
    await page.waitForFunction(() => document.querySelectorAll('.tile[data-selected]').length === 0);
    await page.close();
  });

  test('a click on a year of the rail puts its first month below the bar', async () => {
    const page = await openWall();
    const year = page.locator('[data-year]').nth(1);
    const name = await year.getAttribute('data-year');
    await year.click();
    await page.waitForFunction((name) => {
      const [first] = [...document.querySelectorAll('.wall-heading')].filter(
        (heading) => heading.parentElement!.getBoundingClientRect().bottom > 120,
      );
      return first?.textContent?.includes(name!) && first.getBoundingClientRect().top < 120;
    }, name);
    await page.close();
  });

  test('the rows have three densities, and the browser remembers the last one', async () => {
    const page = await openWall();
    const count = () =>
      page
        .locator('.tile[data-id]')
        .evaluateAll(
          (tiles) => tiles.filter((tile) => tile.getBoundingClientRect().top < window.innerHeight).length,
        );
    const normal = await count();
    await page.getByRole('button', { name: /^Rows: medium/ }).click();
    await page.getByRole('button', { name: /^Rows: small/ }).waitFor();
    await page.waitForFunction(
      (normal) =>
        [...document.querySelectorAll('.tile[data-id]')].filter(
          (tile) => tile.getBoundingClientRect().top < window.innerHeight,
        ).length > normal,
      normal,
    );
    await page.reload();
    await page.getByRole('button', { name: /^Rows: small/ }).click();
    await page.getByRole('button', { name: /^Rows: large/ }).click();
    await page.getByRole('button', { name: /^Rows: medium/ }).waitFor();
    await page.close();
  });

  test('a reload at the top stays at the top, although newer photos have arrived', async () => {
    const page = await openWall();
    await page.mouse.wheel(0, 900);
    await page.waitForFunction(() => window.scrollY > 500);
    await page.mouse.wheel(0, -2000);
    await page.waitForFunction(() => window.scrollY === 0);
    await page.waitForTimeout(500);
    for (let n = 0; n < 12; n++) {
      gallery.travel(1);
      await addPhoto(ann, { title: `New ${n}` }, await createJpeg({ width: 300 + n, height: 200 }));
    }
    await page.reload();
    await page.locator('img[alt="New 11"]').first().waitFor();
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => window.scrollY), 0);
    await page.close();
  });

  test('a fling leaves no request of an image behind that nobody sees', async () => {
    const page = await openWall();
    await page.waitForLoadState('networkidle');
    const pending = new Set<string>();
    page.on('request', (request) => request.resourceType() === 'image' && pending.add(request.url()));
    page.on('requestfailed', (request) => pending.delete(request.url()));
    page.on('requestfinished', (request) => pending.delete(request.url()));
    // Images that never arrive stand for a slow network.
    await page.route(/\/storage\//, () => {});
    for (let step = 0; step < 40; step++) {
      await page.mouse.wheel(0, 1500);
      await page.waitForTimeout(16);
    }
    await page.waitForTimeout(1500);
    const tiles = await page.locator('.tile[data-id] img[src]').count();
    assert.ok(tiles > 0 && pending.size <= tiles, `${pending.size} requests for ${tiles} tiles`);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.close();
  });

  test('the notice for dropped files covers the window', async () => {
    const page = await openWall();
    await page.mouse.wheel(0, 900);
    await page.waitForFunction(() => window.scrollY > 500);
    const dataTransfer = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['x'], 'a.jpg', { type: 'image/jpeg' }));
      return transfer;
    });
    await page.dispatchEvent('main', 'dragenter', { dataTransfer });
    const notice = page.getByText('Drop photos to upload');
    await notice.waitFor();
    const box = await notice.evaluate((element) => element.parentElement!.getBoundingClientRect().toJSON());
    const view = page.viewportSize()!;
    assert.deepEqual([box.x, box.y, box.height], [0, 0, view.height]);
    await page.close();
  });
});
