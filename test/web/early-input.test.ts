/** Tests that input is not lost before the page's script has loaded, while the server's HTML is visible. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { signIn, withoutWeb } from './steps.ts';

describe('the first HTML and the page', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    for (const title of ['Rock', 'River', 'Tree']) await addPhoto(ann, { title });
    browser = await openBrowser();
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const tile = (page: Page, name: string) => page.locator(`.tile:has(img[alt="${name}"])`);
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.querySelector('img')?.getAttribute('alt'));

  /**
   * Opens a page that shows only the server's HTML until `go` is called. The page's start script already
   * runs.
   */
  async function openHeld() {
    const page = await browser.context.newPage();
    let held: Route | undefined;
    await page.route(/\/assets\/common-[^/]*\.js$/, (route) => {
      held = route;
    });
    const asked = page.waitForRequest(/\/assets\/common-[^/]*\.js$/);
    await page.goto(gallery.url, { waitUntil: 'commit' });
    await asked;
    await tile(page, 'River').waitFor();
    // Waits for the first effect of the page's script.
    await page.waitForFunction(() => history.scrollRestoration === 'manual');
    assert.equal(await page.locator('[data-check]').count(), 0, 'the page is there already');
    return {
      page,
      async go() {
        await held!.continue();
        await page.locator('[data-check]').first().waitFor();
      },
    };
  }

  test('the focused tile keeps the focus and its keys when the script starts', async () => {
    const { page, go } = await openHeld();
    await tile(page, 'River').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('x');
    await go();
    await page.getByRole('region', { name: 'Selection' }).getByText('2 selected').waitFor();
    assert.equal(await focused(page), 'Rock');
    assert.equal(await tile(page, 'River').getAttribute('data-selected'), 'true');
    await page.close();
  });

  test('an early key acts on the tile that had the focus, also when the focus has moved on since', async () => {
    const { page, go } = await openHeld();
    await tile(page, 'River').focus();
    await page.keyboard.press('x');
    await tile(page, 'Rock').focus();
    await go();
    await page.getByRole('region', { name: 'Selection' }).getByText('1 selected').waitFor();
    assert.equal(await tile(page, 'River').getAttribute('data-selected'), 'true');
    assert.equal(await focused(page), 'Rock');
    await page.close();
  });

  test('keys that arrive while the code of the selection loads, and just after, count once each', async () => {
    const page = await browser.context.newPage();
    await page.goto(gallery.url);
    await tile(page, 'Tree').and(page.locator(':not([data-waits])')).waitFor();
    await page.locator('[data-check]').first().waitFor();
    // Sends a key in every event-loop tick, from before the wall's script is loaded until after that.
    const presses = await page.evaluate(async () => {
      const first = document.querySelector<HTMLElement>('.tile[data-id]')!;
      first.focus();
      let count = 0;
      const press = () => {
        count++;
        document.activeElement!.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'x', bubbles: true, cancelable: true }),
        );
      };
      const isThere = () => document.querySelector('[role=region], section[aria-label=Selection]') !== null;
      let after = 0;
      while (after < 20) {
        press();
        await new Promise((resolve) => setTimeout(resolve));
        if (isThere() || count > 3000) after++;
      }
      return count;
    });
    const selected = await page.locator('.tile[data-selected]').count();
    assert.equal(selected, presses % 2, `${presses} presses`);
    await page.close();
  });
});
