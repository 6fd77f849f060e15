/** A wall of a million photos: more than browsers can scroll. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { onePhoto, playWall, untilPhotos } from './played-wall.ts';
import { withoutWeb } from './steps.ts';

const total = 1_000_000;
const screens = [
  { width: 390, height: 844, deviceScaleFactor: 3, mobile: true },
  { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false },
];

describe('a wall of a million photos', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let photo: Awaited<ReturnType<typeof onePhoto>>;

  before(async () => {
    gallery = await startGallery({ rateLimit: 0 });
    photo = await onePhoto(gallery);
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
    await playWall(page, photo, total);
    await page.goto(gallery.url);
    await untilPhotos(page);
    return page;
  }

  interface Noted {
    id: number;
    offset: number;
  }

  /** Scrolling rests, and the wall knows where: the first photo that is whole in the window. Its id is its place. */
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

  /** Heights become exact on the way, and the end moves: one goes there until it does not. */
  async function untilLast(page: Page, go: () => Promise<unknown>): Promise<void> {
    for (let time = 0; time < 10; time++) {
      await go();
      await untilNoted(page, [total - 1000, total]);
      const isSeen = await page.evaluate((total) => {
        const box = document.querySelector(`.tile[data-id="${total}"]`)?.getBoundingClientRect();
        return box && box.top > 0 && box.bottom <= window.innerHeight;
      }, total);
      if (isSeen) return;
    }
    assert.fail('the last photo did not come');
  }

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

    test(`is left at the last by scroll bar, End and the rail, and at the first by Home, ${at}`, async () => {
      const page = await open(screen);
      await untilLast(page, () => goTo(page, 1));
      const home = async () => {
        await page.keyboard.press('Home');
        await untilNoted(page, [1, 1]);
      };
      await home();
      await untilLast(page, () => page.keyboard.press('End'));
      await home();
      const rail = page.getByRole('slider');
      await rail.focus();
      await untilLast(page, () => rail.press('End'));
      assert.equal(await rail.getAttribute('aria-valuetext'), 'January 2015');
      await page.close();
    });

    test(`moves by real pixels with the wheel, wherever the scroll bar is, ${at}`, async () => {
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

    test(`is where one left it after Back and a reload, ${at}`, async () => {
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
      // The photo that one has gone on to in the viewer is on the wall below it.
      await page.goto(`${gallery.url}/photos/999990`);
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.waitForURL(`${gallery.url}/`);
      await untilNoted(page, [999_900, total]);
      await page.close();
    });
  }
});
