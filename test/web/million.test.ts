/** Tests a wall of a million photos, higher than browsers can scroll. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { examplePhoto, mockWall, untilPhotos } from './mock-wall.ts';
import { withoutWeb } from './steps.ts';

const total = 1_000_000;
const screens = [
  { width: 390, height: 844, deviceScaleFactor: 3, mobile: true },
  { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false },
];

describe('a wall of a million photos', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let photo: Awaited<ReturnType<typeof examplePhoto>>;

  before(async () => {
    gallery = await startGallery({ rateLimit: 0 });
    photo = await examplePhoto(gallery);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  async function open(screen: (typeof screens)[number]): Promise<Page> {
    const page = await browser.context.newPage();
    const devtools = await browser.context.newCDPSession(page);
    await devtools.send('Emulation.setDeviceMetricsOverride', screen);
    await mockWall(page, photo, total);
    await page.goto(gallery.url);
    await untilPhotos(page);
    return page;
  }

  interface Noted {
    id: number;
    offset: number;
  }

  /**
   * Waits until scrolling rests and the wall has stored its position: the first photo that is completely
   * visible. The id of each photo equals its position.
   */
  const untilNoted = async (page: Page, [from, to] = [1, total]): Promise<Noted> => {
    const noted = await page.waitForFunction(
      ([from, to]) => {
        const text = sessionStorage.getItem(`lightwell-place:${history.state?.__TSR_key ?? 'first'}`) ?? '{}';
        const { id, offset } = JSON.parse(text);
        const tile = document.querySelector(`.tile[data-id="${id}"]`);
        if (!tile || id < from! || id > to!) return false;
        return Math.abs(tile.getBoundingClientRect().top - offset) < 1 && { id, offset };
      },
      [from, to],
    );
    return (await noted.jsonValue()) as Noted;
  };

  /** Waits until the last photo is visible, also after exact heights have moved the end of the wall. */
  const untilLast = (page: Page) =>
    page.waitForFunction((total) => {
      const box = document.querySelector(`.tile[data-id="${total}"]`)?.getBoundingClientRect();
      const isAtEnd = window.scrollY > document.documentElement.scrollHeight - window.innerHeight - 2;
      return isAtEnd && box && box.top > 0 && box.bottom <= window.innerHeight;
    }, total);
  /** Waits until the wall is at its top. There the page stores no position. Returns the first photo's top. */
  const untilFirst = async (page: Page): Promise<number> => {
    const top = await page.waitForFunction(() => {
      const tile = document.querySelector('.tile[data-id="1"]');
      return window.scrollY <= 1 && tile && tile.getBoundingClientRect().top;
    });
    return (await top.jsonValue()) as number;
  };
  const home = async (page: Page) => {
    await page.keyboard.press('Home');
    await untilFirst(page);
  };

  const goTo = (page: Page, part: number) =>
    page.evaluate((part) => window.scrollTo(0, document.body.scrollHeight * part), part);

  const untilAt = (page: Page, { id, offset }: Noted, slack: number) =>
    page.waitForFunction(
      ([id, offset, slack]) => {
        const tile = document.querySelector(`.tile[data-id="${id}"]`);
        return tile && Math.abs(tile.getBoundingClientRect().top - offset!) <= slack!;
      },
      [id, offset, slack],
    );

  for (const screen of screens) {
    const at = `at ${screen.width} px`;

    test(`scroll bar, End and rail reach the last of a million photos, and Home the first, ${at}`, async () => {
      const page = await open(screen);
      await goTo(page, 1);
      await untilLast(page);
      await home(page);
      await page.keyboard.press('End');
      await untilLast(page);
      await home(page);
      const rail = page.getByRole('slider');
      await rail.focus();
      // The first press of End leads to the last month, the second press to the end of that month.
      await rail.press('End');
      await untilNoted(page, [total - 1000, total]);
      await rail.press('End');
      await untilLast(page);
      assert.equal(await rail.getAttribute('aria-valuetext'), 'January 2015');
      await page.close();
    });

    test(`End reaches the last of a million photos and Home the first while the wall moves, ${at}`, async () => {
      const page = await open(screen);
      /**
       * Presses a key and makes the wall narrower during the browser's scrolling, which changes all heights.
       */
      const pressAndNarrow = async (key: string, by: number) => {
        await page.evaluate((by) => {
          const narrow = () => {
            document.querySelector<HTMLElement>('[data-sheet]')!.style.marginRight = `${by}px`;
          };
          window.addEventListener('scroll', narrow, { once: true });
        }, by);
        await page.keyboard.press(key);
      };
      await pressAndNarrow('End', 40);
      await untilLast(page);
      await pressAndNarrow('Home', 0);
      const top = await untilFirst(page);
      assert.ok(top > 0, `the first photo is at ${top}`);
      await page.close();
    });

    test(`the wheel moves a wall of a million photos by real pixels at every position, ${at}`, async () => {
      const page = await open(screen);
      await page.mouse.move(200, 400);
      for (const part of [0.02, 0.5, 0.97]) {
        await goTo(page, part);
        const near = total * part;
        const { id, offset } = await untilNoted(page, [near - 30_000, near + 30_000]);
        await page.mouse.wheel(0, 300);
        await untilAt(page, { id, offset: offset - 300 }, 2);
        await page.mouse.wheel(0, -500);
        await untilAt(page, { id, offset: offset + 200 }, 2);
      }
      await page.close();
    });

    test(`Back and a reload restore the position in a wall of a million photos, ${at}`, async () => {
      const page = await open(screen);
      await goTo(page, 0.6);
      const left = await untilNoted(page, [570_000, 630_000]);
      await page.locator(`.tile[data-id="${left.id + 3}"]`).click();
      await page.waitForURL(`**/photos/${left.id + 3}`);
      await page.goBack();
      await untilAt(page, left, 160);
      await page.goto(`${gallery.url}/sign-in`);
      await page.waitForSelector('input[name=password]');
      await page.goBack();
      await untilAt(page, left, 160);
      await page.reload();
      await untilAt(page, left, 160);
      // After the viewer closes, the wall shows the photo that the viewer showed last.
      await page.goto(`${gallery.url}/photos/999990`);
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.waitForURL(`${gallery.url}/`);
      await untilNoted(page, [999_900, total]);
      await page.close();
    });
  }

  /** Holds requests for photos back until the returned function is called. */
  async function holdPhotos(page: Page): Promise<() => Promise<void>> {
    const held: Array<() => void> = [];
    await intercept(page, '**/api/photos?*', (route) => held.push(() => void route.fallback()));
    return async () => {
      await page.unroute('**/api/photos?*');
      for (const go of held) go();
    };
  }

  test('a key reaches its target while photos of the previous position still load', async () => {
    const page = await open(screens[1]!);
    await goTo(page, 0.6);
    await untilNoted(page, [570_000, 630_000]);
    const letGo = await holdPhotos(page);
    await page.reload();
    await page.waitForFunction(() => window.scrollY > 1_000_000);
    await page.keyboard.press('Home');
    await page.waitForFunction(() => window.scrollY === 0);
    await letGo();
    await untilFirst(page);
    await page.close();
  });

  test('photos that arrive when the wall comes to rest, and move its box, do not stop later photos', async () => {
    // A window so high that the visible part has loaded when the next two parts are requested.
    const height = 5500;
    const page = await open({ ...screens[0]!, deviceScaleFactor: 1, mobile: false, height });
    await page.mouse.move(200, 400);
    await goTo(page, 0.5);
    await untilNoted(page, [470_000, 530_000]);
    /** Scrolls so far that one more section comes near the window. */
    const untilNext = async () => {
      const end = await page.$$eval(
        '[data-sheet] > section',
        (all) => all.at(-1)!.getBoundingClientRect().bottom,
      );
      await page.mouse.wheel(0, end - 2 * height + 10);
    };
    const untilAll = () => page.locator('[data-waits]').first().waitFor({ state: 'detached' });
    await untilAll();
    const letGo = await holdPhotos(page);
    const asked = page.waitForRequest('**/api/photos?*');
    await untilNext();
    await asked;
    await untilNoted(page);
    await page.evaluate(() => {
      const frame = window.requestAnimationFrame.bind(window);
      window.requestAnimationFrame = (then) => frame((now) => setTimeout(then, 300, now));
    });
    await untilNext();
    await page.waitForTimeout(350);
    await letGo();
    await untilAll();
    await page.close();
  });
});
