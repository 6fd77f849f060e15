/** Tests albums in a real browser: search, view, nested albums, smart albums. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe('albums', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let trip: number;
  let day: number;
  let boats: number;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    await register(gallery, 'ben');
    trip = await addAlbum({ name: 'Trip', description: 'To the sea and back.' });
    day = await addAlbum({ name: 'First day', parent_id: trip });
    await addAlbum({ name: 'Evening', parent_id: day, is_public: 0 });
    boats = await addAlbum({ name: 'Boats', rule: 'tag:boat' });
    for (let n = 1; n <= 12; n++) {
      const picture = await createJpeg({
        width: 200 + (n % 4) * 50,
        height: 200,
        colour: `hsl(${n * 30}, 40%, 45%)`,
      });
      await addPhoto(
        ann,
        { title: `Sea ${n}`, album_id: String(trip), tags: n % 3 === 0 ? 'boat' : '' },
        picture,
      );
    }
    await addPhoto(ann, { title: 'Diary', album_id: String(trip), is_public: '0' });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  async function addAlbum(album: object): Promise<number> {
    const { body } = await ann.post('/api/albums', album);
    assert.equal(body.code, 0);
    return body.data.id;
  }

  const tile = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

  async function openAs(name: string, path: string) {
    await browser.context.clearCookies();
    await signIn(browser, gallery, { name });
    const tab = await openTab(browser, gallery, path);
    tab.calls();
    return tab;
  }

  test('albums lead from the navigation through nested albums to a photo', async () => {
    const { page, calls, complaints } = await openAs('ann', '/');
    await page.getByRole('link', { name: 'Albums', exact: true }).click();
    await heading(page, 'Albums').waitFor();
    await page
      .getByRole('list', { name: 'Sub-albums of “Trip”' })
      .getByRole('link', { name: /^First day/ })
      .waitFor();
    await page.getByRole('link', { name: /^Evening Private/ }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    calls();
    await page.getByRole('link', { name: /^Trip 13 photos · 1 album/ }).click();
    await heading(page, 'Trip').waitFor();
    await page.getByText('To the sea and back.').waitFor();
    await page.getByText('Everyone can see this album. Photos for fewer people stay hidden.').waitFor();
    await tile(page, 'Sea 1').click();
    await page.waitForURL(`**/albums/${trip}/photos/*`);
    await page.getByRole('dialog').getByText('1 of 13').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(`**/albums/${trip}`);
    // The page preloads the album under the pointer, and no other list.
    const lists = calls().filter((call) => call.includes(`/albums/${trip}`));
    assert.deepEqual(lists.sort(), [
      `GET /api/albums/${trip}`,
      `GET /api/albums/${trip}/photos?page=1&limit=100`,
    ]);
    await page.getByRole('link', { name: /^First day/ }).click();
    await heading(page, 'First day').waitFor();
    await page.getByRole('link', { name: /^Evening Private/ }).click();
    await heading(page, 'Evening').waitFor();
    await page.getByText('Only you, admins and people with a link can see this album.').waitFor();
    await page.getByText('This album is empty').waitFor();
    await page.getByText('Drop photos or folders here').waitFor();
    // On a phone the page offers no drop area.
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload photos' }).click();
    await chooser;
    await page.getByRole('navigation', { name: 'Album path' }).getByRole('link', { name: 'Trip' }).click();
    await heading(page, 'Trip').waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('albums appear from the document without a call, and nothing moves when the script starts', async () => {
    await browser.context.clearCookies();
    await signIn(browser, gallery, ann);
    const measureBoxes = (at: Page) =>
      at.$$eval('.tile[data-id], .album-head h1, .album-card', (all) =>
        all.map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          return [x, y, width, height].map((length) => Math.round(length));
        }),
      );
    for (const width of [360, 390, 1440]) {
      const plain = await browser.context.newPage();
      await plain.setViewportSize({ width, height: 1600 });
      await plain.route('**/*.js', (route) => route.abort());
      await plain.goto(`${gallery.url}/albums/${trip}`);
      const before = await measureBoxes(plain);
      await plain.close();
      const tab = await openTab(browser, gallery, '/sign-in');
      await tab.page.setViewportSize({ width, height: 1600 });
      tab.calls();
      await tab.page.goto(`${gallery.url}/albums/${trip}`);
      await tab.page.getByRole('link', { name: 'Download ZIP' }).waitFor();
      await tab.page.getByText('13 photos · 1 album').waitFor();
      // The menu button appears last, because its script is loaded separately.
      await tab.page.getByRole('button', { name: 'Album options' }).waitFor();
      assert.deepEqual(await measureBoxes(tab.page), before, `${width} px`);
      assert.deepEqual(tab.calls(), []);
      await inEveryLook(tab.page, (name) => assertAccessible(tab.page, name));
      assert.deepEqual(tab.complaints, []);
      await tab.page.close();
    }
  });

  test("a person's page shows others the public albums, without audience and private albums", async () => {
    const { page, complaints } = await openAs('ben', '/users/ann');
    await page.getByRole('link', { name: '3 albums' }).click();
    await page.waitForURL('**/users/ann/albums');
    await heading(page, 'Albums').waitFor();
    await page.getByRole('link', { name: /^Trip 12 photos/ }).waitFor();
    assert.equal(await page.getByText('Evening').count(), 0);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.getByRole('link', { name: /^Trip 12 photos/ }).click();
    await heading(page, 'Trip').waitFor();
    await tile(page, 'Sea 2').waitFor();
    assert.equal(await page.getByRole('link', { name: /^Diary/ }).count(), 0);
    assert.equal(await page.getByText('can see this album').count(), 0);
    await page.getByRole('link', { name: 'ann', exact: true }).click();
    await page.waitForURL('**/users/ann');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the panel of a photo leads to the album that contains the photo', async () => {
    const { page, complaints } = await openAs('ben', '/users/ann');
    await tile(page, 'Sea 12').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Information' }).click();
    const panel = page.getByRole('complementary', { name: 'Information' });
    await panel.getByRole('link', { name: 'Trip', exact: true }).click();
    await page.waitForURL(`${gallery.url}/albums/${trip}`);
    await heading(page, 'Trip').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a smart album shows its rule, and opens the rule as a search', async () => {
    const { page, complaints } = await openAs('ann', `/albums/${boats}`);
    await heading(page, 'Boats').waitFor();
    await page.getByText('4 photos').waitFor();
    await page.getByRole('list', { name: 'Rule' }).getByText('Tag').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.getByRole('link', { name: 'Open as search' }).click();
    await page.waitForURL('**/search?q=tag:boat+by:ann');
    await heading(page, '4 photos').waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a missing or hidden album shows an explanation and links to other pages', async () => {
    const { page } = await openAs('ben', '/albums/999999');
    await heading(page, 'Album not found').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.getByRole('link', { name: 'Go to my albums' }).click();
    await page.getByText('No albums yet').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.close();
  });
});
