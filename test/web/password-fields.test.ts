/**
 * Tests that password fields hide their text, accept pasted text, and tell password managers their purpose.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { oidcClient } from '../support/oidc.ts';
import { type Person, password, registerAdmin } from '../support/people.ts';
import { openTab, withoutWeb } from './steps.ts';

const now = 'current-password';
const fresh = 'new-password';
/** The password fields of each page when all its forms are open. */
const signedOut = {
  '/sign-in': [now],
  '/register': [fresh],
  '/join/an-invite': [fresh],
  '/first-run#a-code': [fresh],
  '/reset#a-token': [fresh],
};
const signedIn = {
  // The forms for another email address and for deleting the account.
  '/settings/account': [now, now],
  // The forms for the password, a second factor, a passkey, and the provider.
  '/settings/security': [now, fresh, now, now, now],
};

describe('passwords in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;

  before(async () => {
    const oidc = { ...oidcClient, issuer: 'http://127.0.0.1:9', name: 'Example Club', adminClaim: undefined };
    const opened = await startGallery({ oidc });
    // Uses `localhost`, because browsers create no passkeys for an IP address.
    gallery = { ...opened, url: opened.url.replace('127.0.0.1', 'localhost') };
    ann = await registerAdmin(gallery, 'ann');
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const findPasswordFields = (page: Page) => page.locator('input[type=password], input[name*=password]');

  /** Copies the password to the clipboard, like a user of another password program. */
  async function copyPassword(page: Page): Promise<void> {
    await page.goto(`${gallery.url}/sign-in`);
    await page.getByLabel('Username or email').fill(password);
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+X');
  }

  async function assertFields(page: Page, path: string, purposes: string[]): Promise<void> {
    const fields = findPasswordFields(page);
    await fields.nth(purposes.length - 1).waitFor();
    assert.equal(await fields.count(), purposes.length, path);
    for (const [n, purpose] of purposes.entries()) {
      const field = fields.nth(n);
      const attributes = await field.evaluate(({ type, autocomplete, form }: HTMLInputElement) => ({
        ...{ type, autocomplete, isOff: form!.autocomplete === 'off' },
      }));
      assert.deepEqual(attributes, { type: 'password', autocomplete: purpose, isOff: false }, path);
      await field.focus();
      await page.keyboard.press('Control+V');
      assert.equal(await field.inputValue(), password, `${path}: the ${n + 1}. field takes what is pasted`);
    }
  }

  test('passwords are hidden, can be pasted, and are named for password managers; a pasted one signs in', async () => {
    const { page, complaints } = await openTab(browser, gallery);
    await copyPassword(page);
    // The setup link shows a form only while no admin exists, so the test removes the admin for a while.
    const ofAnn = (is_admin: number) =>
      gallery.deps.db.kysely.updateTable('users').set({ is_admin }).where('id', '=', ann.id).execute();
    await ofAnn(0);
    for (const [path, purposes] of Object.entries(signedOut)) {
      await page.goto(gallery.url + path);
      await assertFields(page, path, purposes);
    }
    await ofAnn(1);
    await page.goto(`${gallery.url}/sign-in`);
    await page.getByLabel('Username or email').fill('ann');
    await findPasswordFields(page).focus();
    await page.keyboard.press('Control+V');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
    for (const [path, purposes] of Object.entries(signedIn)) {
      await page.goto(gallery.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (path === '/settings/security') {
        for (const name of ['Change password', 'Set up', 'Add passkey']) {
          await page.getByRole('button', { name, exact: true }).click();
        }
      }
      await assertFields(page, path, purposes);
    }
    assert.deepEqual(complaints, []);
    await page.close();
    await browser.context.clearCookies();
  });
});
