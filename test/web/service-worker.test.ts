/** The service worker: a page without a connection, and photos that another app shares. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, password, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { assertAccessible, openTab, signIn, withoutWeb } from './steps.ts';

describe('the service worker', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    await addPhoto(ann, { title: 'Rock', visibility: 'private' });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const waitForWorker = (page: Page) =>
    page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      if (!navigator.serviceWorker.controller)
        await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
    });
  const listCached = (page: Page) =>
    page.evaluate(async () => {
      const names = await caches.keys();
      const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return lists.flat().map(({ url }) => new URL(url).pathname);
    });
  /** Sends a form to the service worker, as a phone does when the user shares photos. */
  const share = (page: Page, files: number[][]) =>
    page.evaluate(async (all) => {
      const form = new FormData();
      for (const [index, bytes] of all.entries())
        form.append('files', new File([new Uint8Array(bytes)], `été ${index}.jpg`, { type: 'image/jpeg' }));
      await fetch('/share-target', { method: 'POST', body: form, redirect: 'manual' });
    }, files);

  test('without a connection, a page says so and opens again with one; nothing private is stored', async () => {
    await signIn(browser, gallery, ann);
    const { page } = await openTab(browser, gallery);
    await page.getByRole('link', { name: 'Rock' }).waitFor();
    await waitForWorker(page);
    await browser.context.setOffline(true);
    await page.goto(`${gallery.url}/albums`);
    await page.getByRole('heading', { name: 'Can’t reach the gallery' }).waitFor();
    await assertAccessible(page, 'offline');
    assert.deepEqual(await listCached(page), ['/offline']);
    await browser.context.setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Albums' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/albums');
    await page.close();
  });

  test('fifty photos that are shared while signed out are offered after signing in', async () => {
    await browser.context.clearCookies();
    const { page } = await openTab(browser, gallery);
    await waitForWorker(page);
    const photo = [...(await createJpeg())];
    await share(
      page,
      Array.from({ length: 50 }, () => photo),
    );
    await page.goto(`${gallery.url}/?shared`);
    await page.waitForURL('**/sign-in?**');
    await page.getByLabel('Username or email').fill('ann');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Upload 50 photos' }).waitFor();
    await page.getByText('été 0.jpg').waitFor();
    await page.waitForURL(`${gallery.url}/`);
    assert.deepEqual(await listCached(page), ['/offline']);
    await page.close();
  });

  test('files that are shared are deleted at sign-out', async () => {
    await signIn(browser, gallery, ann);
    const { page } = await openTab(browser, gallery);
    await waitForWorker(page);
    await share(page, [[1, 2, 3]]);
    assert.ok((await listCached(page)).includes('/shared/0'));
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    assert.deepEqual(await listCached(page), ['/offline']);
    await page.close();
  });
});
