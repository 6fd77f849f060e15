/** Files from the desktop, dropped on a page. */
import type { Page } from 'playwright-core';
import { en, zh } from './chinese.ts';

const text = new RegExp([en('uploadDrop'), zh('uploadDrop')].map(RegExp.escape).join('|'));

/** Held over the page until it says that it takes them, which it does once it hears of them. `look`: at what it says. */
export async function dropFiles(page: Page, files: string[], look?: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  const drag = (type: 'dragEnter' | 'dragOver' | 'dragCancel' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: 300, y: 400, data });
  const invitation = page.getByText(text);
  for (let n = 0; ; n++) {
    await drag('dragEnter');
    await drag('dragOver');
    try {
      await invitation.waitFor({ timeout: n < 9 ? 2000 : undefined });
      break;
    } catch (error) {
      if (n === 9) throw error;
      await drag('dragCancel');
    }
  }
  await look?.();
  await drag('drop');
  await session.detach();
}
