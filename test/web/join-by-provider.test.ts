/**
 * Tests a gallery without password sign-in, in a real browser: an invite link leads to the OpenID provider
 * instead of a form.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createSetupCode } from '../../server/gallery/accounts/setup.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { switchOnFactor } from '../support/factor.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { oidcClient, startProvider } from '../support/oidc.ts';
import { register } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, withoutWeb } from './steps.ts';

describe('joining over the provider in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let provider: Awaited<ReturnType<typeof startProvider>>;

  before(async () => {
    provider = await startProvider();
    gallery = await startGallery({
      oidc: { ...oidcClient, issuer: provider.issuer, name: 'Example Club', adminClaim: undefined },
      passwordLogin: false,
      registration: 'invite',
    });
    provider.know(`${gallery.url}/api/auth/oidc/callback`);
    browser = await openBrowser();
  });
  afterEach(() => browser.context.clearCookies());
  after(async () => {
    await browser?.close();
    await gallery?.close();
    await provider?.close();
  });

  const go = (page: Page) => page.getByRole('button', { name: 'Sign in with Example Club' });
  const menu = (page: Page) => page.getByRole('button', { name: 'Account', exact: true });
  const whoIs = (page: Page) =>
    page.evaluate(async () => (await (await fetch('/api/auth/user')).json()).data);

  test('joining over the provider accepts the setup link after a second factor', async () => {
    gallery.deps.config.passwordLogin = true;
    gallery.deps.config.registration = 'open';
    const wary = await register(gallery, 'wary');
    const { kysely } = gallery.deps.db;
    await kysely.updateTable('users').set({ email_confirmed: 1 }).where('id', '=', wary.id).execute();
    const codeNow = await switchOnFactor(gallery, wary);
    gallery.deps.config.passwordLogin = false;
    gallery.deps.config.registration = 'invite';

    const link = `/first-run#${await createSetupCode(gallery.deps)}`;
    const { page, complaints } = await openTab(browser, gallery, link);
    provider.signIn('wary', { email: 'wary@example.org', email_verified: true });
    await go(page).click();
    await page.getByLabel('Verification code').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await go(page).click();
    await page.getByLabel('Verification code').fill(codeNow());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const promote = page.getByRole('button', { name: 'Make wary the admin' });
    await promote.waitFor();
    assert.equal(new URL(page.url()).hash, '');
    assert.equal((await whoIs(page)).is_admin, false);
    await promote.click();
    await page.waitForURL(`${gallery.url}/`);
    assert.equal((await whoIs(page)).is_admin, true);
    assert.deepEqual(complaints, []);
    await page.close();
    await kysely.updateTable('users').set({ is_admin: 0 }).where('id', '=', wary.id).execute();
  });

  test('the setup link creates the first admin over the provider, whose invite creates an account', async () => {
    const { page, complaints } = await openTab(
      browser,
      gallery,
      `/first-run#${await createSetupCode(gallery.deps)}`,
    );
    await page.getByText('Sign in with Example Club, and your account will be its admin').waitFor();
    assert.equal(await page.getByLabel('Password').count(), 0);
    await inEveryLook(page, (name) => assertAccessible(page, `first run, ${name}`));
    provider.refuse();
    await go(page).click();
    await page.getByRole('alert').getByText('Sign-in failed').waitFor();
    await assertAccessible(page, 'first run, refused');
    provider.signIn('ansel', { email: 'ansel@example.org', preferred_username: 'ansel' });
    await go(page).click();
    await page.waitForURL(`${gallery.url}/`);
    await menu(page).waitFor();
    assert.equal((await whoIs(page)).is_admin, true);

    await page.goto(`${gallery.url}/admin/invites`);
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByLabel('Invite link', { exact: true }).inputValue();
    await page.close();
    await browser.context.clearCookies();

    const { page: theirs, complaints: others } = await openTab(browser, gallery, new URL(link).pathname);
    await theirs.getByText('This gallery uses Example Club to sign in').waitFor();
    assert.equal(await theirs.getByLabel('Password').count(), 0);
    await inEveryLook(theirs, (name) => assertAccessible(theirs, `join, ${name}`));
    provider.signIn('dora', { email: 'dora@example.org', preferred_username: 'dora' });
    await go(theirs).click();
    await theirs.waitForURL(`${gallery.url}/`);
    await menu(theirs).waitFor();
    assert.equal((await whoIs(theirs)).username, 'dora');

    // Using the invite again fails, because an invite is valid for one account only.
    await browser.context.clearCookies();
    await theirs.goto(link);
    await go(theirs).click();
    await theirs.getByRole('alert').getByText('This invite is invalid').waitFor();
    await assertAccessible(theirs, 'join, used');
    await theirs.goto(`${link}?problem=link`);
    await theirs.getByRole('alert').getByText('This link isn’t valid').waitFor();
    assert.deepEqual([...complaints, ...others.filter((text) => !text.includes('403'))], []);
    await theirs.close();
  });

  test('a visitor registers over the provider where registration is open', async (context) => {
    gallery.deps.config.registration = 'open';
    context.after(() => {
      gallery.deps.config.registration = 'invite';
    });
    provider.signIn('emil', { email: 'emil@example.org', preferred_username: 'emil' });
    const { page, complaints } = await openTab(browser, gallery, '/register?to=%2Falbums');
    await page.getByText('This gallery uses Example Club to sign in').waitFor();
    assert.equal(await page.getByLabel('Password').count(), 0);
    await go(page).click();
    await page.waitForURL(`${gallery.url}/albums`);
    assert.equal((await whoIs(page)).username, 'emil');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the sign-in page offers the provider beside passwords', async (context) => {
    gallery.deps.config.registration = 'open';
    gallery.deps.config.passwordLogin = true;
    context.after(() => {
      gallery.deps.config.registration = 'invite';
      gallery.deps.config.passwordLogin = false;
    });
    const { page, complaints } = await openTab(browser, gallery, '/register');
    await go(page).waitFor();
    assert.equal(await page.getByLabel('Password').count(), 1);
    await inEveryLook(page, (name) => assertAccessible(page, `two ways, ${name}`));
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
