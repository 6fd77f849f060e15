/** Measures the page's response to input (INP): the slowest of each kind, with the CPU four times slower. */
import type { Page } from 'playwright-core';
import { openBrowser } from '../../test/support/browser.ts';
import { startGallery } from '../../test/support/harness.ts';
import { examplePhoto, mockWall, untilPhotos } from '../../test/web/mock-wall.ts';
import { signIn } from '../../test/web/steps.ts';
import type { Figure } from './figures.ts';
import { photographs } from './gallery.ts';
import { openPhone } from './phone.ts';

const limit = 200;

export async function interaction(): Promise<Figure[]> {
  const gallery = await photographs();
  const browser = await openBrowser({ isWhole: true });
  try {
    const { page } = await openPhone(browser);
    await page.addInitScript(watch);
    await page.goto(gallery.url, { waitUntil: 'networkidle' });
    const figures: Figure[] = [];
    const measure = async (what: string, act: () => Promise<unknown>) => {
      figures.push(await measureFigure(page, what, act));
    };
    await measure('open a photo', async () => {
      await page.locator('.tile[data-id]').nth(1).click();
      await page.waitForURL(/\/photos\/\d+/);
    });
    await measure('the next photo, ten times', async () => {
      for (let n = 0; n < 10; n++) await next(page);
    });
    await measure('back to the wall', async () => {
      await page.keyboard.press('Escape');
      await page.waitForURL((url) => url.pathname === '/');
    });
    await measure('type a search', async () => {
      await page.getByRole('combobox').or(page.getByRole('searchbox')).first().click();
      await page.keyboard.type('canon tag:bench', { delay: 60 });
    });
    return [...figures, await selecting()];
  } finally {
    await browser.close();
    await gallery.close();
  }
}

/** Selects all photos of a wall of 200, then toggles some of them. */
async function selecting(): Promise<Figure> {
  const gallery = await startGallery({ rateLimit: 0 });
  const browser = await openBrowser({ isWhole: true });
  try {
    const photo = await examplePhoto(gallery);
    await signIn(browser, gallery, { name: 'ann' });
    const { page } = await openPhone(browser);
    await page.addInitScript(watch);
    await mockWall(page, photo, 200);
    await page.goto(gallery.url, { waitUntil: 'networkidle' });
    await untilPhotos(page);
    const bar = page.getByRole('region', { name: 'Selection' });
    const until = (count: number) => bar.getByText(`${count} selected`, { exact: true }).waitFor();
    await page.locator('.tile[data-id]').first().focus();
    await page.keyboard.press('x');
    await until(1);
    return await measureFigure(page, 'select 200', async () => {
      await page.keyboard.press('Control+a');
      await until(200);
      for (let n = 0; n < 3; n++) {
        await page.keyboard.press('x');
        await until(199);
        await page.keyboard.press('x');
        await until(200);
      }
    });
  } finally {
    await browser.close();
    await gallery.close();
  }
}

async function measureFigure(page: Page, what: string, act: () => Promise<unknown>): Promise<Figure> {
  await page.evaluate(() => (window as unknown as Watched).longest.splice(0));
  await act();
  return { what: `${what} (INP)`, value: await readLongestTask(page), limit, unit: 'ms' };
}

async function next(page: Page): Promise<void> {
  const before = page.url();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL((url) => url.href !== before);
}

interface Watched {
  longest: number[];
}

/** Returns the longest task in milliseconds. Browsers report no event shorter than a frame. */
async function readLongestTask(page: Page): Promise<number> {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  return await page.evaluate(() => Math.max(0, ...(window as unknown as Watched).longest));
}

/** Measures input delays. Runs in the page before the page's own scripts. */
function watch(): void {
  const longest: number[] = [];
  (window as unknown as Watched).longest = longest;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[])
      if (entry.interactionId) longest.push(entry.duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}
