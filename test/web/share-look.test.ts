/** Tests the photos of a shared album with a script: keys, swipes, and one entry in the history. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, addPhoto, register } from '../support/people.ts';
import { openTab, withoutWeb } from './steps.ts';

describe('a shared album in a browser with scripts', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let path: string;

  before(async () => {
    gallery = await startGallery();
    const ann = await register(gallery, 'ann');
    const album = await addAlbum(ann, 'Coast', { isPublic: false });
    for (const title of ['One', 'Two', 'Three']) await addPhoto(ann, { title, album_id: String(album) });
    const { body } = await ann.post(`/api/albums/${album}/share`, { type: 'link' });
    path = new URL(body.data.url).pathname;
    browser = await openBrowser({ hasTouch: true });
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const shown = (page: Page, number: number) =>
    page.locator(`#photo-${number}`).waitFor({ state: 'visible' });
  const closed = (page: Page) => page.waitForFunction(() => !document.querySelector('.look:target'));

  /** Moves one finger across the photo. */
  async function swipe(page: Page, x: number, y: number): Promise<void> {
    await page.evaluate(
      ([right, down]) => {
        const target = document.querySelector('.look:target img')!;
        const send = (type: string, clientX: number, clientY: number) => {
          const touch = new Touch({ identifier: 1, target, clientX, clientY });
          const touches = type === 'touchend' ? [] : [touch];
          target.dispatchEvent(new TouchEvent(type, { touches, changedTouches: [touch], bubbles: true }));
        };
        send('touchstart', 200, 200);
        send('touchend', 200 + right!, 200 + down!);
      },
      [x, y],
    );
  }

  test('the arrow keys, swipes and buttons go on, and Back or Escape closes at once', async () => {
    const { page, complaints } = await openTab(browser, gallery, path);
    const entries = () => page.evaluate(() => history.length);
    const before = await entries();
    const typefaces = await page.evaluate(async () =>
      [...(await document.fonts.ready)].map(({ family, status }) => `${family} ${status}`),
    );
    assert.deepEqual(typefaces, ['Inter Variable loaded']);
    await page.locator('#tile-1').click();
    await shown(page, 1);
    await page.keyboard.press('ArrowRight');
    await shown(page, 2);
    await swipe(page, -120, 10);
    await shown(page, 3);
    await swipe(page, 120, 10);
    await shown(page, 2);
    await page.locator('#photo-2 .previous').click();
    await shown(page, 1);
    await page.keyboard.press('ArrowLeft');
    await shown(page, 1);
    assert.equal(await entries(), before + 1);
    await page.goBack();
    await closed(page);
    assert.equal(new URL(page.url()).pathname, path);

    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.locator('#photo-2 .close').click(),
      () => swipe(page, 5, 150),
    ]) {
      await page.locator('#tile-2').click();
      await shown(page, 2);
      await close();
      await closed(page);
    }
    assert.equal(await entries(), before + 1);
    assert.deepEqual(complaints, []);
  });

  test('a link to one photo closes to the album', async () => {
    const { page, complaints } = await openTab(browser, gallery, `${path}#photo-3`);
    await shown(page, 3);
    await page.keyboard.press('Escape');
    await closed(page);
    assert.equal(new URL(page.url()).hash, '#tile-3');
    assert.deepEqual(complaints, []);
  });
});
