/** Files from the desktop, dropped on a page. */
import type { Page } from 'playwright-core';
import { en, zh } from './chinese.ts';

const text = new RegExp([en('uploadDrop'), zh('uploadDrop')].map(RegExp.escape).join('|'));
const maxTries = 9;

/**
 * Held over the page until it says that it takes them, which it does once it hears of them, and let go. On a busy machine
 * the browser may end the drag instead, and tell the page of no drop: then they are dragged again. `look`: at what the
 * page says meanwhile.
 */
export async function dropFiles(page: Page, files: string[], look?: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  const drag = (type: 'dragEnter' | 'dragOver' | 'dragCancel' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: 300, y: 400, data });
  await page.evaluate(() => {
    // Not that of a drop before this one.
    document.documentElement.removeAttribute('data-dropped');
    window.addEventListener('drop', () => document.documentElement.setAttribute('data-dropped', ''), {
      once: true,
    });
  });
  const dropped = page.locator('html[data-dropped]');
  for (let n = 1; ; n++) {
    try {
      await drag('dragEnter');
      await drag('dragOver');
      // Or it hears only now of a drop before, and shows what it makes of that.
      await page.getByText(text).or(dropped).first().waitFor({ timeout: 2000 });
      if ((await dropped.count()) > 0) return;
      await look?.();
      await drag('dragOver');
      await drag('drop');
      await dropped.waitFor({ state: 'attached', timeout: 2000 });
      return;
    } catch (error) {
      if (n === maxTries) throw error;
      await drag('dragCancel').catch(() => {});
    }
  }
}
