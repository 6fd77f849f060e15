/** Tests the page on which an admin changes the name, the color and the logo of the gallery, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, asVisitor, registerAdmin } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe('the settings of the gallery', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    gallery = await startGallery();
    await addPhoto(await registerAdmin(gallery, 'ann'));
    gallery.deps.config.registration = 'invite';
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  test('the admin names the gallery, colors it, adds a logo, and closes and opens it', async () => {
    const { page, complaints } = await openTab(browser, gallery);
    await signIn(browser, gallery, { name: 'ann' });
    await page.goto(`${gallery.url}/admin`);
    await page.getByRole('link', { name: 'Site' }).click();
    await page.getByLabel('Name', { exact: true }).fill('The Smiths');
    await page.getByLabel('Welcome text').fill('Ask Ann for an invite.');
    assert.ok(await page.getByLabel('Who can register').isDisabled());
    await page.getByText('Set on the server by REGISTRATION.').waitFor();
    await page.getByLabel('Choose color').fill('#ffcc00');
    await page.getByText('This color is too light to read (contrast 1.3). Choose a darker one.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Choose color').and(page.locator(':focus')).waitFor();
    await page.getByLabel('Choose color').fill('#0b5d57');
    await page.getByLabel('Who can see the gallery').selectOption({ label: 'Members only' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.locator('.brand').getByText('The Smiths').waitFor();
    const accent = await page
      .getByRole('button', { name: 'Save' })
      .evaluate((button) => getComputedStyle(button).backgroundColor);
    assert.equal(accent, 'rgb(11, 93, 87)');
    assert.equal((await asVisitor(gallery).get('/api/photos')).status, 401);

    const logo = await sharp({ create: { width: 300, height: 60, channels: 3, background: '#0b5d57' } })
      .png()
      .toBuffer();
    await page
      .locator('input[type="file"]')
      .last()
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
    await page.locator('.brand img.logo').waitFor();
    await inEveryLook(page, async (look) => assertAccessible(page, look));

    await page.getByLabel('Who can see the gallery').selectOption({ label: 'Everyone' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Without signing in, anyone will see 1 photo.').waitFor();
    await page.getByRole('button', { name: 'Open gallery' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await asVisitor(gallery).get('/api/photos')).status, 200);
    // Ignores 400 messages: the browser logs the refusal of the color.
    assert.deepEqual(
      complaints.filter((one) => !one.includes('400')),
      [],
    );
    await page.close();
    await browser.context.clearCookies();
  });

  test('a visitor sees the name, the logo and the welcome text', async () => {
    const { page, complaints } = await openTab(browser, gallery);
    await page.goto(`${gallery.url}/sign-in`);
    await page.getByText('Ask Ann for an invite.').waitFor();
    await page.locator('.brand img.logo').waitFor();
    assert.equal(await page.title(), 'Sign in · The Smiths');
    await page.goto(gallery.url);
    await page.locator('.tile img').first().waitFor();
    await page.locator('.visitor-head').getByText('Ask Ann for an invite.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Create account' }).count(), 0, 'only by invite');
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
