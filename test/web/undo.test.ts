/** Tests that restoring trashed photos brings the wall and the focus back to their place. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { focused, moveToTile, tabTo } from './focus-stops.ts';
import { openTab, signIn, withoutWeb } from './steps.ts';

describe('undoing a trashed selection', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  const ids: number[] = [];

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    for (let n = 0; n < 5; n++) ids.push((await addPhoto(ann, { title: `Photo ${n}` })).id);
    browser = await openBrowser({ reducedMotion: 'reduce' });
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const open = async () => {
    const { page } = await openTab(browser, gallery, '/users/ann');
    await page.waitForLoadState('networkidle');
    return page;
  };
  const tile = (page: Page, n: number) => page.locator(`.tile[data-id="${ids[n]}"]`);
  const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });
  const undo = (page: Page) =>
    page.getByRole('region', { name: 'Status messages' }).getByRole('button', { name: 'Undo' });

  for (const way of ['the button', 'Ctrl+Z']) {
    test(`undoing a trashed selection restores all photos of the wall and the focus, by ${way}`, async () => {
      const page = await open();
      await moveToTile(page, /Photo 3/);
      await page.keyboard.press('x');
      await bar(page).waitFor();
      await page.keyboard.press('Control+a');
      await bar(page).getByText('5 selected').waitFor();
      await page.keyboard.press('Delete');
      await undo(page).waitFor();
      await page.locator('.tile').first().waitFor({ state: 'detached' });
      if (way === 'the button') {
        await tabTo(page, /^button Undo/);
        await page.keyboard.press('Enter');
      } else await page.keyboard.press('Control+z');
      await tile(page, 0).waitFor();
      await page.locator(`.tile[data-id="${ids[3]}"]:focus`).waitFor();
      await page.close();
    });
  }

  test('undoing a trashed selection keeps the other photos and the focus in place while scrolling', async () => {
    const page = await open();
    await moveToTile(page, /Photo 3/);
    await page.keyboard.press('x');
    await bar(page).waitFor();
    // Sends resize events all the time, which the wall treats like scrolling that never rests.
    await page.evaluate(() => setInterval(() => window.dispatchEvent(new Event('resize')), 20));
    const kept = await page.$$('.tile:not([aria-checked=true])');
    const others = await Promise.all(kept.map((one) => one.getAttribute('data-id')));
    await page.keyboard.press('Delete');
    await tile(page, 3).waitFor({ state: 'detached' });
    await page.locator(`.tile[data-id="${ids[2]}"]:focus`).waitFor();
    await page.keyboard.press('Control+z');
    await tile(page, 3).waitFor();
    assert.match(await focused(page), /Photo 2/);
    for (const [n, one] of kept.entries()) {
      if (others[n] === String(ids[3])) continue;
      assert.ok(await one.evaluate((element) => element.isConnected), `photo ${others[n]} was taken away`);
    }
    await page.close();
  });
});
