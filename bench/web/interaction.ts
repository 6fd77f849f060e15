/** How long the page takes to answer a person (INP): the slowest of each kind, the processor four times slower. */
import type { Page } from 'playwright-core';
import { openBrowser } from '../../test/support/browser.ts';
import type { Figure } from './figures.ts';
import { photographs } from './gallery.ts';
import { openPhone } from './phone.ts';

const limit = 200;

export async function interaction(): Promise<Figure[]> {
  const gallery = await photographs();
  const browser = await openBrowser();
  try {
    const { page } = await openPhone(browser);
    await page.addInitScript(watch);
    await page.goto(gallery.url, { waitUntil: 'networkidle' });
    const figures: Figure[] = [];
    const measure = async (what: string, act: () => Promise<unknown>) => {
      await page.evaluate(() => (window as unknown as Watched).longest.splice(0));
      await act();
      figures.push({ what: `${what} (INP)`, value: await longestOf(page), limit, unit: 'ms' });
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
    return figures;
  } finally {
    await browser.close();
    await gallery.close();
  }
}

async function next(page: Page): Promise<void> {
  const before = page.url();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL((url) => url.href !== before);
}

interface Watched {
  longest: number[];
}

/** What took less than a frame is told by no browser. */
async function longestOf(page: Page): Promise<number> {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  return await page.evaluate(() => Math.max(0, ...(window as unknown as Watched).longest));
}

/** Runs in the page, before all of its own. */
function watch(): void {
  const longest: number[] = [];
  (window as unknown as Watched).longest = longest;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[])
      if (entry.interactionId) longest.push(entry.duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}
