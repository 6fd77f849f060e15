/**
 * Tests every page and dialog in Simplified Chinese: without English texts, usable by keyboard, without
 * motion, and with a way out.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { oidcClient } from '../support/oidc.ts';
import { findEnglish, zh } from './chinese.ts';
import { walkDialogs } from './dialogs.ts';
import { everyPage, type FullGallery, fillGallery } from './every-page.ts';
import { walkStops, walkWholePage } from './focus-stops.ts';
import { moved, watchMotion } from './motion.ts';
import { assertAccessible, openTab, signIn, withoutWeb } from './steps.ts';

/** Windows so low that pages scroll under the bar. */
const windows = [
  { width: 1440, height: 480 },
  { width: 390, height: 600 },
];

describe('the pages in Chinese', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let full: FullGallery;

  before(async () => {
    // Tests in this file do not connect to the provider, so its URL leads nowhere.
    const oidc = { ...oidcClient, issuer: 'http://127.0.0.1:9', name: '示例俱乐部', adminClaim: undefined };
    gallery = await startGallery({ oidc });
    full = await fillGallery(gallery, { album: '旅行', photo: '湖水', comment: '真美' });
    browser = await openBrowser({ locale: 'zh-CN', reducedMotion: 'reduce' });
    browser.context.setDefaultTimeout(20_000);
    await browser.context.addInitScript(watchMotion);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const button = (page: Page, key: string, values = {}) =>
    page.getByRole('button', { name: zh(key, values), exact: true });
  /** Returns the English texts of a page, and everything in it that has moved. */
  const findFaults = async (page: Page, where: string): Promise<string[]> =>
    [...(await findEnglish(page)), ...(await moved(page))].map((fault) => `${where}: ${fault}`);
  /** Checks the accessibility of a page that no other test opens. */
  async function look(page: Page, where: string): Promise<string[]> {
    await assertAccessible(page, where);
    return findFaults(page, where);
  }

  test('the Chinese pages contain no English for a visitor', async () => {
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
        if (path !== '/signed-in') assert.ok(stops.includes(`button ${zh('account')}`), path);
      }
      if (path !== '/signed-in') await assertWayOut(page);
    }
    assert.deepEqual(found, []);
    await page.close();
  });

  test('closing a photo over every Chinese list shows the page below, whose menu can sign out', async () => {
    const { page } = await openTab(browser, gallery, '/');
    const found: string[] = [];
    for (const path of everyPage(full).viewers) {
      await page.goto(gallery.url + path);
      await page.getByRole('dialog').waitFor();
      await page.getByRole('button', { name: zh('info'), exact: true }).waitFor();
      found.push(...(await findFaults(page, path)));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await assertWayOut(page);
    }
    await page.goto(`${gallery.url}/photos/999`);
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    found.push(...(await findFaults(page, 'no photo')));
    assert.deepEqual(found, []);
    await page.close();
  });

  async function assertWayOut(page: Page): Promise<void> {
    await button(page, 'account').click();
    await page
      .locator('#account')
      .getByRole('button', { name: zh('signOut'), exact: true })
      .waitFor();
    await page.keyboard.press('Escape');
  }

  test('Chinese menus and forms that open within pages contain no English', async () => {
    const { page } = await openTab(browser, gallery, '/');
    await button(page, 'account').click();
    await button(page, 'keys').waitFor();
    const found = await look(page, 'menu of the account');
    await button(page, 'keys').click();
    await page.getByRole('dialog', { name: zh('keys') }).waitFor();
    found.push(...(await look(page, 'list of keys')));
    await page.goto(`${gallery.url}/settings/security?problem=refused`);
    await page.getByRole('alert').waitFor();
    await button(page, 'passwordChange').click();
    await page.getByLabel(zh('passwordNew')).waitFor();
    await button(page, 'factorSetUp').click();
    await page.getByLabel(zh('currentPassword')).nth(1).waitFor();
    found.push(...(await look(page, 'forms of security')));
    assert.deepEqual(found, []);
    await page.close();
  });

  test('Chinese dialogs about accounts, reports and invites contain no English', async () => {
    const { page } = await openTab(browser, gallery, '/admin/users');
    const found: string[] = [];
    const lookAtDialog = async (name: string) => {
      await page.getByRole('dialog').waitFor();
      found.push(...(await look(page, name)));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const acts = [
      ...['adminSetQuota', 'adminGrantRights', 'adminDisable'],
      ...['adminSignOutUser', 'adminResetLink', 'adminDelete'],
    ];
    for (const act of acts) {
      await button(page, 'adminActionsFor', { name: 'ben' }).click();
      await page.getByRole('menuitem', { name: zh(act), exact: true }).click();
      await lookAtDialog(act);
    }
    await page.goto(`${gallery.url}/admin/reports`);
    for (const act of ['adminRemove', 'adminDisable']) {
      await button(page, act).first().click();
      await lookAtDialog(`${act}, of a report`);
    }
    await page.goto(`${gallery.url}/admin/invites`);
    await button(page, 'adminInviteRevoke').click();
    await page.getByRole('dialog', { name: zh('adminInviteRevokeQuestion') }).waitFor();
    found.push(...(await look(page, 'end an invite')));
    assert.deepEqual(found, []);
    await page.close();
  });

  /** Walks through all dialogs, of which the last ends the session. */
  test('a Chinese dialog contains no English, moves nothing and has the focus', async () => {
    const { page } = await openTab(browser, gallery, '/');
    const found: string[] = [];
    await walkDialogs({ gallery, page, say: zh, ...full }, full.smart, async (name) => {
      found.push(...(await findFaults(page, name)));
      const isWithout = await page.evaluate(() => {
        const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
        return dialog !== undefined && !dialog.contains(document.activeElement);
      });
      if (isWithout) found.push(`${name}: the focus is outside`);
    });
    assert.deepEqual(found, []);
    await page.close();
  });
});
