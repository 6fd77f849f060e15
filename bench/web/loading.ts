/**
 * Measures the first visit on a phone (medians of three visits), and layout shifts during the visit and
 * around an opened photo.
 */
import { openBrowser } from '../../test/support/browser.ts';
import { type Figure, findMedian } from './figures.ts';
import { photographs } from './gallery.ts';
import { type Connection, fast3g, openPhone, slow4g } from './phone.ts';
import { readShifts, watchShifts } from './shifts.ts';
import { viewing } from './viewing.ts';

interface Visit {
  /** Seconds until the first photo and the largest element were painted. */
  first: number;
  largest: number;
  shift: number;
}

export async function loading(): Promise<Figure[]> {
  const gallery = await photographs();
  try {
    // A first visit renders the sizes that a phone requests.
    await visit(gallery.url);
    const slow = await visits(gallery.url, fast3g);
    const faster = await visits(gallery.url, slow4g);
    const median = (some: Visit[], of: keyof Visit) => findMedian(some.map((visit) => visit[of]));
    return [
      { what: 'first photo, Fast 3G', value: median(slow, 'first'), limit: 2.5, unit: 's' },
      { what: 'LCP, Fast 3G', value: median(slow, 'largest'), limit: 2.6, unit: 's' },
      { what: 'LCP, slow 4G', value: median(faster, 'largest'), limit: 1.5, unit: 's' },
      {
        what: 'CLS while loading and scrolling, the worst of six',
        value: Math.max(...[...slow, ...faster].map(({ shift }) => shift)),
        ...{ limit: 0.02, unit: '' },
      },
      ...(await viewing(gallery.url)),
    ];
  } finally {
    await gallery.close();
  }
}

async function visits(url: string, connection: Connection): Promise<Visit[]> {
  const all: Visit[] = [];
  for (let n = 0; n < 3; n++) all.push(await visit(url, connection));
  return all;
}

/** Visits with a new browser, so that nothing is cached from the visit before. */
async function visit(url: string, connection?: Connection): Promise<Visit> {
  const browser = await openBrowser({ isWhole: true });
  try {
    const { page } = await openPhone(browser, connection && { connection });
    await page.addInitScript(watch);
    await watchShifts(page);
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForLoadState('networkidle');
    // Any user input ends the measurement of the largest paint, so it is read before scrolling.
    const seen = await page.evaluate(() => ({ ...(window as unknown as Watched).seen }));
    for (let step = 0; step < 5; step++) {
      await page.mouse.wheel(0, 700);
      await page.waitForTimeout(200);
    }
    return { first: seen.first / 1000, largest: seen.largest / 1000, shift: await readShifts(page) };
  } finally {
    await browser.close();
  }
}

interface Watched {
  seen: { first: number; largest: number };
}

/** Measures paint times. Runs in the page before the page's own scripts. */
function watch(): void {
  const seen = { first: Number.POSITIVE_INFINITY, largest: 0 };
  (window as unknown as Watched).seen = seen;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { element?: Element })[]) {
      seen.largest = entry.startTime;
      if (entry.element?.closest('.tile')) seen.first = Math.min(seen.first, entry.startTime);
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true });
}
