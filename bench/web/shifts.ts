/**
 * Sums up Chromium's layout shifts without user input; the sum is never less than CLS, the worst five
 * seconds. Like CLS, the sum ignores shifts within half a second of a key, tap or resize. Scrolling does not
 * count as input.
 */
import type { Page } from 'playwright-core';

interface Watched {
  shifts: { sum: number };
}

/** Installs the measurement; call this function before the page opens. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(watch);
}

/** Returns the sum of shifts since the page was opened. */
export function readShifts(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as Watched).shifts.sum);
}

/** Sums up layout shifts. Runs in the page before the page's own scripts. */
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
