/**
 * Tests the list of keyboard shortcuts, on a wall and over a photo. chinese-pages.test.ts opens the list from
 * the menu.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { register } from '../support/people.ts';
import { addMonths, assertAccessible, inEveryLook, openTab, withoutWeb, years } from './steps.ts';

describe('the list of keys', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ids: number[];

  before(async () => {
    gallery = await startGallery({ tokenTtl: years });
    const ann = await register(gallery, 'ann');
    ids = await addMonths(gallery, ann, 1, 6);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const list = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const row = (page: Page, label: string) => list(page).locator('dl > div', { hasText: label });

  test('the list of keys opens with ? and closes with Esc, and matches the keys of the actions', async () => {
    const { page, calls, complaints } = await openTab(browser, gallery);
    await page.waitForSelector('.tile[data-id] img');
    await page.keyboard.press('?');
    await list(page).waitFor();
    assert.equal(await row(page, 'Move to trash').first().locator('kbd').first().textContent(), 'Del');
    assert.equal(await row(page, 'Like').locator('kbd').textContent(), 'L');
    assert.equal(
      await list(page).getByRole('heading', { name: 'Reports' }).count(),
      0,
      'admins alone have reports',
    );
    await inEveryLook(page, async (name) => assertAccessible(page, name));
    await page.keyboard.press('Escape');
    await list(page).waitFor({ state: 'detached' });
    assert.deepEqual(calls(), []);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('? is a letter in a text field, and opens the list of keys over a photo', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${ids[3]}`);
    await page.getByRole('dialog').getByText('Photo 3', { exact: true }).first().waitFor();
    await page.keyboard.press('?');
    await list(page).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Escape');
    await list(page).waitFor({ state: 'detached' });
    assert.match(page.url(), new RegExp(`/photos/${ids[3]}$`));
    await page.keyboard.press('Escape');
    await page.waitForURL(`${gallery.url}/`);
    await page.getByRole('searchbox').or(page.getByRole('combobox')).first().click();
    await page.keyboard.type('what?');
    assert.equal(await list(page).count(), 0);
    await page.close();
  });
});
