/** Tests every page in Simplified Chinese: without English texts, usable by keyboard, without motion, and with a way out. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { zh } from './chinese.ts';
import { assertWayOut, type ChineseGallery, findFaults, openChineseGallery } from './chinese-look.ts';
import { everyPage } from './every-page.ts';
import { walkStops, walkWholePage } from './focus-stops.ts';
import { openTab, signIn, withoutWeb } from './steps.ts';

/** Windows so low that pages scroll under the bar. */
const windows = [
  { width: 1440, height: 480 },
  { width: 390, height: 600 },
];

describe('the pages in Chinese', { skip: withoutWeb }, () => {
  let opened: ChineseGallery;

  before(async () => {
    opened = await openChineseGallery();
  });
  after(async () => {
    await opened?.browser.close();
    await opened?.gallery.close();
  });

  test('the Chinese pages contain no English for a visitor', async () => {
    const { gallery, browser, full } = opened;
    const { page } = await openTab(browser, gallery, '/');
    const others = ['/sign-in?problem=refused', '/albums', '/users/ann', '/search?q=foo:bar'];
    const found: string[] = [];
    for (const path of [...everyPage(full).signedOut, ...others]) {
      await walkWholePage(page, gallery.url + path, zh);
      if (path.includes('problem')) await page.getByRole('alert').waitFor();
      found.push(...(await findFaults(page, path)));
    }
    assert.deepEqual(found, []);
    await page.close();
  });

  test('Tab reaches every control on every Chinese page, nothing is English, and the menu can sign out', async () => {
    const { gallery, browser, full } = opened;
    await signIn(browser, gallery, full.ann);
    const { page } = await openTab(browser, gallery, '/');
    const { own, admin } = everyPage(full);
    const found: string[] = [];
    for (const [n, path] of [...own, '/nowhere', ...admin].entries()) {
      await page.setViewportSize(windows[n % windows.length]!);
      await walkWholePage(page, gallery.url + path, zh);
      found.push(...(await findFaults(page, path)));
      // Walks backwards only through pages with special parts: a wall, a form, a table. On other pages the
      // way back is the same.
      const isBackToo = ['/', '/settings', '/admin/users'].includes(path);
      for (const key of isBackToo ? (['Tab', 'Shift+Tab'] as const) : (['Tab'] as const)) {
        const { stops, problems } = await walkStops(page, key);
        found.push(...problems.map((problem) => `${path}, ${key}: ${problem}`));
        // The name of the button may end with the number of open reports.
        const hasAccount = stops.some((stop) => stop.startsWith(`button ${zh('account')}`));
        if (path !== '/signed-in') assert.ok(hasAccount, path);
      }
      if (path !== '/signed-in') await assertWayOut(page);
    }
    assert.deepEqual(found, []);
    await page.close();
  });
});
