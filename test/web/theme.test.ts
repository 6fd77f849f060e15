/** Tests the choice of the theme in the account menu, whatever the colors of the system are. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, register } from '../support/people.ts';
import { assertAccessible, openTab, signIn, withoutWeb } from './steps.ts';

const light = 'rgb(247, 245, 242)';
const dark = 'rgb(22, 21, 20)';

describe('the theme', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    gallery = await startGallery();
    const ann = await register(gallery, 'ann');
    await addPhoto(ann, { title: 'Rock' });
    browser = await openBrowser();
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const readPaper = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  /** Returns the color of the browser's window, as the browser chooses it. */
  const readWindowColor = (page: Page) =>
    page.evaluate(() => {
      const colors = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
      return colors.find(({ media }) => matchMedia(media).matches)?.content;
    });
  async function choose(page: Page, theme: string) {
    const select = page.getByRole('combobox', { name: 'Theme' });
    if (!(await select.isVisible())) await page.getByRole('button', { name: 'Account' }).click();
    await select.selectOption({ label: theme });
  }

  test('a chosen theme holds at once, after a reload, and against the system', async () => {
    const { page, complaints } = await openTab(browser, gallery);
    await page.emulateMedia({ colorScheme: 'light' });
    assert.equal(await readPaper(page), light);
    await choose(page, 'Dark');
    assert.equal(await readPaper(page), dark);
    assert.equal(await readWindowColor(page), '#161514');
    await assertAccessible(page, 'dark by choice');
    await page.reload();
    assert.equal(await readPaper(page), dark);
    await page.emulateMedia({ colorScheme: 'dark' });
    await choose(page, 'Light');
    assert.equal(await readPaper(page), light);
    assert.equal(await readWindowColor(page), '#f7f5f2');
    await assertAccessible(page, 'light by choice');
    await choose(page, 'System');
    assert.equal(await readPaper(page), dark);
    await page.reload();
    await page.emulateMedia({ colorScheme: 'light' });
    assert.equal(await readPaper(page), light);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a chosen theme is there before any script has run', async () => {
    const { page } = await openTab(browser, gallery);
    await choose(page, 'Dark');
    await page.route('**/*.js', (route) => route.abort());
    await page.emulateMedia({ colorScheme: 'light' });
    await page.reload();
    await page.locator('header.bar').waitFor();
    assert.equal(await readPaper(page), dark);
    await page.close();
  });

  test('a page prints dark text on white paper, without bar and buttons', async () => {
    const { page } = await openTab(browser, gallery);
    await choose(page, 'Dark');
    await page.locator('.tile img').first().waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(await readPaper(page), 'rgb(255, 255, 255)');
    assert.equal(await page.locator('header.bar').isVisible(), false);
    assert.equal(await page.getByRole('slider').isVisible(), false);
    const tile = page.locator('.tile').first();
    assert.equal(await tile.isVisible(), true);
    assert.equal(await tile.evaluate((one) => getComputedStyle(one).breakInside), 'avoid');
    assert.ok((await tile.boundingBox())!.height <= 200);
    await page.close();
  });
});
