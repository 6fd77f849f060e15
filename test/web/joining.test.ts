/**
 * Tests registration by invite in a real browser: an invite is created, passed on and used. Without an invite
 * nobody can register.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { registerAdmin } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe('joining a gallery in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    gallery = await startGallery();
    await registerAdmin(gallery, 'ansel');
    // Turns on registration by invite after the first accounts exist.
    gallery.deps.config.registration = 'invite';
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  test('an invite of an admin creates one account, and can be revoked', async () => {
    await signIn(browser, gallery, { name: 'ansel' });
    const { page, complaints, calls } = await openTab(browser, gallery, '/admin');
    await page.getByRole('link', { name: 'Invites', exact: true }).click();
    await page.getByText('No invites yet.').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `invites, ${name}`));
    calls();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByLabel('Invite link', { exact: true }).inputValue();
    assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/join\/[\w-]{43}$/);
    await page.getByRole('cell', { name: '0 of 1' }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `an invite, ${name}`));
    assert.deepEqual(calls(), ['POST /api/admin/invites', 'GET /api/admin/invites?limit=50&page=1']);
    // Closes the admin's page, because the page would reload when the test signs in another user with the same
    // browser.
    await page.close();
    await browser.context.clearCookies();

    const { page: theirs, complaints: others } = await openTab(browser, gallery, new URL(link).pathname);
    await theirs.getByRole('heading', { name: 'You’re invited' }).waitFor();
    await inEveryLook(theirs, (name) => assertAccessible(theirs, `join, ${name}`));
    await theirs.getByLabel('Username').fill('dora');
    await theirs.getByLabel('Email').fill('dora@example.org');
    await theirs.getByLabel('Password').fill('half dome 1927');
    await theirs.getByRole('button', { name: 'Create account' }).click();
    await theirs.waitForURL(`${gallery.url}/`);
    await theirs.getByRole('button', { name: 'Account', exact: true }).waitFor();
    await browser.context.clearCookies();

    // Using the invite again fails, because an invite is valid for one account only.
    await theirs.goto(link);
    await theirs.getByLabel('Username').fill('eve');
    await theirs.getByLabel('Email').fill('eve@example.org');
    await theirs.getByLabel('Password').fill('half dome 1927');
    await theirs.getByRole('button', { name: 'Create account' }).click();
    await theirs.getByRole('alert').getByText('This invite is invalid').waitFor();

    await theirs.close();
    await browser.context.clearCookies();
    await signIn(browser, gallery, { name: 'ansel' });
    const { page: later, complaints: last } = await openTab(browser, gallery, '/admin/invites');
    const row = later.getByRole('row').filter({ hasText: '1 of 1' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await later.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await later.getByText('No invites yet.').waitFor();
    // Ignores 403 messages, because a refused form is an expected response.
    assert.deepEqual([...complaints, ...last, ...others.filter((text) => !text.includes('403'))], []);
    await later.close();
    await browser.context.clearCookies();
  });

  test('shows no form and no link to a visitor without an invite', async () => {
    const { page, complaints } = await openTab(browser, gallery, '/register');
    await page.getByRole('heading', { name: 'Registration is by invitation only' }).waitFor();
    await assertAccessible(page, 'by invitation');
    assert.equal(await page.getByLabel('Username').count(), 0);
    await page.getByRole('link', { name: 'Sign in' }).last().click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Create account' }).count(), 0);
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
