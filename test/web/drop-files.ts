/** Drops files from the desktop on a page. */
import type { Page } from 'playwright-core';
import { en, zh } from './chinese.ts';

const text = new RegExp([en('uploadDrop'), zh('uploadDrop')].map(RegExp.escape).join('|'));
const maxTries = 9;

/**
 * Drags files over the page until the page shows that it accepts them, and drops them. On a busy machine the
 * browser may cancel the drag without telling the page, and then the files are dragged again. `look` checks
 * the page during the drag.
 */
export async function dropFiles(page: Page, files: string[], look?: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  const drag = (type: 'dragEnter' | 'dragOver' | 'dragCancel' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: 300, y: 400, data });
  await page.evaluate(() => {
    // Removes the mark of an earlier drop.
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
      // The page may also notice an earlier drop only now, and show its result.
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
