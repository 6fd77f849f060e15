/** Tests account recovery in a real browser: a forgotten password, and a change of the email address. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createOneTimeLink } from '../../server/gallery/accounts/links.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { oidcClient } from '../support/oidc.ts';
import { logIn, type Person, register } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, withoutWeb } from './steps.ts';

describe('back into an account in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;

  before(async () => {
    // Tests in this file do not connect to the provider, so its URL leads nowhere.
    const oidc = { ...oidcClient, issuer: 'http://127.0.0.1:9', name: 'Example Club', adminClaim: undefined };
    gallery = await startGallery({
      oidc,
      mail: { url: 'smtp://127.0.0.1:9', from: 'gallery@example.org' },
    });
    ann = await register(gallery, 'ann');
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const addLink = (kind: 'reset' | 'email', email = '') =>
    createOneTimeLink(gallery.deps, gallery.deps.db.kysely, {
      ...{ kind, email, user_id: ann.id, expire_time: gallery.deps.clock() + 3600 },
    });

  test('a forgotten password is replaced by a link that the user requests', async () => {
    const { page, complaints } = await openTab(browser, gallery, '/sign-in');
    await inEveryLook(page, (name) => assertAccessible(page, `sign in, ${name}`));
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // Waits for the new page, because the sign-in form, visible until then, also has an email field.
    await page.waitForURL(`${gallery.url}/forgot`);
    await page.getByLabel('Email', { exact: true }).fill('nobody@example.org');
    await assertAccessible(page, 'forgot');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('status').getByText('If an account uses this email').waitFor();

    await page.goto(`${gallery.url}/reset#${await addLink('reset')}`);
    await page.waitForURL(`${gallery.url}/reset`);
    await inEveryLook(page, (name) => assertAccessible(page, `reset, ${name}`));
    await page.getByLabel('New password').fill('half dome 1927');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('status').getByText('Sign in with your new password').waitFor();
    await logIn(gallery, ann, 'half dome 1927');
    await page.goto(`${gallery.url}/reset`);
    await page.getByText('This link is incomplete').waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the settings send a link that confirms the email address of the registration', async () => {
    const { page, complaints, calls } = await openTab(browser, gallery, '/sign-in?to=%2Fsettings%2Faccount');
    await page.getByLabel('Username or email').fill('ann');
    await page.getByLabel('Password').fill('half dome 1927');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const part = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Confirm your email' }) });
    await part.getByText('ann@example.org isn’t confirmed yet').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `not confirmed, ${name}`));
    await part.getByLabel('Current password').fill('half dome 1927');
    calls();
    await part.getByRole('button', { name: 'Send link' }).click();
    await part.getByRole('status').getByText('We sent a link to ann@example.org').waitFor();
    assert.deepEqual(calls(), ['PUT /api/auth/email']);
    assert.equal(await part.getByLabel('Current password').inputValue(), '');
    await gallery.deps.db.kysely
      .updateTable('users')
      .set({ email_confirmed: 1 })
      .where('id', '=', ann.id)
      .execute();
    await page.reload();
    await page.getByText('Your email is ann@example.org.').waitFor();
    assert.equal(await part.count(), 0);
    await gallery.deps.db.kysely
      .updateTable('users')
      .set({ email_confirmed: 0 })
      .where('id', '=', ann.id)
      .execute();
    assert.deepEqual(complaints, []);
    await page.close();
    await browser.context.clearCookies();
  });

  test('a new email address is confirmed by a click, and not by opening the link', async () => {
    const link = `/confirm-email#${await addLink('email', 'ann@elsewhere.example')}`;
    const { page, complaints } = await openTab(browser, gallery, link);
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
    await assertAccessible(page, 'confirm');
    const readEmail = () =>
      gallery.deps.db.kysely
        .selectFrom('users')
        .select(['email', 'email_confirmed'])
        .where('id', '=', ann.id)
        .executeTakeFirstOrThrow();
    assert.deepEqual({ ...(await readEmail()) }, { email: 'ann@example.org', email_confirmed: 0 });
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('status').getByText('ann@elsewhere.example').waitFor();
    assert.deepEqual(
      { ...(await readEmail()) },
      { email: 'ann@elsewhere.example', email_confirmed: 0 },
      'not signed in to it',
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the recovery page shows an explanation without a form where passwords are off', async (context) => {
    gallery.deps.config.passwordLogin = false;
    context.after(() => {
      gallery.deps.config.passwordLogin = true;
    });
    const { page, complaints } = await openTab(browser, gallery, '/forgot');
    for (const path of ['/forgot', '/reset', `/reset#${await addLink('reset')}`]) {
      await page.goto(gallery.url + path);
      await page.getByText('This gallery doesn’t use passwords. Sign in with Example Club').waitFor();
      assert.equal(await page.getByRole('textbox').count(), 0);
      assert.equal(await page.getByLabel('New password').count(), 0);
      await inEveryLook(page, (name) => assertAccessible(page, `${path}, ${name}`));
    }
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL(`${gallery.url}/sign-in`);
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
