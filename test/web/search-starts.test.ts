/**
 * Tests what the search offers before anything is typed, and what an empty search result says, in a real browser.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, addPhoto, type Person, register } from '../support/people.ts';
import { createJpegWithExif } from '../support/pictures.ts';
import { addMonths, assertAccessible, inEveryLook, openTab, withoutWeb, years } from './steps.ts';

describe('the start of a search', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;

  before(async () => {
    gallery = await startGallery({ tokenTtl: years });
    ann = await register(gallery, 'ann');
    await addMonths(gallery, ann, 3, 2);
    const harbour = await addAlbum(ann, 'Harbour');
    await addPhoto(
      ann,
      { title: 'Tower', tags: 'stone', album_id: String(harbour) },
      await createJpegWithExif(),
    );
    await addPhoto(ann, { title: 'Bridge', tags: 'stone, river' });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const field = (page: Page) => page.getByRole('combobox', { name: 'Search' });
  const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
  const found = (page: Page, text: string) => page.getByRole('heading', { name: text, exact: true });
  const groups = async (page: Page) => {
    const list = page.getByRole('listbox');
    return list.getByRole('group').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  };

  test('the focused search offers years, cameras, people, tags and albums, by keyboard and pointer', async () => {
    const { page, calls, complaints } = await openTab(browser, gallery);
    await field(page).focus();
    await option(page, /Canon EOS 500D/).waitFor();
    await option(page, 'Harbour').waitFor();
    assert.deepEqual(await groups(page), ['Years', 'Cameras', 'People', 'Tags', 'Albums']);
    assert.deepEqual(
      calls()
        .filter((call) => /facets|albums|suggest/.test(call))
        .map((call) => call.split('?')[0])
        .sort(),
      ['GET /api/albums', 'GET /api/facets'],
    );
    await inEveryLook(page, (name) => assertAccessible(page, name));
    const year = (await page.getByRole('option').first().textContent())!.slice(0, 4);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/search?q=taken:${year}`);
    await field(page).click();
    await option(page, /^ann/).click();
    await page.waitForURL(`**/search?q=taken:${year}+by:ann`);
    await page.goto(gallery.url);
    await field(page).click();
    await option(page, 'Harbour').click();
    await page.waitForURL('**/albums/*');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the focused search offers only what narrows the search further', async () => {
    const { page } = await openTab(browser, gallery, '/search?q=tag:river');
    await found(page, '1 photo').waitFor();
    await field(page).click();
    await option(page, /^river/).waitFor();
    assert.equal(await option(page, /Canon/).count(), 0);
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await page.close();
  });

  test('the search offers recent searches that found photos, until they are cleared', async () => {
    const { page } = await openTab(browser, gallery);
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${gallery.url}/search?q=stone`);
    await found(page, '2 photos').waitFor();
    await page.goto(`${gallery.url}/search?q=nothingatall`);
    await found(page, 'No photos found').waitFor();
    await page.goto(`${gallery.url}/search?q=tower`);
    await found(page, '1 photo').waitFor();
    await page.goto(gallery.url);
    await field(page).click();
    // The tag of the same name follows with its number of photos.
    await page.getByRole('option', { name: 'stone', exact: true }).waitFor();
    const first = await page.getByRole('option').allTextContents();
    assert.deepEqual(first.slice(0, 3), ['tower', 'stone', 'Clear recent searches']);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await option(page, 'Clear recent searches').click();
    await option(page, /Canon/).waitFor();
    assert.equal(await option(page, 'tower').count(), 0);
    await page.reload();
    await field(page).click();
    await option(page, /Canon/).waitFor();
    assert.ok(!(await groups(page)).includes('Recent searches'));
    await page.close();
  });

  test('an empty result says what was searched, and offers a search that finds photos', async () => {
    const { page } = await openTab(browser, gallery, '/search?q=stone+1850+-tag:river+iso:>=25600');
    await found(page, 'No photos found').waitFor();
    await page.getByText('A photo must match all of these:').waitFor();
    for (const text of [
      /“stone” in titles/,
      /“1850” in texts and names, or as the date taken: 1850/,
      /Not: Tag river/,
      /ISO >=25600/,
    ])
      await page.getByRole('listitem').filter({ hasText: text }).last().waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.goto(`${gallery.url}/search?q=tag:stone+iso:>=25600`);
    await page.getByRole('link', { name: 'Search for “tag:stone”' }).click();
    await page.waitForURL('**/search?q=tag:stone');
    await found(page, '2 photos').waitFor();
    await page.close();
  });

  test('the suggestions of a typed text include albums', async () => {
    const { page } = await openTab(browser, gallery);
    await field(page).fill('harb');
    await option(page, 'Harbour').click();
    await page.waitForURL('**/albums/*');
    await page.close();
  });
});
