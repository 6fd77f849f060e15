/**
 * Tests sessions that expire during work, for users without a password: signing in again by a provider, in
 * another tab, or by passkey.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { oidcClient, startProvider } from '../support/oidc.ts';
import { addPhoto, type Person, password, register } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signInAs, type Tab, withoutWeb } from './steps.ts';

describe('a session that ends, without a password', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let ann: Person;
  let rock: number;

  before(async () => {
    provider = await startProvider();
    const opened = await startGallery({
      oidc: { ...oidcClient, issuer: provider.issuer, name: 'Example Club', adminClaim: undefined },
    });
    // Uses `localhost`, because browsers create no passkeys for an IP address.
    gallery = { ...opened, url: opened.url.replace('127.0.0.1', 'localhost') };
    provider.know(`${gallery.url}/api/auth/oidc/callback`);
    ann = await register(gallery, 'ann');
    rock = (await addPhoto(ann, { title: 'Rock' })).id;
    browser = await openBrowser();
  });
  afterEach(() => browser.context.clearCookies());
  after(async () => {
    await browser?.close();
    await gallery?.close();
    await provider?.close();
  });

  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });
  const endAllSessions = () => gallery.deps.db.kysely.deleteFrom('sessions').execute();
  const likes = () =>
    gallery.deps.db.kysely.selectFrom('likes').selectAll().where('photo_id', '=', rock).execute();
  const acts = ({ calls }: Tab) => calls().filter((call) => !call.startsWith('GET '));

  async function lookAtRock(page: Page): Promise<void> {
    await page.goto(`${gallery.url}/photos/${rock}`);
    await page.getByRole('button', { name: /^Like/ }).waitFor();
    await endAllSessions();
    await page.keyboard.press('l');
    await dialog(page).waitFor();
  }

  test('signing in by the provider in another tab, also at the second try, completes a waiting like', async () => {
    const person = { email: 'dora@example.org', preferred_username: 'dora' };
    provider.signIn('dora', person);
    const tab = await openTab(browser, gallery, '/sign-in');
    const { page, complaints } = tab;
    await page.getByRole('link', { name: 'Sign in with Example Club' }).click();
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
    await lookAtRock(page);
    assert.equal(await dialog(page).getByLabel('Password').count(), 0, 'there is none to ask for');
    await inEveryLook(page, (name) => assertAccessible(page, `ended, ${name}`));
    acts(tab);

    // The provider's session has ended, too, and the provider refuses to sign in.
    await browser.context.clearCookies();
    provider.refuse();
    const opening = browser.context.waitForEvent('page');
    await dialog(page).getByRole('link', { name: 'Sign in with Example Club' }).click();
    const other = await opening;
    await other.getByRole('alert').getByText('Sign-in failed').waitFor();
    assert.equal(await dialog(page).count(), 1);
    provider.signIn('dora', person);
    await other.getByRole('link', { name: 'Sign in with Example Club' }).click();
    await other.getByRole('heading', { name: 'You’re signed in' }).waitFor();
    await inEveryLook(other, (name) => assertAccessible(other, `signed in, ${name}`));
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Unlike' }).waitFor();
    await eventually(async () => assert.equal((await likes()).length, 1));
    assert.deepEqual(acts(tab), [`POST /api/photos/${rock}/like`]);
    // Ignores 401 messages, because the call that met the expired session is refused.
    assert.deepEqual(
      complaints.filter((text) => !text.includes(' 401 ')),
      [],
    );
    await other.close();
    await page.close();
  });

  test('a passkey renews an ended session in a dialog over the page', async () => {
    const tab = await openTab(browser, gallery, '/sign-in');
    const { page } = tab;
    const session = await browser.context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
        ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      },
    });
    await signInAs(page, 'ann');
    await page.goto(`${gallery.url}/settings/security`);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Passkeys' }) });
    await section.getByLabel('Name').fill('Laptop');
    await section.getByLabel('Current password').fill(password);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('status').getByText('Passkey added').waitFor();
    await lookAtRock(page);
    await dialog(page).getByLabel('Password').waitFor();
    await assertAccessible(page, 'a password or another way');
    acts(tab);
    await dialog(page).getByRole('button', { name: 'Sign in with a passkey' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Unlike' }).waitFor();
    await eventually(async () => assert.equal((await likes()).length, 2));
    assert.deepEqual(acts(tab), [
      'POST /api/auth/login/passkey/options',
      'POST /api/auth/login/passkey',
      `POST /api/photos/${rock}/like`,
    ]);
    await page.close();
  });
});
