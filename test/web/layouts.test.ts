/** Tests shortcuts on keyboard layouts without Latin letters, drags that begin in the page, and contrast themes. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { readKey } from '../../web/ui/keys.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { register } from '../support/people.ts';
import { addMonths, openTab, signIn, withoutWeb, years } from './steps.ts';

for (const [layout, key, code, shiftKey, read] of [
  ['Russian', 'ч', 'KeyX', false, 'x'],
  ['Russian with Shift', 'Ч', 'KeyX', true, 'x'],
  ['Ukrainian', 'і', 'KeyS', false, 's'],
  ['Greek', 'λ', 'KeyL', false, 'l'],
  ['Arabic', 'م', 'KeyL', false, 'l'],
  ['Arabic with two letters on one key', 'لا', 'KeyB', false, 'b'],
  ['Arabic', 'ظ', 'Slash', false, '/'],
  ['Arabic with Shift', '؟', 'Slash', true, '?'],
  ['Hebrew', 'ך', 'KeyL', false, 'l'],
  ['Thai', 'ส', 'KeyL', false, 'l'],
  ['Persian digits', '۵', 'Digit5', false, '5'],
  ['Korean', 'ㅣ', 'KeyL', false, 'l'],
  ['French, whose letters are Latin', 'q', 'KeyA', false, 'q'],
  ['German', 'z', 'KeyY', false, 'z'],
  ['Polish', 'ł', 'KeyL', false, 'ł'],
  ['English', 'Escape', 'Escape', false, 'escape'],
  ['English', 'ArrowLeft', 'ArrowLeft', false, 'arrowleft'],
  ['Russian', 'ё', 'Backquote', false, 'ё'],
] as const) {
  test(`reads ${code} of the layout ${layout} as ${read}`, () =>
    assert.equal(readKey({ key, code, shiftKey }), read));
}

describe('the pages', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ids: number[];

  before(async () => {
    gallery = await startGallery({ tokenTtl: years });
    const ann = await register(gallery, 'ann');
    ids = await addMonths(gallery, ann, 1, 4);
    browser = await openBrowser();
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const press = async (page: Page, key: string, code: string) => {
    const session = await page.context().newCDPSession(page);
    for (const type of ['keyDown', 'keyUp'] as const)
      await session.send('Input.dispatchKeyEvent', { type, key, code });
  };

  test('like, select and search by shortcuts of a Russian, a Greek and an Arabic keyboard', async () => {
    const { page, complaints } = await openTab(browser, gallery, `/photos/${ids[1]}`);
    await page.locator('button[data-action=like]').waitFor();
    await press(page, 'λ', 'KeyL');
    await page.locator('button[data-action=like][aria-pressed=true]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.pswp').waitFor({ state: 'detached' });
    await page.locator(`.tile[data-id="${ids[2]}"]`).focus();
    await press(page, 'ч', 'KeyX');
    await page.getByText('1 selected').first().waitFor();
    await page.keyboard.press('Escape');
    await press(page, 'ظ', 'Slash');
    await page.waitForFunction(() => document.activeElement?.matches('input'));
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('open no drop zone for an image that was dragged inside the page', async () => {
    const { page } = await openTab(browser, gallery);
    const tile = page.locator('.tile[data-id] img').first();
    await tile.waitFor();
    const events = await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'cover.jpg', { type: 'image/jpeg' }));
      const image = document.querySelector('.tile img')!;
      const send = (name: string, at: Element) => {
        const event = new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: data });
        at.dispatchEvent(event);
        return event.defaultPrevented;
      };
      send('dragstart', image);
      const own = ['dragenter', 'dragover', 'drop'].map((name) => send(name, document.body));
      send('dragend', image);
      const foreign = ['dragenter', 'dragover'].map((name) => send(name, document.body));
      return { own, foreign };
    });
    assert.deepEqual(events, { own: [false, false, false], foreign: [false, true] });
    assert.equal(await page.getByText('Uploads').count(), 0);
    await page.close();
  });

  test('tell selections, likes, focus and progress apart in a contrast theme', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${ids[3]}`);
    await page.emulateMedia({ forcedColors: 'active' });
    await page.locator('button[data-action=favorite]').waitFor();
    const background = (selector: string) =>
      page.locator(selector).evaluate((one) => getComputedStyle(one).backgroundColor);
    const off = await background('button[data-action=favorite]');
    await page.keyboard.press('f');
    await page.locator('button[data-action=favorite][aria-pressed=true]').waitFor();
    assert.notEqual(await background('button[data-action=favorite]'), off);
    await page.keyboard.press('Escape');
    const tile = page.locator(`.tile[data-id="${ids[0]}"]`);
    await tile.focus();
    await page.keyboard.press('x');
    await page.getByText('1 selected').first().waitFor();
    // The focus has an outline, too.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const outline = (id: number) =>
      page.locator(`.tile[data-id="${id}"]`).evaluate((one) => getComputedStyle(one).outlineStyle);
    assert.equal(await outline(ids[0]!), 'solid');
    assert.equal(await outline(ids[1]!), 'none');
    await page.close();
  });
});
