/** Measures layout shifts around an opened photo: the info panel, the next photo, and a rotated window. */
import type { Page } from 'playwright-core';
import { openBrowser } from '../../test/support/browser.ts';
import type { Figure } from './figures.ts';
import { openPhone, phone, screen, setWindow, slow4g, type Window } from './phone.ts';
import { readShifts, watchShifts } from './shifts.ts';

/**
 * Milliseconds to wait after each action. Chromium ignores shifts in the first half second, and a slow
 * connection delivers later.
 */
const settledMs = 2500;

export async function viewing(url: string): Promise<Figure[]> {
  return [await measureViewing(url, phone), await measureViewing(url, screen)];
}

async function measureViewing(url: string, window: Window): Promise<Figure> {
  const browser = await openBrowser({ isWhole: true });
  try {
    const { page, devtools } = await openPhone(browser, { connection: slow4g, window });
    await watchShifts(page);
    await page.goto(url, { waitUntil: 'networkidle' });
    const before = await readShifts(page);
    const { width, height } = window;
    const turned = { ...window, width: height, height: width };
    for (const act of [
      () => openPhoto(page),
      () => page.keyboard.press('i'),
      () => page.keyboard.press('ArrowRight'),
      () => setWindow(devtools, turned),
      () => setWindow(devtools, window),
      // Repeats the steps without the panel, which covers much of a phone's screen.
      () => page.keyboard.press('i'),
      () => setWindow(devtools, turned),
      () => setWindow(devtools, window),
    ]) {
      await act();
      await page.waitForTimeout(settledMs);
    }
    return {
      what: `CLS of a photo opened, its panel, the next, turned, ${width} px`,
      value: (await readShifts(page)) - before,
      ...{ limit: 0.02, unit: '' },
    };
  } finally {
    await browser.close();
  }
}

async function openPhoto(page: Page): Promise<void> {
  await page.locator('.tile[data-id]').nth(1).click();
  await page.waitForURL(/\/photos\/\d+/);
}
