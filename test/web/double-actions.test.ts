/** Tests that a double click counts as one action: each form is sent once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { openTab, signIn, type Tab, withoutWeb } from './steps.ts';

describe('clicking twice creates one', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let photo: number;

  before(async () => {
    gallery = await startGallery({ webhookAllowPrivate: true });
    ann = await register(gallery, 'ann');
    photo = (await addPhoto(ann, { title: 'Rock' })).id;
    browser = await openBrowser();
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  /**
   * Asserts one request for two clicks. The response is delayed, as on a slow connection. `isThere` appears
   * after the response.
   */
  async function assertOnce({ page, calls }: Tab, path: string, button: Locator, isThere: Locator) {
    await intercept(page, path, async (route) => {
      if (route.request().method() === 'POST') await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    calls();
    await button.dblclick();
    await isThere.waitFor();
    assert.equal(calls().filter((call) => call.startsWith('POST')).length, 1);
  }

  test('clicking twice creates one album', async () => {
    const tab = await openTab(browser, gallery, '/albums');
    const { page } = tab;
    await page.getByRole('button', { name: 'New album' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Alps');
    const there = page.getByRole('heading', { name: 'Alps' });
    await assertOnce(tab, '**/api/albums', dialog.locator('[type=submit]'), there);
    assert.equal((await ann.get('/api/albums')).body.data.pagination.total, 1);
    await page.close();
  });

  test('clicking twice creates one API key and one webhook', async () => {
    const tab = await openTab(browser, gallery, '/settings/keys');
    const { page } = tab;
    await page.getByLabel('Name').fill('Frame');
    const make = page.getByRole('button', { name: 'Create key' });
    await assertOnce(tab, '**/api/auth/tokens', make, page.getByLabel('API key', { exact: true }));
    assert.equal((await ann.get('/api/auth/tokens')).body.data.list.length, 1);

    await page.goto(`${gallery.url}/settings/webhooks`);
    await page.getByLabel('URL').fill('http://127.0.0.1:9/x');
    const makeHook = page.getByRole('button', { name: 'Create webhook' });
    await assertOnce(tab, '**/api/webhooks', makeHook, page.getByLabel('Secret', { exact: true }));
    assert.equal((await ann.get('/api/webhooks')).body.data.list.length, 1);
    await page.close();
  });

  test('clicking twice creates one link and one comment', async () => {
    const tab = await openTab(browser, gallery, `/photos/${photo}`);
    const { page } = tab;
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const make = page.getByRole('button', { name: 'Create link' });
    await assertOnce(tab, '**/share', make, page.getByLabel('Link', { exact: true }));
    assert.equal((await ann.get('/api/shares')).body.data.pagination.total, 1);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Information', exact: true }).click();
    await page.getByRole('textbox', { name: 'Write a comment' }).fill('What a light!');
    const send = page.getByRole('button', { name: 'Post' });
    await assertOnce(tab, '**/comments', send, page.getByRole('article').getByText('What a light!'));
    assert.equal((await ann.get(`/api/photos/${photo}/comments`)).body.data.pagination.total, 1);
    await page.close();
  });
});
