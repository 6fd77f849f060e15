/** Tests that the address of a photo shows the photo once: one picture, without a moment that shows none. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { openTab, withoutWeb } from './steps.ts';

describe('the address of a photo', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let middle: number;
  let key: string;

  before(async () => {
    gallery = await startGallery();
    const ann: Person = await register(gallery, 'ann');
    const create = { width: 2400, height: 1600, channels: 3, background: '#486' } as const;
    const picture = await sharp({ create }).jpeg().toBuffer();
    const ids: number[] = [];
    for (let n = 0; n < 3; n++) ids.push((await addPhoto(ann, { title: `Photo ${n}` }, picture)).id);
    middle = ids[1]!;
    const { body } = await ann.get(`/api/photos/${middle}`);
    key = /\/storage\/(\w+)\./.exec(body.data.preview)![1]!;
    browser = await openBrowser({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  test('the viewer takes over the picture of the document, and other pictures load afterwards', async () => {
    const pictures: string[] = [];
    browser.context.on('request', (request) => {
      if (request.resourceType() === 'image') pictures.push(new URL(request.url()).pathname);
    });
    await browser.context.addInitScript(() => {
      const counts = { frames: 0, bare: 0 };
      Object.assign(window, { counts });
      // Counts frames in which the photo was seen before and no loaded picture of the photo is there now.
      const look = () => {
        const shown = [...document.querySelectorAll<HTMLImageElement>('.stage img, .pswp__item img')];
        const isThere = shown.some((one) => one.complete && one.naturalWidth > 0 && one.alt === 'Photo 1');
        if (isThere) counts.frames++;
        else if (counts.frames > 0) counts.bare++;
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    const { page, complaints } = await openTab(browser, gallery, `/photos/${middle}`);
    await page.getByRole('dialog', { name: 'Photo 1', exact: true }).waitFor();
    await page.locator('body > .stage').waitFor({ state: 'detached' });
    await page.locator('.pswp [aria-hidden=true] img[alt="Photo 0"]').first().waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    const own = pictures.filter((path) => path.includes(key)).map((path) => path.split('.')[1]);
    assert.deepEqual([...new Set(own)], [own[0]], 'one size of the photo');
    assert.match(own[0]!, /^w\d+$/);
    const first = pictures.findIndex((path) => path.includes(key));
    const others = pictures.slice(0, first).filter((path) => path.startsWith('/storage/'));
    assert.deepEqual(others, [], 'no other photo is requested before');
    const counts = await page.evaluate(() => (window as unknown as { counts: object }).counts);
    assert.equal((counts as { bare: number }).bare, 0);
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
