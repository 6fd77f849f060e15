/** The service worker: a page without a connection, and photos that another app shares. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRead } from '../support/assert-answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
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
    browser = await openBrowser({ serviceWorkers: 'allow' });
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  /** Waits for the service worker, which controls the pages that are opened after its start. */
  const waitForWorker = async (page: Page) => {
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.reload();
    assert.ok(await page.evaluate(() => navigator.serviceWorker.controller !== null));
  };
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
    await page.getByRole('heading', { name: 'You’re offline' }).waitFor();
    await assertAccessible(page, 'offline');
    assert.deepEqual(await listCached(page), ['/offline']);
    await browser.context.setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Albums', exact: true }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/albums');
    await page.close();
  });

  test('a change that is saved as the page closes arrives', async () => {
    const { page } = await openTab(browser, gallery);
    await waitForWorker(page);
    for (let round = 0; round < 5; round++) {
      await page.goto(gallery.url);
      await page.getByRole('link', { name: 'Rock' }).waitFor();
      const nickname = `Ann ${round}`;
      await page.evaluate((body) => {
        const headers = { 'Content-Type': 'application/json' };
        addEventListener('pagehide', () => {
          void fetch('/api/auth/profile', { method: 'PUT', keepalive: true, headers, body });
        });
      }, JSON.stringify({ nickname }));
      await page.goto(`${gallery.url}/docs`);
      await eventually(async () =>
        assert.equal(assertRead(await ann.get('/api/auth/user')).nickname, nickname),
      );
    }
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
