/** Every page with text twice as large: nothing is cut off at the side, and axe finds nothing. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, addPhoto, type Person, registerAdmin } from '../support/people.ts';
import { jpeg } from '../support/pictures.ts';
import { assertAccessible, signIn, withoutWeb } from './steps.ts';

describe('with text at 200 %', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let album: number;
  let photo: number;

  before(async () => {
    gallery = await startGallery();
    ann = await registerAdmin(gallery, 'ann');
    album = await addAlbum(gallery, ann, 'Alps in winter');
    for (let n = 0; n < 5; n++) {
      const picture = await jpeg({ width: 300 + n * 60, height: 220, colour: `hsl(${n * 40}, 45%, 45%)` });
      photo = (await addPhoto(ann, { title: `Photo ${n}`, album_id: String(album) }, picture)).id;
    }
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  async function openLarge(): Promise<Page> {
    const page = await browser.context.newPage();
    await page.addInitScript(() => {
      const enlarge = () => document.documentElement?.style.setProperty('font-size', '200%');
      enlarge();
      new MutationObserver(enlarge).observe(document, { childList: true });
    });
    return page;
  }

  /** What one has to scroll sideways for, and buttons that no scrolling brings. */
  const outside = (page: Page) =>
    page.evaluate(() => {
      const width = document.documentElement.clientWidth;
      const found: string[] = [];
      if (document.documentElement.scrollWidth > width + 1) found.push('the page is wider than its window');
      for (const one of document.querySelectorAll('button, a, input, select, h1, h2, p, label')) {
        if (!one.checkVisibility() || one.closest('.unseen')) continue;
        const { left, right } = one.getBoundingClientRect();
        let box = one.parentElement;
        while (box && !/auto|scroll/.test(getComputedStyle(box).overflowX)) box = box.parentElement;
        if (!box && right > left && (right > width + 2 || left < -2))
          found.push(`${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent}`);
      }
      return found;
    });

  async function walk(paths: string[]): Promise<string[]> {
    const page = await openLarge();
    const found: string[] = [];
    for (const path of paths) {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(gallery.url + path, { waitUntil: 'networkidle' });
      for (const [width, colorScheme] of [
        [390, 'light'],
        [1440, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        const where = `${path}, ${width} px, ${colorScheme}`;
        await assertAccessible(page, where).catch((error: Error) => found.push(error.message));
        for (const what of await outside(page)) found.push(`${where}: ${what}`);
      }
    }
    await page.close();
    return found;
  }

  test('signed out', async () => {
    assert.deepEqual(await walk(['/', '/sign-in', '/register', '/forgot', '/nowhere']), []);
  });

  test('of a person', async () => {
    await signIn(browser, gallery, ann);
    const own = ['/favorites', '/feed', '/trash', '/notifications', '/shares'];
    const settings = ['', '/account', '/security', '/keys', '/webhooks'].map((name) => `/settings${name}`);
    const people = ['', '/albums', '/followers'].map((name) => `/users/ann${name}`);
    const photos = ['/search?q=photo', '/albums', `/albums/${album}`, `/photos/${photo}`];
    assert.deepEqual(await walk([...photos, ...people, ...own, ...settings]), []);
  });

  test('of an admin', async () => {
    const names = ['', '/reports', '/users', '/invites', '/photos', '/comments', '/log'];
    assert.deepEqual(await walk(names.map((name) => `/admin${name}`)), []);
  });
});
