/** The service worker: photos that another app shares with the gallery. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { type Person, password, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { openTab, signIn, withoutWeb } from './steps.ts';

describe('the service worker', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  /** Waits until the worker runs. It controls no page. */
  const waitForWorker = (page: Page) =>
    page.evaluate(async () => {
      while (!(await navigator.serviceWorker.getRegistration('/share-target'))?.active)
        await new Promise((resolve) => setTimeout(resolve, 50));
      return navigator.serviceWorker.controller;
    });
  const countStored = (page: Page) =>
    page.evaluate(async () => {
      const names = await caches.keys();
      const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return lists.flat().length;
    });
  /** Sends a form to the share target, as a phone does when the user shares photos. */
  async function share(page: Page, count: number, bytes: number[]): Promise<void> {
    await page.goto('about:blank');
    const shown = page.waitForURL((url) => url.pathname !== '/share-target' && url.origin === gallery.url);
    await page.evaluate(
      ({ url, count, bytes }) => {
        const form = document.createElement('form');
        Object.assign(form, {
          method: 'post',
          enctype: 'multipart/form-data',
          action: `${url}/share-target`,
        });
        const input = document.createElement('input');
        Object.assign(input, { type: 'file', name: 'files', multiple: true });
        const files = new DataTransfer();
        for (let n = 0; n < count; n++)
          files.items.add(new File([new Uint8Array(bytes)], `été ${n}.jpg`, { type: 'image/jpeg' }));
        input.files = files.files;
        form.append(input);
        document.body.append(form);
        form.submit();
      },
      { url: gallery.url, count, bytes },
    );
    await shown;
  }

  test('fifty photos that are shared while signed out are offered after signing in', async () => {
    const { page } = await openTab(browser, gallery);
    assert.equal(await waitForWorker(page), null);
    await share(page, 50, [...(await createJpeg())]);
    await page.waitForURL('**/sign-in?**');
    assert.equal(await countStored(page), 50);
    await page.getByLabel('Username or email').fill('ann');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Upload 50 photos' }).waitFor();
    await page.getByText('été 0.jpg').waitFor();
    await page.waitForURL(`${gallery.url}/`);
    assert.equal(await countStored(page), 0);
    await page.close();
  });

  test('files that are shared are deleted at sign-out', async () => {
    await browser.context.clearCookies();
    const { page } = await openTab(browser, gallery);
    await waitForWorker(page);
    await share(page, 1, [1, 2, 3]);
    await page.waitForURL('**/sign-in?**');
    await signIn(browser, gallery, ann);
    await page.goto(`${gallery.url}/albums`);
    assert.equal(await countStored(page), 1);
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    assert.equal(await countStored(page), 0);
    await page.close();
  });

  test('photos that are shared before the worker runs lead to a sentence', async () => {
    await signIn(browser, gallery, ann);
    const page = await browser.context.newPage();
    await page.goto(`${gallery.url}/albums`);
    await waitForWorker(page);
    await page.goto(`${gallery.url}/?shared`);
    await page.getByText('The shared photos couldn’t be received.').waitFor();
    await page.close();
  });
});
