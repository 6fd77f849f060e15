/** Tests passkeys in a real browser, with Chromium's virtual authenticator. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { password, register } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signInAs, withoutWeb } from './steps.ts';

const authenticator = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

describe('passkeys in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    const opened = await startGallery();
    // Uses `localhost`, because browsers create no passkeys for an IP address.
    gallery = { ...opened, url: opened.url.replace('127.0.0.1', 'localhost') };
    await register(gallery, 'ansel');
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  async function plugIn(page: Page): Promise<{ session: CDPSession; authenticatorId: string }> {
    const session = await browser.context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: authenticator,
    });
    return { session, authenticatorId };
  }

  const addButton = (page: Page) => page.getByRole('button', { name: 'Add passkey' });

  test('passkeys are not offered if the gallery is opened by an IP address', async () => {
    const byAddress = { ...gallery, url: gallery.url.replace('localhost', '127.0.0.1') };
    const { page } = await openTab(browser, byAddress, '/sign-in');
    await page.getByLabel('Username or email').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0);
    await signInAs(page, 'ansel');
    await page.goto(`${byAddress.url}/settings/security`);
    await page.getByText('No passkeys yet.').waitFor();
    assert.equal(await addButton(page).count(), 0);
    await page.close();
    await browser.context.clearCookies();
  });

  test('a passkey is added with the password, signs in without a password, and can be removed', async () => {
    const { page, complaints, calls } = await openTab(browser, gallery, '/sign-in');
    const { session, authenticatorId } = await plugIn(page);
    await signInAs(page, 'ansel');
    await page.goto(`${gallery.url}/settings/security`);
    await page.getByText('No passkeys yet.').waitFor();
    const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Passkeys' }) });
    await addButton(page).click();
    await section.getByLabel('Name').fill('Laptop');
    await section.getByLabel('Current password').fill('wrong');
    await addButton(page).click();
    await section.getByRole('alert').getByText('The current password is wrong').waitFor();
    calls();
    await section.getByLabel('Current password').fill(password);
    await addButton(page).click();
    await section.getByRole('status').getByText('Passkey added: Laptop.').waitFor();
    assert.deepEqual(calls(), ['POST /api/auth/passkeys/options', 'POST /api/auth/passkeys']);
    await section.getByRole('listitem').getByText('Laptop').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `security, ${name}`));
    const kept = await session.send('WebAuthn.getCredentials', { authenticatorId });
    assert.deepEqual([kept.credentials.length, kept.credentials[0]?.rpId], [1, 'localhost']);

    // Adds a passkey on the same device again.
    await section.getByLabel('Current password').fill(password);
    await addButton(page).click();
    await section.getByRole('alert').getByText('This device already has a passkey for you').waitFor();

    await browser.context.clearCookies();
    await page.goto(`${gallery.url}/sign-in?to=${encodeURIComponent('/settings/security')}`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `sign in, ${name}`));
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('Your device didn’t confirm the passkey').waitFor();
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL('**/settings/security');
    await section.getByText('Laptop').waitFor();
    await section.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No passkeys yet.').waitFor();

    await browser.context.clearCookies();
    await page.goto(`${gallery.url}/sign-in`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('This passkey is unknown here').waitFor();
    // Ignores 400 and 401 messages, because a refusal is an expected response.
    assert.deepEqual(
      complaints.filter((text) => !/ 40[01] /.test(text)),
      [],
    );
    await page.close();
  });
});
