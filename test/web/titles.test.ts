/** What a tab is called: tabs, bookmarks and the history are told apart by it, also where the page was opened directly. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, registerAdmin } from '../support/people.ts';
import { openTab, signIn, withoutWeb } from './steps.ts';

describe('titles of pages', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let ids: number[];

  before(async () => {
    gallery = await startGallery();
    ann = await registerAdmin(gallery, 'ann');
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

  test('a photo over its wall has its own, and the wall has its again', async () => {
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

  test('so have the pages of the administration, and a photo that is not there', async () => {
    await signIn(browser, gallery, ann);
    const { page } = await openTab(browser, gallery, '/admin/reports');
    await untilCalled(page, 'Reports · Lightwell');
    await page.getByRole('link', { name: 'Users' }).click();
    await untilCalled(page, 'Users · Lightwell');
    await page.goto(`${gallery.url}/photos/999`);
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
    await untilCalled(page, 'Nothing here · Lightwell');
    assert.equal(page.url(), `${gallery.url}/photos/999`);
    await page.close();
  });
});
