/**
 * What moves on a page although nobody asked it to: the sum of Chromium's layout shifts, which is never less than CLS,
 * the worst five seconds of it. As there, what moves within half a second of a key, a tap or another size of the window
 * is left out: it answers a person. Scrolling does not count as asking.
 */
import type { Page } from 'playwright-core';

interface Watched {
  shifts: { sum: number };
}

/** Before the page is opened. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(watch);
}

/** Since the page was opened. */
export function readShifts(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as Watched).shifts.sum);
}

/** Runs in the page, before all of its own. */
function watch(): void {
  const shifts = { sum: 0 };
  (window as unknown as Watched).shifts = shifts;
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[])
      if (!hadRecentInput) shifts.sum += value;
  }).observe({ type: 'layout-shift', buffered: true });
}
