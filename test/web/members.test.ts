/**
 * Tests a gallery for members in a real browser. A visitor signs in and sees the photo of the link, but nothing after
 * signing out.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, password, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { assertAccessible, inEveryLook, openTab, withoutWeb } from './steps.ts';

describe('a gallery for members', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let lake: number;

  before(async () => {
    gallery = await startGallery({ access: 'members', registration: 'open', siteName: 'The Smiths' });
    const ann = await register(gallery, 'ann');
    lake = (await addPhoto(ann, { title: 'Lake' }, await createJpeg({ width: 900, height: 600 }))).id;
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  test('leads a visitor to the sign-in page, then to the photo, and closes after signing out', async () => {
    const { page, calls, complaints } = await openTab(browser, gallery, `/photos/${lake}`);
    await page.waitForURL(`${gallery.url}/sign-in?to=${encodeURIComponent(`/photos/${lake}`)}`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByText('Only members can see The Smiths.').waitFor();
    assert.deepEqual(calls(), [], 'the document has all data');
    const markup = await page.content();
    for (const secret of ['Lake', 'ann', '/storage/']) assert.ok(!markup.includes(secret), secret);
    assert.equal(await page.getByRole('searchbox').count(), 0);
    assert.equal(await page.title(), 'Sign in · The Smiths');
    await inEveryLook(page, (name) => assertAccessible(page, `sign-in, ${name}`));

    // The link to the home page leads back to the sign-in page, without a call of the API.
    await page.getByRole('link', { name: 'The Smiths' }).click();
    await page.waitForURL(`${gallery.url}/sign-in`);
    assert.deepEqual(calls(), []);
    await page.goBack();

    await page.getByLabel('Username or email').fill('ann');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${gallery.url}/photos/${lake}`);
    const picture = page.locator('img[alt="Lake"]').last();
    await picture.waitFor();
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>('img[alt="Lake"]')].some((one) => one.naturalWidth > 0),
    );
    const image = new URL((await picture.getAttribute('src'))!, gallery.url);
    assert.equal(image.search, '', 'the cookie opens plain paths');
    const statusOf = (url: URL) => page.evaluate(async (path) => (await fetch(path)).status, url.pathname);
    assert.equal(await statusOf(image), 200);

    await page.goto(`${gallery.url}/`);
    await page.locator('main .tile').first().waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${gallery.url}/sign-in`);
    complaints.length = 0;
    assert.equal(await statusOf(image), 401);
    await page.goto(`${gallery.url}/photos/${lake}`);
    await page.waitForURL(/\/sign-in\?to=/);
    await page.close();
  });

  test('shows a visitor who registers the page of the link', async () => {
    await browser.context.clearCookies();
    const { page, complaints } = await openTab(browser, gallery, '/users/ann');
    await page.getByRole('link', { name: 'Create account' }).click();
    await page.getByLabel('Username').fill('ben');
    await page.getByLabel('Email').fill('ben@example.org');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${gallery.url}/users/ann`);
    await page.locator('main .tile').first().waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
