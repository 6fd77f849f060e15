/** Tests the viewer with pictures that do not load, ratings that show the next photo, and captions on touch. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { assertAccessible, openTab, signIn, withoutWeb } from './steps.ts';

describe('the viewer under way', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let ids: number[];

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    ids = [];
    for (let n = 0; n < 6; n++) ids.unshift((await addPhoto(ann, { title: `Photo ${n}` })).id);
    browser = await openBrowser();
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const untilShown = (page: Page, number: number) => page.waitForURL(`**/photos/${ids[number]}`);

  test('a picture that does not load is reported in the language of the user, and loads on request', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${ids[0]}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await intercept(page, '**/storage/**', (route) => route.abort());
    for (const number of [1, 2, 3, 4, 5]) {
      await page.keyboard.press('ArrowRight');
      await untilShown(page, number);
    }
    const notice = page.getByRole('alert').filter({ hasText: 'Couldn’t load this photo.' });
    await notice.waitFor();
    await assertAccessible(page, 'the notice');
    await page.unroute('**/storage/**');
    await notice.getByRole('button', { name: 'Try again' }).click();
    await notice.waitFor({ state: 'detached' });
    const image = page.locator('[role=dialog] [aria-hidden=false] img[alt="Photo 0"]').first();
    await eventually(async () => {
      assert.ok((await image.evaluate((one: HTMLImageElement) => one.naturalWidth)) > 0);
    });
    await page.close();
  });

  test('a like without a connection is reported and taken back, and sent on request', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${ids[0]}`);
    const like = page.getByRole('button', { name: /^(Like|Unlike)/ });
    await like.waitFor();
    await page.waitForLoadState('networkidle');
    await browser.context.setOffline(true);
    await page.keyboard.press('l');
    const retry = page
      .getByRole('region', { name: 'Status messages' })
      .getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    assert.equal(await like.getAttribute('aria-pressed'), 'false');
    await browser.context.setOffline(false);
    await retry.click();
    await eventually(async () => assert.ok((await ann.get(`/api/photos/${ids[0]}`)).body.data.is_liked));
    await page.close();
  });

  test('a key makes each rating show the next photo, and the same key ends that', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${ids[0]}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await page.keyboard.press('n');
    await page.getByText('1 of 6 · Next after rating').waitFor();
    for (const [number, key] of ['3', '5'].entries()) {
      await page.keyboard.press(key);
      await untilShown(page, number + 1);
    }
    await page.keyboard.press('n');
    await page.getByText('3 of 6', { exact: true }).waitFor();
    await page.keyboard.press('1');
    await page.getByText('Rated 1 star.').waitFor();
    await untilShown(page, 2);
    await eventually(async () => {
      const ratings = await Promise.all(ids.slice(0, 3).map((id) => ann.get(`/api/photos/${id}`)));
      assert.deepEqual(
        ratings.map(({ body }) => body.data.rating),
        [3, 5, 1],
      );
    });
    await page.close();
  });

  test('a touch screen shows captions on large rows, and none on others', async () => {
    const phone = await openBrowser({
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
    });
    try {
      const { page } = await openTab(phone, gallery);
      const caption = page.locator('.tile [data-author]').first();
      const readOpacity = () => caption.evaluate((one) => getComputedStyle(one.parentElement!).opacity);
      await caption.waitFor({ state: 'attached' });
      assert.equal(await readOpacity(), '0');
      for (const name of ['Rows: medium', 'Rows: small']) await page.getByRole('button', { name }).tap();
      await eventually(async () => assert.equal(await readOpacity(), '1'));
      await assertAccessible(page, 'captions');
    } finally {
      await phone.close();
    }
  });
});
