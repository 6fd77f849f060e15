/** Tests a second factor, a change of the email address and deleting the account in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { asVisitor, password, register } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe('the account itself in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    gallery = await startGallery();
    await register(gallery, 'ann');
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const section = (page: Page, title: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });

  async function signInByForm(page: Page): Promise<void> {
    await page.goto(`${gallery.url}/sign-in?to=%2Fsettings%2Fsecurity`);
    await page.getByLabel('Username or email').fill('ann');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  test('a second factor is set up with an app, requested at sign-in, and turned off', async () => {
    await signIn(browser, gallery, { name: 'ann' });
    const { page, complaints } = await openTab(browser, gallery, '/settings/security');
    const factor = section(page, 'Two-step verification');
    await factor.getByRole('button', { name: 'Set up' }).click();
    await factor.getByLabel('Current password').fill(password);
    await factor.getByRole('button', { name: 'Continue' }).click();
    await factor.getByRole('button', { name: 'Cancel' }).click();
    await factor.getByRole('button', { name: 'Set up' }).and(page.locator(':focus')).click();
    await factor.getByLabel('Current password').fill(password);
    await factor.getByRole('button', { name: 'Continue' }).click();
    await factor.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `the secret, ${name}`));
    const secret = await factor.getByLabel('Or enter this key in the app').inputValue();
    await factor.getByLabel('6-digit code').fill('000000');
    await factor.getByRole('button', { name: 'Turn on' }).click();
    await factor.getByRole('alert').waitFor();
    await factor.getByLabel('6-digit code').fill(new TOTP({ secret }).generate());
    await factor.getByRole('button', { name: 'Turn on' }).click();
    await factor.getByText('10 recovery codes left').waitFor();
    const codes = await factor.getByRole('listitem').allTextContents();
    assert.equal(new Set(codes).size, 10);
    await inEveryLook(page, (name) => assertAccessible(page, `recovery codes, ${name}`));

    await browser.context.clearCookies();
    await signInByForm(page);
    await page.getByLabel('Verification code').fill('000000');
    await assertAccessible(page, 'the second step');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Verification code').fill(codes[0]!);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/settings/security');
    await factor.getByText('9 recovery codes left').waitFor();
    assert.equal(await factor.getByRole('listitem').count(), 0, 'they are told once');
    await factor.getByRole('button', { name: 'Manage' }).click();

    await factor.getByLabel('Current password').fill(password);
    await factor.getByRole('button', { name: 'Turn off' }).click();
    await factor.getByText('recovery codes left').waitFor({ state: 'hidden' });
    await browser.context.clearCookies();
    await signInByForm(page);
    await page.waitForURL('**/settings/security');
    // Ignores 400 and 401 messages, because a refused form is an expected response.
    assert.deepEqual(
      complaints.filter((text) => !/ 40[01] /.test(text)),
      [],
    );
    await page.close();
    await browser.context.clearCookies();
  });

  test("an account's email is changed, and the account is deleted after two questions", async () => {
    await signIn(browser, gallery, { name: 'ann' });
    const { page, complaints } = await openTab(browser, gallery, '/settings/account');
    await page.getByText('Your email is ann@example.org.').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `account, ${name}`));
    await page.getByLabel('New email').fill('ann@elsewhere.example');
    await page.getByLabel('Current password').first().fill(password);
    await page.getByRole('button', { name: 'Change email' }).click();
    await page.getByText('Your email is ann@elsewhere.example.').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download all data' }).click();
    assert.match((await download).suggestedFilename(), /\.zip$/);

    await page.getByLabel('Current password').last().fill(password);
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const asks = page.getByRole('dialog', { name: 'Delete everything permanently?' });
    await assertAccessible(page, 'leaving?');
    await asks.getByRole('button', { name: 'Delete my account' }).click();
    await page.waitForURL(`${gallery.url}/`);
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    assert.equal((await asVisitor(gallery).get('/api/users/ann')).status, 404);
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
