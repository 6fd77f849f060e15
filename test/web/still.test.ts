/**
 * Tests that for a user who prefers reduced motion, the mouse moves no part of a page. keyboard.test.ts
 * checks the other pages.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, addPhoto, type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { moved, watchMotion } from './motion.ts';
import { openTab, signIn, withoutWeb } from './steps.ts';

describe('with reduced motion', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let album: number;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    album = await addAlbum(ann, 'Alps');
    for (let n = 0; n < 3; n++) {
      const picture = await createJpeg({
        width: 1200 + n * 40,
        height: 800,
        colour: `hsl(${n * 40}, 45%, 45%)`,
      });
      await addPhoto(ann, { title: `Photo ${n}`, album_id: String(album) }, picture);
    }
    browser = await openBrowser({ reducedMotion: 'reduce', viewport: { width: 1440, height: 844 } });
    await browser.context.addInitScript(watchMotion);
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  test('a photo can be zoomed and dragged within its album with reduced motion', async () => {
    const { page } = await openTab(browser, gallery, `/albums/${album}`);
    await page.locator('.tile').first().click();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await page.keyboard.press('z');
    await page.keyboard.press('z');
    await page.keyboard.press('Escape');
    await page.locator('.pswp').waitFor({ state: 'detached' });
    const first = page.locator('.tile').first();
    await first.hover();
    await page.locator('[data-spot]').first().waitFor({ state: 'attached' });
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    const { x, y, width, height } = (await page.locator('.tile').nth(2).boundingBox())!;
    await page.mouse.down();
    await page.mouse.move(x + width * 0.4, y + height / 2, { steps: 6 });
    await page.mouse.move(x + width * 0.8, y + height / 2, { steps: 6 });
    await page.mouse.up();
    await saved;
    assert.deepEqual(await moved(page), []);
    await page.close();
  });
});
