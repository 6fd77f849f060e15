/**
 * Tests pages that the browser translates. A script plays the translator: it replaces each text node with `<font>`
 * elements, also in content that appears later.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { type Person, register } from '../support/people.ts';
import { addMonths, openTab, signIn, withoutWeb, years } from './steps.ts';

/** Replaces text nodes like the translators of Chrome and Edge. Latin letters become full-width letters. */
function translate(): void {
  const skipped = 'script, style, font, textarea, [translate=no]';
  const widen = (text: string) =>
    text.replaceAll(/[a-zA-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
  const translateIn = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest(skipped)) continue;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = widen(text.data);
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  translateIn(document.body);
  let timer = 0;
  new MutationObserver(() => {
    clearTimeout(timer);
    timer = window.setTimeout(() => translateIn(document.body), 20);
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}

const wide = (text: string) =>
  text.replaceAll(/[a-zA-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));

describe('a page that the browser translates', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let ids: number[];

  before(async () => {
    gallery = await startGallery({ tokenTtl: years });
    ann = await register(gallery, 'ann');
    ids = await addMonths(gallery, ann, 2, 4);
    browser = await openBrowser();
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  async function openTranslated(path: string): Promise<{ page: Page; complaints: string[] }> {
    const { page, complaints } = await openTab(browser, gallery, path);
    await page.waitForSelector('.tile[data-id] img, [role=dialog] img');
    await page.evaluate(translate);
    await page.locator('font').first().waitFor({ state: 'attached' });
    return { page, complaints };
  }

  test('likes, opens the next photo and closes the viewer', async () => {
    const { page, complaints } = await openTranslated(`/photos/${ids[2]}`);
    const like = page.locator('button[data-action=like]');
    for (const isLiked of ['true', 'false', 'true']) {
      await page.keyboard.press('l');
      await page.locator(`button[data-action=like][aria-pressed=${isLiked}]`).waitFor();
    }
    assert.equal(await like.count(), 1);
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(`**/photos/${ids[1]}`);
    await page.keyboard.press('i');
    await page.keyboard.press('i');
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(`**/photos/${ids[2]}`);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.pathname === '/');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('likes a comment and takes the like back, which adds and removes a number beside an icon', async () => {
    await ann.post(`/api/photos/${ids[0]}/comments`, { content: 'Fog over the bay' });
    const { page, complaints } = await openTranslated(`/photos/${ids[0]}`);
    await page.keyboard.press('i');
    const like = page.locator('[aria-pressed]:has(.unseen):has(svg)', { hasNot: page.locator('img') }).last();
    await page.getByText(wide('Fog over the bay')).waitFor();
    for (const [isLiked, words] of [
      [true, /1$/],
      [false, /[^1]$/],
      [true, /1$/],
      [false, /[^1]$/],
    ] as const) {
      await like.click();
      await page.waitForFunction(
        ([pressed, source]) =>
          [...document.querySelectorAll(`[aria-pressed=${pressed}]:has(.unseen):has(svg)`)].some((one) =>
            new RegExp(source!).test(one.textContent!),
          ),
        [String(isLiked), words.source],
      );
      // The translator replaces new text nodes a moment later.
      await page.waitForTimeout(150);
    }
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('selects photos, counts them in the new words, and clears the selection', async () => {
    const { page, complaints } = await openTranslated('/');
    await page.locator(`.tile[data-id="${ids[7]}"]`).focus();
    await page.keyboard.press('x');
    await page
      .getByText(`1 ${wide('selected')}`)
      .first()
      .waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('x');
    await page
      .getByText(`2 ${wide('selected')}`)
      .first()
      .waitFor();
    assert.equal(await page.getByText(`1 ${wide('selected')}`).count(), 0, 'outdated words are gone');
    await page.keyboard.press('Escape');
    await page
      .getByText(`2 ${wide('selected')}`)
      .first()
      .waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('searches, opens dialogs and menus, and changes pages', async () => {
    const { page, complaints } = await openTranslated('/');
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('Photo 3');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search**');
    await page.locator(`.tile[data-id="${ids[3]}"]`).waitFor();
    for (const path of ['/albums', '/settings', '/']) {
      await page.evaluate((to) => history.pushState({}, '', to), path);
      await page.evaluate(() => window.dispatchEvent(new PopStateEvent('popstate')));
      await page.waitForTimeout(300);
    }
    await page.locator('.tile[data-id]').first().waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
