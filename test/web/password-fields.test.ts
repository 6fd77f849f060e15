/** Fields of passwords hide what is in them, take what is pasted, and tell password managers what they are for. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { pageRoutes } from '../../server/gallery/pages/pages.ts';
import { assertDone, assertWritten } from '../support/answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { client } from '../support/oidc.ts';
import { addAlbum, addPhoto, type Person, password, register, registerAdmin } from '../support/people.ts';
import { openTab, signIn, withoutWeb } from './steps.ts';

const now = 'current-password';
const fresh = 'new-password';
/** What each page asks for, when all its forms are open. */
const signedOut = {
  '/sign-in': [now],
  '/register': [fresh],
  '/join/an-invite': [fresh],
  '/first-run#a-code': [fresh],
  '/reset#a-token': [fresh],
};
const signedIn = {
  // Another email, and leaving.
  '/settings/account': [now, now],
  // The password, a second factor, a passkey, the provider.
  '/settings/security': [now, fresh, now, now, now],
};
const withoutAccount = /^\/(sign-in|signed-in|register|join\/:token|forgot|reset|confirm-email|first-run)$/;

describe('passwords in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;

  before(async () => {
    const oidc = { ...client, issuer: 'http://127.0.0.1:9', name: 'Example Club', adminClaim: undefined };
    const opened = await startGallery({ oidc });
    // No browser makes a passkey for an address.
    gallery = { ...opened, url: opened.url.replace('127.0.0.1', 'localhost') };
    ann = await registerAdmin(gallery, 'ann');
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const fieldsOf = (page: Page) => page.locator('input[type=password], input[name*=password]');

  /** As a person does who keeps it in another program. */
  async function copyPassword(page: Page): Promise<void> {
    await page.goto(`${gallery.url}/sign-in`);
    await page.getByLabel('Username or email').fill(password);
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+X');
  }

  async function assertFields(page: Page, path: string, purposes: string[]): Promise<void> {
    const fields = fieldsOf(page);
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

  test('are hidden, can be pasted, and are named for password managers; a pasted one signs in', async () => {
    const { page, complaints } = await openTab(browser, gallery);
    await copyPassword(page);
    // The link of the first admin has a form as long as there is none.
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
    await fieldsOf(page).focus();
    await page.keyboard.press('Control+V');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
    for (const [path, purposes] of Object.entries(signedIn)) {
      await page.goto(gallery.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (path === '/settings/security') {
        for (const name of ['Change the password', 'Set it up', 'Add a passkey']) {
          await page.getByRole('button', { name, exact: true }).click();
        }
      }
      await assertFields(page, path, purposes);
    }
    assert.deepEqual(complaints, []);
    await page.close();
    await browser.context.clearCookies();
  });

  test('the way out is in the menu of every page that shows what is somebody’s', async () => {
    const { id } = await addPhoto(ann, { title: 'Rock', is_public: '0' });
    const album = await addAlbum(ann, 'Coast', { isPublic: false });
    const bob = await register(gallery, 'bob');
    const theirs = (await addPhoto(bob, { title: 'River' })).id;
    assertDone(await ann.put(`/api/photos/${id}`, { album_id: album }));
    assertWritten(await ann.post(`/api/photos/${id}/favorite`));
    assertWritten(await ann.post(`/api/users/${bob.id}/follow`));
    await signIn(browser, gallery, ann);
    const { page } = await openTab(browser, gallery);
    const paths = pageRoutes.map(({ path }) => path).filter((path) => !withoutAccount.test(path));
    assert.ok(paths.length > 25);
    for (const path of paths) {
      const place = path
        .replace(/photos\/:(id|photoId)/, `photos/${path.startsWith('/feed') ? theirs : id}`)
        .replace(':name', 'ann')
        .replace(':id', String(album));
      await page.goto(`${gallery.url}${place}${path.startsWith('/search') ? '?q=Rock' : ''}`);
      await openMenu(page, path);
      assert.ok(await page.getByRole('button', { name: 'Sign out', exact: true }).last().isVisible(), path);
    }
    await page.locator('#account').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    assert.deepEqual(
      (await browser.context.cookies()).filter(({ name }) => name.includes('session')),
      [],
    );
    await page.close();
  });

  /** A photo lies over its page, and goes by Esc. */
  async function openMenu(page: Page, path: string): Promise<void> {
    if (path.includes('/photos/')) {
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.locator('#account').getByRole('button', { name: 'Sign out' }).waitFor();
  }
});
