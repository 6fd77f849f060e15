/**
 * Measures walls of 100,000 and 1,000,000 photos: calls, memory, elements and frames. The API is simulated
 * with one-pixel photos to measure the page alone. The server writes the document, without photos.
 */
import type { Page } from 'playwright-core';
import { openBrowser } from '../../test/support/browser.ts';
import { startGallery } from '../../test/support/harness.ts';
import { examplePhoto, mockWall, untilPhotos } from '../../test/web/mock-wall.ts';
import type { Figure } from './figures.ts';
import { openPhone, type Phone } from './phone.ts';

export async function large(): Promise<Figure[]> {
  const gallery = await startGallery({ rateLimit: 0 });
  const browser = await openBrowser({ isWhole: true });
  try {
    const photo = await examplePhoto(gallery);
    const many = await openPhone(browser, { slower: 1 });
    const calls = await mockWall(many.page, photo, 100_000);
    const figures = await ofMany(many, gallery.url, calls);
    await many.page.close();
    const most = await openPhone(browser, { slower: 1 });
    await mockWall(most.page, photo, 1_000_000);
    return [...figures, await ofMost(most.page, gallery.url)];
  } finally {
    await browser.close();
    await gallery.close();
  }
}

async function ofMany({ page, devtools }: Phone, url: string, calls: () => number): Promise<Figure[]> {
  await page.goto(url, { waitUntil: 'networkidle' });
  await untilPhotos(page);
  const afterOpening = calls();
  const slowest = await scroll(page, 20);
  await untilPhotos(page);
  const throughAll = calls() - afterOpening;
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.waitForTimeout(500);
  const beforeReading = calls();
  for (let screen = 0; screen < 20; screen++) {
    await page.evaluate(() => window.scrollBy({ top: window.innerHeight, behavior: 'smooth' }));
    await page.waitForTimeout(1000);
  }
  const reading = (calls() - beforeReading) * 3;
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('Performance.enable');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((one) => one.name === name)!.value;
  const of = (what: string) => `100,000 photos: ${what}`;
  return [
    { what: of('calls from end to end'), value: throughAll, limit: 5, unit: '' },
    { what: of('calls a minute, a screen a second'), value: reading, limit: 20, unit: '' },
    { what: of('heap after collection'), value: metric('JSHeapUsedSize') / 1e6, limit: 30, unit: 'MB' },
    { what: of('nodes'), value: metric('Nodes'), limit: 3000, unit: '' },
    { what: of('slowest frame of 20 s'), value: slowest, limit: 100, unit: 'ms' },
  ];
}

/** Returns the number of photos between the last reachable one and the end of the list. */
async function ofMost(page: Page, url: string): Promise<Figure> {
  await page.goto(url, { waitUntil: 'networkidle' });
  // Heights become exact during scrolling, so the scroll to the end is repeated.
  for (let time = 0; time < 3; time++) {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForTimeout(300);
    await untilPhotos(page);
  }
  const last = await page.evaluate(() => {
    const seen = [...document.querySelectorAll<HTMLElement>('.tile[data-id]')].filter((tile) => {
      const { top, bottom } = tile.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight;
    });
    return Math.max(0, ...seen.map((tile) => Number(tile.dataset.id)));
  });
  return {
    what: '1,000,000 photos: those that cannot be reached',
    value: 1_000_000 - last,
    limit: 0,
    unit: '',
  };
}

/** Scrolls from top to end in equal steps, one per frame. Returns the slowest frame in milliseconds. */
async function scroll(page: Page, seconds: number): Promise<number> {
  return await page.evaluate(async (milliseconds) => {
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const begin = await frame();
    let last = begin;
    let slowest = 0;
    while (last - begin < milliseconds) {
      const end = document.documentElement.scrollHeight - window.innerHeight;
      window.scrollTo(0, (end * (last - begin)) / milliseconds);
      const now = await frame();
      slowest = Math.max(slowest, now - last);
      last = now;
    }
    window.scrollTo(0, document.documentElement.scrollHeight);
    return slowest;
  }, seconds * 1000);
}
