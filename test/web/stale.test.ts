/**
 * Tests a tab from before an update of the gallery, which requests scripts that no longer exist. The tab
 * reloads once, and then shows the error.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, register } from '../support/people.ts';
import { openTab, withoutWeb } from './steps.ts';

describe('a tab that is older than the gallery', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    gallery = await startGallery();
    await addPhoto(await register(gallery, 'ann'), { title: 'Rock' });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  async function openWall() {
    const { page } = await openTab(browser, gallery);
    await page.locator('.tile[data-id]').first().waitFor();
    let loads = 0;
    page.on('load', () => loads++);
    return { page, loads: () => loads };
  }
  const signInPage = '**/assets/page-sign-in*.js';
  const failed = (page: Page) => page.getByRole('heading', { name: 'Something went wrong' });

  test('an outdated tab stays unchanged without a connection, and continues with a connection', async () => {
    const { page, loads } = await openWall();
    // Goes offline before any script of the sign-in page is loaded.
    await browser.context.setOffline(true);
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
    await failed(page).waitFor();
    await page.getByText('Check your connection.').waitFor();
    assert.equal(loads(), 0);
    await browser.context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Password').waitFor();
    await page.close();
  });

  test('an outdated tab reloads once, and shows a message if the reload does not help', async () => {
    const { page, loads } = await openWall();
    await intercept(page, signInPage, (route) => route.fulfill({ status: 404, body: '' }));
    const link = page.getByRole('banner').getByRole('link', { name: 'Sign in' });
    const anew = page.waitForEvent('load');
    await link.hover();
    await anew;
    await link.click();
    await failed(page).waitFor();
    assert.equal(loads(), 1);
    await page.unroute(signInPage);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Password').waitFor();
    await page.close();
  });
});
