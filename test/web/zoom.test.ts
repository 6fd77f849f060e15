/** Tests zoom in the viewer, and photos that another client changed, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { assertAccessible, openTab, withoutWeb, years } from './steps.ts';

/** Creates a picture larger than every size on demand, with visible contents. */
function large(): Promise<Buffer> {
  return sharp({
    create: {
      ...{ width: 4000, height: 3000, channels: 3, background: '#345' },
      noise: { type: 'gaussian', mean: 120, sigma: 20 },
    },
  })
    .jpeg({ quality: 60 })
    .toBuffer();
}

describe('zoom', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let fine: number;
  const small: number[] = [];

  before(async () => {
    gallery = await startGallery({ tokenTtl: years });
    ann = await register(gallery, 'ann');
    for (let n = 0; n < 8; n++) small.push((await addPhoto(ann, { title: `Small ${n}` })).id);
    fine = (await addPhoto(ann, { title: 'Fine' }, await large())).id;
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const shown = (page: Page) => page.getByRole('dialog').locator('img[alt="Fine"]').first();
  const at = (page: Page, text: string) => page.getByRole('dialog').getByText(text, { exact: true });

  test('keys zoom to 100 % and back, and the original replaces the picture in the same box', async () => {
    const { page, complaints } = await openTab(browser, gallery, `/photos/${fine}`);
    await page.setViewportSize({ width: 1200, height: 900 });
    await at(page, '1 of 9').waitFor();
    const { body } = await ann.get(`/api/photos/${fine}`);
    const path: string = body.data.path;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Delays the original: until it arrives, the current picture stays visible.
    await intercept(page, `**${path}`, async (route) => {
      await held;
      await route.fallback();
    });
    const asked = page.waitForRequest(`**${path}`);
    await page.keyboard.press('z');
    await at(page, '1 of 9 · 100%').waitFor();
    await asked;
    const before = (await shown(page).boundingBox())!;
    assert.deepEqual([Math.round(before.width), Math.round(before.height)], [4000, 3000]);
    assert.notEqual(await shown(page).getAttribute('src'), path);
    release();
    await page.waitForSelector(`[role=dialog] img[src="${path}"]`);
    assert.deepEqual(await shown(page).boundingBox(), before);
    const source = await shown(page).evaluate((image: HTMLImageElement) => image.currentSrc);
    assert.equal(source, gallery.url + path);
    await assertAccessible(page, 'zoomed');
    await page.keyboard.press('-');
    await at(page, '1 of 9 · 67%').waitFor();
    await page.keyboard.press('+');
    await at(page, '1 of 9 · 100%').waitFor();
    await page.keyboard.press('z');
    await at(page, '1 of 9').waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('double click and Ctrl with the wheel zoom, and the next photo cancels the transfer', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${fine}`);
    await page.setViewportSize({ width: 1200, height: 900 });
    await at(page, '1 of 9').waitFor();
    const { body } = await ann.get(`/api/photos/${fine}`);
    // Never answers the request for the original.
    await intercept(page, `**${body.data.path}`, () => {});
    const asked = page.waitForRequest(`**${body.data.path}`);
    await page.mouse.dblclick(500, 500);
    await at(page, '1 of 9 · 100%').waitFor();
    await asked;
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith(body.data.path));
    await page.keyboard.press('ArrowRight');
    await at(page, '2 of 9').waitFor();
    await ended;
    await page.keyboard.press('ArrowLeft');
    await at(page, '1 of 9').waitFor();
    await page.keyboard.down('Control');
    await page.mouse.move(600, 450);
    await page.mouse.wheel(0, -300);
    await page.keyboard.up('Control');
    await page
      .getByRole('dialog')
      .getByText(/^1 of 9 · \d+%$/)
      .waitFor();
    await page.close();
  });

  test('the viewer loads a picture that was replaced elsewhere by its new path', async () => {
    const id = small[2]!;
    const turn = (angle: number) =>
      ann.put(`/api/photos/${id}/edits`, { steps: [{ action: 'rotate', params: { angle } }] });
    await turn(90);
    const { page } = await openTab(browser, gallery, `/photos/${fine}`);
    await at(page, '1 of 9').waitFor();
    // The version on the wall expires two hours after an edit has replaced it.
    await turn(270);
    gallery.travel(2 * 3600);
    const { preview } = (await ann.get(`/api/photos/${id}`)).body.data;
    for (let n = 2; n <= 7; n++) {
      await page.keyboard.press('ArrowRight');
      await at(page, `${n} of 9`).waitFor();
    }
    await page.waitForURL(`**/photos/${id}`);
    const image = page.locator(`[role=dialog] img[src="${preview}"]`);
    await image.waitFor();
    await image.evaluate((one: HTMLImageElement) => one.decode());
    await page.close();
  });

  test('the viewer reports a photo that was deleted elsewhere, and shows the next photo', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${fine}`);
    await at(page, '1 of 9').waitFor();
    await ann.delete(`/api/photos/${small[7]}`);
    await page.keyboard.press('ArrowRight');
    await page.getByText('This photo no longer exists.').waitFor();
    await page.waitForURL(`**/photos/${small[6]}`);
    await at(page, 'Small 6').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Small 7', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Small 6', exact: true }).waitFor();
    await page.close();
  });
});
