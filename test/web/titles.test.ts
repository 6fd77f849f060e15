/**
 * Tests that the tab title follows the photo over a wall. large-text.test.ts checks the titles of all pages.
 */
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, register } from '../support/people.ts';
import { openTab, withoutWeb } from './steps.ts';

describe('the title of a tab', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ids: number[];

  before(async () => {
    gallery = await startGallery();
    const ann = await register(gallery, 'ann');
    ids = [];
    for (const title of ['Rock', '']) ids.push((await addPhoto(ann, { title })).id);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const untilCalled = (page: Page, title: string) =>
    page.waitForFunction((wanted) => document.title === wanted, title);

  test('the tab has the title of the open photo, and then the title of the wall again', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${ids[0]}`);
    await page.getByRole('dialog').waitFor();
    await untilCalled(page, 'Rock · Lightwell');
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(`**/photos/${ids[1]}`);
    await untilCalled(page, 'Photo by ann · Lightwell');
    await page.keyboard.press('Escape');
    await untilCalled(page, 'Lightwell');
    await page.close();
  });
});
