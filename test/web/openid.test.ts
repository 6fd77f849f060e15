/**
 * Tests signing in with a real OpenID provider in a real browser: from the sign-in page and the settings, and
 * back.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createOneTimeLink } from '../../server/gallery/accounts/links.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { switchOnFactor } from '../support/factor.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { oidcClient, startProvider } from '../support/oidc.ts';
import { type Person, password, register } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signInAs, withoutWeb } from './steps.ts';

describe('an OpenID provider in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let ann: Person;

  before(async () => {
    provider = await startProvider();
    gallery = await startGallery({
      oidc: { ...oidcClient, issuer: provider.issuer, name: 'Example Club', adminClaim: undefined },
    });
    provider.know(`${gallery.url}/api/auth/oidc/callback`);
    ann = await register(gallery, 'ann');
    browser = await openBrowser();
  });
  /** Deletes the cookies of the gallery and of the provider. */
  afterEach(() => browser.context.clearCookies());
  after(async () => {
    await browser?.close();
    await gallery?.close();
    await provider?.close();
  });

  const enter = (page: Page) => page.getByRole('link', { name: 'Sign in with Example Club' });
  const menu = (page: Page) => page.getByRole('button', { name: 'Account', exact: true });
  /** Returns the section of the settings about the provider. */
  const club = (page: Page) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: 'Example Club' }) });
  const whoIs = (page: Page): Promise<{ id: number; username: string }> =>
    page.evaluate(async () => (await (await fetch('/api/auth/user')).json()).data);

  test('the first sign-in over the provider creates an account, and the next one finds the account', async () => {
    provider.signIn('dora', {
      ...{ email: 'dora@example.org', email_verified: true },
      ...{ name: 'Dora M.', preferred_username: 'dora' },
    });
    const { page, complaints } = await openTab(browser, gallery, '/albums');
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await enter(page).click();
    // The sign-in leads back to the page where it began.
    await page.waitForURL(`${gallery.url}/albums`);
    const made = await whoIs(page);
    assert.equal(made.username, 'dora');
    await menu(page).click();
    await page.getByText('Dora M.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${gallery.url}/`);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await enter(page).click();
    await page.waitForURL(`${gallery.url}/`);
    await menu(page).waitFor();
    assert.equal((await whoIs(page)).id, made.id);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a page of another site signs nobody in, and leads to the sign-in page', async () => {
    provider.signIn('gus', { email: 'gus@example.org', preferred_username: 'gus' });
    const { page, complaints } = await openTab(browser, gallery, '/');
    const trap = `<script>location = '${gallery.url}/api/auth/oidc?to=%2Falbums'</script>`;
    await page.route('http://elsewhere.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: trap }),
    );
    await page.goto('http://elsewhere.example/', { waitUntil: 'commit' });
    await page.waitForURL(`${gallery.url}/sign-in?to=%2Falbums`);
    await enter(page).waitFor();
    const cookies = await browser.context.cookies();
    assert.deepEqual(
      cookies.filter(({ name }) => name.startsWith('lightwell')),
      [],
    );
    await enter(page).click();
    await page.waitForURL(`${gallery.url}/albums`);
    await menu(page).waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a person whom the provider refuses sees the reason and can try again', async () => {
    provider.refuse();
    const { page, complaints } = await openTab(browser, gallery, '/sign-in?to=%2Falbums');
    await enter(page).click();
    await page.getByRole('alert').getByText('Sign-in failed').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `refused, ${name}`));
    assert.equal(await menu(page).count(), 0);
    provider.signIn('emil', { email: 'emil@example.org', preferred_username: 'emil' });
    await enter(page).click();
    await menu(page).waitFor();
    assert.equal(new URL(page.url()).pathname, '/albums', 'the way back is lost by a refusal');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('an account with the same email is reported, and signs in once both emails are confirmed', async () => {
    const carl = await register(gallery, 'carl');
    provider.signIn('carl-there', { email: 'carl@example.org' });
    const { page, complaints } = await openTab(browser, gallery, '/sign-in?to=%2Falbums');
    await enter(page).click();
    await page.getByRole('alert').getByText('An account here already uses your email').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `a problem, ${name}`));
    const confirmed = gallery.deps.db.kysely.updateTable('users').set({ email_confirmed: 1 });
    await confirmed.where('id', '=', carl.id).execute();
    provider.signIn('carl-there', { email: 'carl@example.org', email_verified: true });
    await page.goto(`${gallery.url}/sign-in?to=%2Falbums`);
    await enter(page).click();
    await page.waitForURL(`${gallery.url}/albums`);
    assert.equal((await whoIs(page)).id, carl.id);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('an account with a password links the provider in its settings, signs in, and unlinks it', async () => {
    provider.signIn('ann-there', { email: 'ann@club.example', preferred_username: 'annie' });
    const { page, complaints } = await openTab(browser, gallery, '/sign-in');
    await signInAs(page, 'ann');
    await page.goto(`${gallery.url}/settings/security`);
    await club(page).getByText('Connect your account to Example Club').waitFor();
    await club(page).getByLabel('Current password').fill('not this one');
    await club(page).getByRole('button', { name: 'Connect' }).click();
    await club(page).getByRole('alert').getByText('The current password is wrong').waitFor();
    // Clears the browser's message about the refused request.
    complaints.length = 0;
    provider.refuse();
    await club(page).getByLabel('Current password').fill(password);
    await club(page).getByRole('button', { name: 'Connect' }).click();
    await club(page).getByRole('alert').getByText('Couldn’t connect').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `not connected, ${name}`));

    provider.signIn('ann-there', { email: 'ann@club.example', preferred_username: 'annie' });
    await club(page).getByLabel('Current password').fill(password);
    await club(page).getByRole('button', { name: 'Connect' }).click();
    await club(page).getByText('is connected to Example Club').waitFor();
    assert.equal(await club(page).getByRole('alert').count(), 0);
    await inEveryLook(page, (name) => assertAccessible(page, `connected, ${name}`));

    await browser.context.clearCookies();
    await page.goto(`${gallery.url}/sign-in?to=%2Fsettings%2Fsecurity`);
    await enter(page).click();
    await club(page).getByText('is connected to Example Club').waitFor();
    assert.equal((await whoIs(page)).id, ann.id);
    await club(page).getByLabel('Current password').fill(password);
    await club(page).getByRole('button', { name: 'Disconnect' }).click();
    await club(page).getByText('Connect your account to Example Club').waitFor();
    assert.equal(await club(page).getByLabel('Current password').inputValue(), '');
    // After the disconnection, the same provider user has no account, so the sign-in creates one.
    await browser.context.clearCookies();
    await page.goto(`${gallery.url}/sign-in`);
    await enter(page).click();
    await menu(page).waitFor();
    assert.equal((await whoIs(page)).username, 'annie');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('asks an account for its second factor, and links the account, where passwords are off', async () => {
    const wary = await register(gallery, 'wary');
    const { kysely } = gallery.deps.db;
    await kysely.updateTable('users').set({ email_confirmed: 1 }).where('id', '=', wary.id).execute();
    const codeNow = await switchOnFactor(gallery, wary);
    gallery.deps.config.passwordLogin = false;
    provider.signIn('wary-there', { email: 'wary@example.org', email_verified: true });
    const { page, complaints } = await openTab(browser, gallery, '/sign-in?to=%2Falbums');
    await enter(page).click();
    const field = page.getByLabel('Verification code');
    await field.fill('000000');
    await inEveryLook(page, (name) => assertAccessible(page, `second step, ${name}`));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('The code is wrong. Try again with a new code.').first().waitFor();
    complaints.length = 0;
    await page.getByRole('button', { name: 'Back' }).click();
    await enter(page).click();
    await field.fill(codeNow());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${gallery.url}/albums`);
    assert.equal((await whoIs(page)).id, wary.id);
    await page.goto(`${gallery.url}/settings/security`);
    await club(page).getByText('is connected to Example Club').waitFor();
    gallery.deps.config.passwordLogin = true;
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('an account without a password reads the consequences, and how to set a password', async () => {
    provider.signIn('fay', { email: 'fay@example.org', preferred_username: 'fay' });
    const { page, complaints, calls } = await openTab(browser, gallery, '/sign-in?to=%2Fsettings%2Fsecurity');
    await enter(page).click();
    const own = page.locator('#password');
    await own.getByText('Your account has no password yet').waitFor();
    await own.getByText('Ask the admin of this gallery for a link').waitFor();
    assert.equal(await page.getByLabel('Current password').count(), 0);
    // The hint appears for the second factor and for API keys. Passkeys are not offered for an IP address.
    await page.getByText('This action needs a password').nth(1).waitFor();
    assert.equal(await page.getByText('This action needs a password').count(), 2);
    await inEveryLook(page, (name) => assertAccessible(page, `no password, ${name}`));

    await page.goto(`${gallery.url}/settings/account`);
    await page.getByText('This action needs a password').waitFor();
    assert.equal(await page.getByLabel('Current password').count(), 0);
    await inEveryLook(page, (name) => assertAccessible(page, `account without a password, ${name}`));

    gallery.deps.config.passwordLogin = false;
    await page.goto(`${gallery.url}/settings/security`);
    await own.getByText('This gallery doesn’t use passwords').waitFor();
    gallery.deps.config.passwordLogin = true;
    await page.goto(`${gallery.url}/settings/account`);
    gallery.deps.config.mail = { url: 'smtp://127.0.0.1:9', from: 'gallery@example.org' };
    await page.reload();
    await page.getByRole('link', { name: 'Set a password' }).last().click();
    await own.getByRole('button', { name: 'Send a link to set a password' }).waitFor();
    await assertAccessible(page, 'no password yet');
    calls();
    await own.getByRole('button', { name: 'Send a link to set a password' }).click();
    await own.getByRole('status').getByText('We sent a link to fay@example.org').waitFor();
    assert.deepEqual(calls(), ['POST /api/auth/forgot']);
    gallery.deps.config.mail = undefined;

    // Resets the password in another tab, like the link in a mail does, which ends all sessions.
    const { id } = await whoIs(page);
    const { deps } = gallery;
    const link = { kind: 'reset', user_id: id, expire_time: deps.clock() + 3600 } as const;
    const token = await createOneTimeLink(deps, deps.db.kysely, link);
    const { page: other } = await openTab(browser, gallery, `/reset#${token}`);
    await other.getByLabel('New password').fill('half dome 1927');
    await other.getByRole('button', { name: 'Change password' }).click();
    await other.getByRole('status').waitFor();
    await other.goto(`${gallery.url}/sign-in`);
    await other.getByLabel('Username or email').fill('fay');
    await other.getByLabel('Password').fill('half dome 1927');
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    // The first tab was not reloaded, so it still shows its form.
    await page.getByRole('button', { name: 'Change password' }).waitFor();
    await other.close();
    await club(page).getByRole('button', { name: 'Disconnect' }).waitFor();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('an account without a password is deleted by its name after a recent sign-in', async () => {
    provider.signIn('gil', { email: 'gil@example.org', preferred_username: 'gil' });
    const { page, complaints } = await openTab(browser, gallery, '/sign-in?to=%2Fsettings%2Faccount');
    await enter(page).click();
    const name = page.getByLabel('Username');
    await name.fill('gil');
    const { id } = await whoIs(page);
    const { kysely } = gallery.deps.db;
    await kysely
      .updateTable('sessions')
      .set((session) => ({ create_time: session('create_time', '-', 700) }))
      .where('user_id', '=', id)
      .execute();
    const leave = async () => {
      await page.getByRole('button', { name: 'Delete my account' }).click();
      const asks = page.getByRole('dialog', { name: 'Delete everything permanently?' });
      await asks.getByRole('button', { name: 'Delete my account' }).click();
    };
    await leave();
    await page.getByRole('alert').getByText('Sign in again').waitFor();
    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    // The sign-in started another session: the page was reloaded, and its field is empty.
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[name=username]')?.value === '',
    );
    await name.fill('Gil');
    await leave();
    await page.waitForURL(`${gallery.url}/`);
    const left = await kysely.selectFrom('users').select('status').where('id', '=', id).executeTakeFirst();
    assert.ok(left === undefined || left.status === -1);
    assert.deepEqual(complaints, [
      'Failed to load resource: the server responded with a status of 403 (Forbidden)',
    ]);
    await page.close();
  });
});
