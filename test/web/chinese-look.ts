/** Set-up and checks of the tests of every page and dialog in Simplified Chinese. */
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { oidcClient } from '../support/oidc.ts';
import { findEnglish, zh } from './chinese.ts';
import { type FullGallery, fillGallery } from './every-page.ts';
import { moved, watchMotion } from './motion.ts';
import { assertAccessible } from './steps.ts';

export interface ChineseGallery {
  gallery: Gallery;
  browser: Browser;
  full: FullGallery;
}

export async function openChineseGallery(): Promise<ChineseGallery> {
  // These tests do not connect to the provider, so its URL leads nowhere.
  const oidc = { ...oidcClient, issuer: 'http://127.0.0.1:9', name: '示例俱乐部', adminClaim: undefined };
  const gallery = await startGallery({ oidc });
  const full = await fillGallery(gallery, { album: '旅行', photo: '湖水', comment: '真美' });
  const browser = await openBrowser({ locale: 'zh-CN', reducedMotion: 'reduce' });
  browser.context.setDefaultTimeout(20_000);
  await browser.context.addInitScript(watchMotion);
  return { gallery, browser, full };
}

export const button = (page: Page, key: string, values = {}) =>
  page.getByRole('button', { name: zh(key, values), exact: true });

/** Returns the English texts of a page, and everything in it that has moved. */
export const findFaults = async (page: Page, where: string): Promise<string[]> =>
  [...(await findEnglish(page)), ...(await moved(page))].map((fault) => `${where}: ${fault}`);

/** Checks the accessibility of a page that no other test opens. */
export async function look(page: Page, where: string): Promise<string[]> {
  await assertAccessible(page, where);
  return findFaults(page, where);
}

export async function assertWayOut(page: Page): Promise<void> {
  await page.locator('[popovertarget=account]').click();
  await page
    .locator('#account')
    .getByRole('button', { name: zh('signOut'), exact: true })
    .waitFor();
  await page.keyboard.press('Escape');
}
