/** Tests the links of public pages in a real browser: copied, sent by the share sheet, and offered to visitors. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, addPhoto, type Person, register } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe('links of public pages', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let lamp: number;
  let hidden: number;
  let coast: number;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    lamp = (await addPhoto(ann, { title: 'Lamp' })).id;
    hidden = (await addPhoto(ann, { title: 'Hidden', is_public: '0' })).id;
    coast = await addAlbum(ann, 'Coast');
    browser = await openBrowser();
    await browser.context.addInitScript(() => {
      const sent: ShareData[] = [];
      Object.assign(window, { sent });
      // Headless Chromium has no share sheet.
      Object.assign(navigator, { share: async (data: ShareData) => void sent.push(data) });
    });
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const share = async (page: Page) => page.getByRole('button', { name: 'Share', exact: true }).click();
  const field = (page: Page) => page.getByLabel('Link to this page', { exact: true });
  const readSent = (page: Page) => page.evaluate(() => (window as unknown as { sent: ShareData[] }).sent);

  test('visitors get the link of a public photo, album and person, and create no share links', async () => {
    for (const [path, name, title] of [
      [`/photos/${lamp}`, 'Lamp', 'Share this photo'],
      [`/albums/${coast}`, 'Coast', 'Share this album'],
      ['/users/ann', 'ann', 'Share this profile'],
    ] as const) {
      const { page, complaints } = await openTab(browser, gallery, path);
      await share(page);
      await page.getByRole('dialog', { name: title }).waitFor();
      assert.equal(await field(page).inputValue(), gallery.url + path);
      assert.equal(await page.getByRole('button', { name: 'Create link' }).count(), 0);
      await page.getByRole('button', { name: 'Share with an app' }).click();
      assert.deepEqual(await readSent(page), [{ url: gallery.url + path, title: name }]);
      await assertAccessible(page, title);
      assert.deepEqual(complaints, []);
      await page.close();
    }
  });

  test('owners also create share links, and a photo that few people see has no link of its page', async () => {
    await signIn(browser, gallery, ann);
    const { page } = await openTab(browser, gallery, `/photos/${lamp}`);
    await share(page);
    await page.getByRole('heading', { name: 'Share link with its own rules' }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('img', { name: 'QR code for the link' }).waitFor();
    await page.getByRole('button', { name: 'Share with an app' }).click();
    const [sent] = await readSent(page);
    assert.match(sent!.url!, /\/s\//);
    await page.goto(`${gallery.url}/photos/${hidden}`);
    await share(page);
    await page.getByRole('button', { name: 'Create link' }).waitFor();
    assert.equal(await field(page).count(), 0);
    await page.close();
    await browser.context.clearCookies();
  });
});
