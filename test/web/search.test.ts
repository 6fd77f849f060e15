/**
 * Tests search in a real browser: by camera and tag, with chips, and back; invalid queries.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { createJpegWithExif } from '../support/pictures.ts';
import { addMonths, assertAccessible, inEveryLook, openTab, withoutWeb, years } from './steps.ts';

describe('search', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let tower: number;

  before(async () => {
    gallery = await startGallery({ tokenTtl: years });
    ann = await register(gallery, 'ann');
    await addMonths(gallery, ann, 3, 8);
    tower = (await addPhoto(ann, { title: 'Tower', tags: 'stone, old town' }, await createJpegWithExif())).id;
    await addPhoto(ann, { title: 'Bridge', tags: 'stone' });
    await addPhoto(ann, { title: '海边', tags: '海边日落' });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const field = (page: Page) => page.getByRole('combobox', { name: 'Search' });
  const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
  const tile = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const found = (page: Page, text: string) => page.getByRole('heading', { name: text, exact: true });
  const asked = (calls: string[]) => calls.filter((call) => call.includes('/api/search/suggest'));

  test('the search suggests cameras and tags, and shows them as chips that can be removed singly', async () => {
    const { page, calls, complaints } = await openTab(browser, gallery);
    await field(page).fill('canon');
    await option(page, /Canon EOS 500D/).waitFor();
    assert.deepEqual(asked(calls()), ['GET /api/search/suggest?keyword=canon']);
    await assertAccessible(page, 'suggestions');
    await option(page, /Canon EOS 500D/).click();
    await page.waitForURL('**/search?q=camera:%22Canon+EOS+500D%22');
    await found(page, '1 photo').waitFor();
    await tile(page, 'Tower').waitFor();
    assert.equal(await field(page).inputValue(), '');
    assert.deepEqual(
      calls().map((call) => call.split('?')[0]),
      ['GET /api/timeline', 'GET /api/photos'],
    );

    await field(page).fill('tag:old');
    await option(page, /old town/).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=camera:%22Canon+EOS+500D%22+tag:%22old+town%22');
    await tile(page, 'Tower').waitFor();
    await page.getByRole('link', { name: 'Remove filter: Camera Canon EOS 500D' }).click();
    await page.waitForURL('**/search?q=tag:%22old+town%22');
    await page.getByRole('link', { name: 'Remove filter: Tag old town' }).waitFor();
    assert.equal(await page.getByRole('link', { name: /^Remove filter: Camera/ }).count(), 0);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a tag of a photo opens all photos with that tag, and Back and a reload keep the result', async () => {
    const { page, complaints } = await openTab(browser, gallery, `/search?q=tower`);
    await found(page, '1 photo').waitFor();
    assert.equal(await field(page).inputValue(), 'tower');
    await tile(page, 'Tower').click();
    await page.waitForURL(`**/search/photos/${tower}?q=tower`);
    await page.getByRole('dialog').getByText('1 of 1').waitFor();
    await page.keyboard.press('i');
    await page.getByRole('link', { name: 'stone', exact: true }).click();
    await page.waitForURL('**/search?q=tag:stone');
    await found(page, '2 photos').waitFor();
    await page.goBack();
    await page.getByRole('dialog').getByText('1 of 1').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL('**/search?q=tower');
    await found(page, '1 photo').waitFor();
    await page.reload();
    await found(page, '1 photo').waitFor();
    await tile(page, 'Tower').waitFor();
    assert.equal(await field(page).inputValue(), 'tower');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('Back from a photo returns to the same place in the search result', async () => {
    const { page } = await openTab(browser, gallery, '/search?q=photo+by:ann');
    await page.setViewportSize({ width: 800, height: 500 });
    await found(page, '24 photos').waitFor();
    await page.getByRole('link', { name: 'Remove filter: Photographer ann' }).waitFor();
    await tile(page, 'Photo 23').waitFor();
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const last = tile(page, 'Photo 0');
    await last.waitFor();
    const { y: before } = (await last.boundingBox())!;
    await last.click();
    await page.getByRole('dialog').getByText('24 of 24').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('dialog').getByText('23 of 24').waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForURL('**/search?q=photo+by:ann');
    const { y: after } = (await last.boundingBox())!;
    assert.ok(Math.abs(after - before) < 200, `${before} and ${after}: less than a row`);
    await page.close();
  });

  test('an invalid search shows the position of the error, and the known fields', async () => {
    const { page, calls } = await openTab(browser, gallery, '/search?q=sea+iso:red');
    await page.getByRole('heading', { name: 'We couldn’t understand this search' }).waitFor();
    await page.getByText('Problem at character 5: "red" is not a value such as').waitFor();
    assert.equal(await page.locator('mark').textContent(), 'iso:red');
    assert.equal(await field(page).inputValue(), 'sea');
    assert.equal(calls().length, 1);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.getByRole('link', { name: 'camera:fuji' }).click();
    await page.waitForURL('**/search?q=camera:fuji');
    await page.close();
  });

  test('an input method sends nothing while composing, and then one Chinese character is enough', async () => {
    const { page, calls } = await openTab(browser, gallery);
    await tile(page, 'Photo 23').waitFor();
    const session = await browser.context.newCDPSession(page);
    await page.clock.install();
    await field(page).focus();
    for (const text of ['h', 'ha', 'hai']) {
      await session.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
      await page.waitForFunction((typed) => document.querySelector('input')!.value === typed, text);
    }
    // Advances the page's clock beyond the pause after which the page requests suggestions.
    await page.clock.runFor(1000);
    assert.deepEqual(asked(calls()), []);
    assert.equal(await page.getByRole('listbox').count(), 0);
    await page.clock.resume();
    await session.send('Input.insertText', { text: '海' });
    await option(page, /海边日落/).waitFor();
    assert.deepEqual(asked(calls()), [`GET /api/search/suggest?keyword=${encodeURIComponent('海')}`]);
    await option(page, /海边日落/).click();
    await found(page, '1 photo').waitFor();
    await page.close();
  });

  test('a key focuses the search field, one letter requests nothing, and Esc closes suggestions', async () => {
    const { page, calls } = await openTab(browser, gallery);
    await tile(page, 'Photo 23').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('s');
    await option(page, 'Search for “s”').waitFor();
    // Stops the page's clock, because on a busy machine a pause between two letters would count as the end of
    // typing.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1000);
    await page.keyboard.type('to');
    await option(page, 'Search for “sto”').waitFor();
    await page.clock.resume();
    await option(page, /stone/).waitFor();
    assert.deepEqual(asked(calls()), ['GET /api/search/suggest?keyword=sto']);
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=sto');
    await found(page, '2 photos').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.close();
  });

  /** Holds the script for suggestions back until the returned function is called. */
  const holdSuggestions = async (page: Page): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await intercept(page, '**/assets/search-box-*.js', async (route) => {
      await promise;
      await route.continue();
    });
    return resolve;
  };

  test('no word is lost that is typed before the suggestions load, and Enter searches', async () => {
    const { page, complaints } = await openTab(browser, gallery);
    const release = await holdSuggestions(page);
    await tile(page, 'Photo 23').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('sto');
    assert.equal(await field(page).inputValue(), 'sto');
    release();
    await option(page, /stone/).waitFor();
    await page.keyboard.type('n');
    assert.equal(await field(page).inputValue(), 'ston');
    await page.close();

    const other = await openTab(browser, gallery);
    const letGo = await holdSuggestions(other.page);
    await tile(other.page, 'Photo 23').waitFor();
    await field(other.page).fill('stone');
    await field(other.page).press('Enter');
    await other.page.waitForURL('**/search?q=stone');
    await found(other.page, '2 photos').waitFor();
    letGo();
    await other.page.waitForSelector('[role=combobox][aria-controls]');
    assert.equal(await field(other.page).inputValue(), 'stone');
    assert.deepEqual([...complaints, ...other.complaints], []);
    await other.page.close();
  });

  test('the search loads suggestions only after the field has the focus', async () => {
    const page = await browser.context.newPage();
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    await page.goto(gallery.url);
    await tile(page, 'Photo 23').waitFor();
    const isOfSearch = (url: string) => url.includes('/assets/search-box-');
    assert.ok(scripts.length > 0);
    assert.equal(scripts.some(isOfSearch), false);
    const loaded = page.waitForRequest((request) => isOfSearch(request.url()));
    await field(page).hover();
    await loaded;
    await page.close();
  });
});
