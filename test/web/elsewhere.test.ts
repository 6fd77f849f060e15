/**
 * Tests links to a photo inside a list that lacks the photo or cannot locate it: the viewer uses the wall
 * of all photos.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, addPhoto, type Person, register } from '../support/people.ts';
import { openTab, signIn, withoutWeb } from './steps.ts';

describe('a photo that its list does not show', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let album: number;
  let ids: number[];

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    const ben = await register(gallery, 'ben');
    ids = [];
    for (const title of ['First', 'Second', 'Third']) ids.push((await addPhoto(ben, { title })).id);
    album = await addAlbum(ben, 'Alps');
    await ann.post('/api/users/ben/follow', { followed: true });
    browser = await openBrowser();
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  test('a link to a photo deep in the feed opens the photo among the neighbors of the main list', async () => {
    const { page } = await openTab(browser, gallery);
    // Simulates a long feed whose first pages contain photos of other users only.
    await intercept(page, '**/api/feed?*', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      body.data.list = body.data.list.filter(({ id }: { id: number }) => id !== ids[1]);
      body.data.pagination = { page: 1, limit: 100, total: 5000, pages: 50 };
      await route.fulfill({ response: answer, json: body });
    });
    await page.goto(`${gallery.url}/feed/photos/${ids[1]}`);
    await page.getByRole('dialog').getByText('2 of 3').waitFor();
    assert.equal(new URL(page.url()).pathname, `/photos/${ids[1]}`);
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(`**/photos/${ids[0]}`);
    await page.keyboard.press('Escape');
    await page.waitForURL(`${gallery.url}/`);
    await page.close();
  });

  test('a link to a photo outside the album, favorites or search opens the photo in the main list', async () => {
    const { page } = await openTab(browser, gallery);
    for (const path of [`/albums/${album}`, '/favorites', '/search/']) {
      const query = path === '/search/' ? '?q=tag:none' : '';
      await page.goto(`${gallery.url}${path.replace(/\/$/, '')}/photos/${ids[1]}${query}`);
      await page.getByRole('dialog').getByText('2 of 3').waitFor();
      assert.equal(new URL(page.url()).pathname, `/photos/${ids[1]}`);
    }
    await page.goto(`${gallery.url}/favorites/photos/999`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.close();
  });
});
