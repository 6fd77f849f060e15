/**
 * Tests the wall of the home page in a real browser: without JavaScript, with it, over many months, and back.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { register } from '../support/people.ts';
import { addMonths, assertAccessible, inEveryLook, openTab, withoutWeb, years } from './steps.ts';

/** Position and size of each tile in the window. */
type Boxes = Record<string, { x: number; y: number; width: number; height: number }>;

describe('the wall', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  const [months, each] = [9, 15];

  before(async () => {
    gallery = await startGallery({ tokenTtl: years });
    await addMonths(gallery, await register(gallery, 'ann'), months, each);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const measureBoxes = (page: Page): Promise<Boxes> =>
    page.$$eval('.tile[data-id]', (tiles) =>
      Object.fromEntries(
        tiles.map((tile) => {
          const { x, y, width, height } = tile.getBoundingClientRect();
          return [(tile as HTMLElement).dataset.id!, { x, y, width, height }];
        }),
      ),
    );

  /**
   * Waits until scrolling rests and the wall has stored its position: the first photo that is completely
   * visible, and its offset.
   */
  const untilNoted = async (page: Page): Promise<{ id: string; y: number }> => {
    const noted = await page.waitForFunction(() => {
      const tiles = [...document.querySelectorAll<HTMLElement>('.tile[data-id]')];
      const first = tiles.find((tile) => tile.getBoundingClientRect().top >= 0);
      const text = sessionStorage.getItem(`lightwell-place:${history.state.__TSR_key}`) ?? '{}';
      const { id, offset } = JSON.parse(text);
      const y = first?.getBoundingClientRect().top ?? 0;
      return first?.dataset.id === String(id) && Math.abs(offset - y) < 1 && { id: String(id), y };
    });
    return (await noted.jsonValue()) as { id: string; y: number };
  };

  /** Waits until the visible tiles have loaded their images. */
  const untilLoaded = (page: Page) =>
    page.waitForFunction(() => {
      const tiles = [...document.querySelectorAll('.tile[data-id]')].filter((tile) => {
        const { top, bottom } = tile.getBoundingClientRect();
        return bottom > 0 && top < window.innerHeight;
      });
      const isThere = (tile: Element) => {
        const image = tile.querySelector('img');
        return image?.complete === true && image.naturalWidth > 0;
      };
      return tiles.length > 0 && tiles.every(isThere) && !document.querySelector('[data-waits]');
    });

  test('every photo of the wall that is loading shows its placeholder', async () => {
    const { page } = await openTab(browser, gallery, '/users/ann');
    const held: Array<() => void> = [];
    await intercept(page, '**/storage/**', (route) => held.push(() => void route.continue()));
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction((least) => {
      const tiles = [...document.querySelectorAll<HTMLElement>('.tile[data-id]')];
      const isBlurred = ({ style }: HTMLElement) => style.backgroundImage.startsWith('url("data:image/png');
      return tiles.length >= least && tiles.every(isBlurred);
    }, each);
    for (const go of held) go();
    await page.unroute('**/storage/**');
    await untilLoaded(page);
    await page.close();
  });

  test('the wall shows its first rows without script, and in the same places with script', async () => {
    const scriptless = await openBrowser({ javaScriptEnabled: false });
    try {
      const plain = (await openTab(scriptless, gallery)).page;
      const tab = await openTab(browser, gallery);
      for (const width of [390, 1000, 1440]) {
        await plain.setViewportSize({ width, height: 844 });
        await tab.page.setViewportSize({ width, height: 844 });
        await plain.reload();
        await tab.page.reload();
        await tab.page.waitForSelector('[role=slider]');
        const [before, after] = [await measureBoxes(plain), await measureBoxes(tab.page)];
        const seen = Object.entries(before).filter(([, { y, height }]) => y + height < 844);
        assert.ok(seen.length >= 5, `${seen.length} photos at ${width} px`);
        for (const [id, box] of seen) {
          for (const side of ['x', 'y', 'width', 'height'] as const) {
            const moved = Math.abs(box[side] - after[id]![side]);
            assert.ok(moved < 1, `${side} of ${id} at ${width} px: ${box[side]} and ${after[id]![side]}`);
          }
        }
      }
      assert.deepEqual(tab.complaints, []);
      await tab.page.close();
    } finally {
      await scriptless.close();
    }
  });

  test('the wall comes with the document: no API call, and nothing that the policy forbids', async () => {
    const { page, calls, complaints } = await openTab(browser, gallery);
    await untilLoaded(page);
    assert.deepEqual(calls(), []);
    assert.deepEqual(complaints, []);
    assert.equal(await page.locator('h2').first().textContent(), await newestMonth());
    await page.close();
  });

  async function newestMonth(): Promise<string> {
    const { list } = await (await fetch(`${gallery.url}/api/timeline`)).json().then(({ data }) => data);
    return new Date(`${list[0].month}-01T00:00:00Z`).toLocaleDateString('en', {
      ...{ month: 'long', year: 'numeric', timeZone: 'UTC' },
    });
  }

  test('the wall scrolls to its end with one call for each hundred photos, and keeps few in the page', async () => {
    const { page, calls, complaints } = await openTab(browser, gallery);
    await page.setViewportSize({ width: 1440, height: 844 });
    await untilLoaded(page);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForSelector('img[alt="Photo 0"]');
    // Scrolls again, because exact heights of the parts above have moved the end of the wall.
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await untilLoaded(page);
    assert.ok((await page.$$('.tile')).length < months * each, 'all photos are in the page');
    assert.deepEqual(calls(), ['GET /api/photos?sort=taken_time&order=desc&page=2&limit=100']);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('Back and a reload return to the same photo of the wall', async () => {
    const { page } = await openTab(browser, gallery);
    await page.setViewportSize({ width: 1000, height: 700 });
    await untilLoaded(page);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
    await untilLoaded(page);
    // Scrolls up a little, which brings the bar back.
    await page.evaluate(() => window.scrollBy(0, -40));
    await untilLoaded(page);
    // Waits until the bar rests, because the test driver scrolls until the target of a click rests.
    await page.waitForFunction(() => {
      const bar = document.querySelector('header.bar')!;
      return bar.getBoundingClientRect().top === 0 && bar.getAnimations().length === 0;
    });
    const left = await untilNoted(page);
    await page.click('a[href="/sign-in"]');
    await page.waitForSelector('input[name=password]');
    await page.goBack();
    await untilLoaded(page);
    await assertBack(page, left);
    await page.reload();
    await untilLoaded(page);
    await assertBack(page, left);
    await page.close();
  });

  /** Asserts that the wall is back at its position, within one row. */
  async function assertBack(page: Page, { id, y }: { id: string; y: number }): Promise<void> {
    await page.waitForFunction(
      ([id, y]) => {
        const tile = document.querySelector(`.tile[data-id="${id}"]`);
        return tile && Math.abs(tile.getBoundingClientRect().top - Number(y)) < 160;
      },
      [id, y],
    );
  }

  test('the year rail reaches its ends by keyboard, and names the current place', async () => {
    const { page } = await openTab(browser, gallery);
    await untilLoaded(page);
    const rail = page.getByRole('slider');
    await rail.focus();
    assert.equal(await rail.getAttribute('aria-valuetext'), await newestMonth());
    await page.keyboard.press('End');
    await page.waitForSelector('img[alt="Photo 0"]');
    await page.keyboard.press('Home');
    await page.waitForFunction(
      () => document.querySelector('[data-sheet]')!.getBoundingClientRect().top > -1,
    );
    await page.close();
  });

  test('axe finds nothing on the wall, in light and dark, on a telephone and on a desktop', async () => {
    const { page } = await openTab(browser, gallery);
    await inEveryLook(page, async (name) => {
      await untilLoaded(page);
      await assertAccessible(page, name);
    });
    await page.close();
  });
});

describe('an empty gallery', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    gallery = await startGallery();
    browser = await openBrowser({ locale: 'zh-CN' });
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  test("an empty gallery explains itself in the browser's language, and leads to the first account", async () => {
    const { page, complaints } = await openTab(browser, gallery);
    assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');
    await page.getByRole('link', { name: '创建第一个账号' }).click();
    await page.waitForURL('**/register');
    await page.getByRole('heading', { name: '注册账号' }).waitFor();
    await assertAccessible(page, 'register');
    assert.deepEqual(complaints, []);
  });
});
