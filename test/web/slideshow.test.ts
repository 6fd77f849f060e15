/** Tests the slideshow of the viewer in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { assertAccessible, openTab, withoutWeb } from './steps.ts';

describe('the slideshow', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ids: number[];

  before(async () => {
    gallery = await startGallery();
    const ann: Person = await register(gallery, 'ann');
    ids = [];
    for (let n = 0; n < 3; n++) ids.unshift((await addPhoto(ann, { title: `Photo ${n}` })).id);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const bar = (page: Page) => page.getByRole('toolbar', { name: 'Slideshow' });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const untilShown = (page: Page, number: number) => page.waitForURL(`**/photos/${ids[number]}`);
  /** Opens the first photo, and starts the slideshow by its key. */
  async function start(): Promise<Page> {
    const { page } = await openTab(browser, gallery, `/photos/${ids[0]}`);
    await page.getByRole('dialog', { name: 'Photo 2', exact: true }).waitFor();
    await button(page, 'Share').or(button(page, 'Information')).first().waitFor();
    await page.keyboard.press('p');
    await bar(page).waitFor({ state: 'attached' });
    return page;
  }

  test('a slideshow shows each photo for the chosen seconds, and ends after the last photo', async () => {
    const page = await start();
    await button(page, '3 s').click();
    await page.locator('[aria-pressed=true]', { hasText: '3 s' }).waitFor();
    for (const number of [1, 2]) await untilShown(page, number);
    await bar(page).waitFor({ state: 'detached' });
    await untilShown(page, 2);
    await button(page, 'Information').waitFor();
    await page.close();
  });

  test('a click and keys pause a slideshow, and Escape ends the slideshow but not the viewer', async () => {
    const page = await start();
    await page.mouse.click(640, 300);
    await button(page, 'Resume slideshow').waitFor();
    await assertAccessible(page, 'the slideshow');
    await page.keyboard.press('p');
    await button(page, 'Pause slideshow').waitFor();
    await page.keyboard.press('ArrowRight');
    await untilShown(page, 1);
    await button(page, 'Resume slideshow').waitFor();
    // Shortcuts of the viewer do nothing during a slideshow.
    await page.keyboard.press('i');
    assert.equal(await page.getByRole('complementary', { name: 'Information' }).count(), 0);
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });
    await button(page, 'Information').waitFor();
    await page.waitForFunction(() => document.fullscreenElement === null);
    await page.close();
  });
});
