/**
 * Tests that the tabs of a browser share one cookie: data, texts and choices of one account stay with that
 * account.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, asVisitor, type Person, password, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { openTab, signIn, withoutWeb } from './steps.ts';

describe('one account a browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let ben: Person;
  let photo: number;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    ben = await register(gallery, 'ben');
    const picture = () => createJpeg({ width: 300, height: 200 });
    photo = (await addPhoto(ann, { title: 'For all' }, await picture())).id;
    await addPhoto(ann, { title: 'For Ann alone', is_public: '0' }, await picture());
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const annsOwn = (page: Page) => page.getByRole('link', { name: 'For Ann alone' });

  async function open(path = '/'): Promise<Page> {
    return (await openTab(browser, gallery, path)).page;
  }

  async function openAsAnn(path = '/'): Promise<Page> {
    await signIn(browser, gallery, ann);
    return open(path);
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
  }

  /** Signs in as Ben on the sign-in page. */
  async function enterAsBen(page: Page): Promise<void> {
    await page.getByLabel('Username or email').fill('ben');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname !== '/sign-in');
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
  }

  const openPanel = (page: Page) => page.getByRole('button', { name: 'Information', exact: true }).click();

  async function close(...pages: Page[]): Promise<void> {
    for (const page of pages) await page.close();
    await browser.context.clearCookies();
  }

  test('signing out in another tab hides private content in this tab', async () => {
    const here = await openAsAnn();
    await annsOwn(here).waitFor();
    const there = await open('/settings');
    await signOut(there);
    await here.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
    await here.getByRole('link', { name: 'For all' }).waitFor();
    assert.equal(await annsOwn(here).count(), 0);
    await close(here, there);
  });

  test('an unaware tab does nothing in the name of an account that signed in in another tab', async () => {
    const here = await openAsAnn('/settings');
    await here.addInitScript(() => {
      for (const name of ['storage', 'visibilitychange'])
        window.addEventListener(name, (event) => event.stopImmediatePropagation(), true);
    });
    await here.reload();
    await here.getByRole('button', { name: 'Save' }).waitFor();
    const there = await open();
    await signOut(there);
    await there.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
    await enterAsBen(there);
    await here.bringToFront();
    await here.getByLabel('Name', { exact: true }).fill('Ann of the Alps');
    await Promise.all([here.waitForEvent('load'), here.getByRole('button', { name: 'Save' }).click()]);
    await here.getByLabel('Name', { exact: true }).waitFor();
    assert.equal(await here.getByLabel('Name', { exact: true }).inputValue(), '');
    for (const one of [ann, ben])
      assert.equal((await asVisitor(gallery).get(`/api/users/${one.name}`)).body.data.nickname, '');
    await close(here, there);
  });

  test('a draft is shown to its author only', async () => {
    const page = await openAsAnn(`/photos/${photo}`);
    const field = page.getByRole('textbox', { name: 'Write a comment' });
    await openPanel(page);
    await field.fill('Said by Ann');
    await ann.delete('/api/auth/sessions');
    await page.goto(`${gallery.url}/sign-in?to=/photos/${photo}`);
    await enterAsBen(page);
    await openPanel(page);
    await field.waitFor();
    assert.equal(await field.inputValue(), '');
    await close(page);
  });

  test('files chosen by one account are not sent by the next account', async () => {
    const page = await openAsAnn();
    await ann.delete('/api/auth/sessions');
    const buffer = await createJpeg({ width: 320, height: 200 });
    await page
      .locator('#upload-files')
      .setInputFiles([{ name: 'of-ann.jpg', mimeType: 'image/jpeg', buffer }]);
    await page.getByRole('button', { name: 'Upload 1 photo' }).click();
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Username or email').fill('ben');
    await again.getByLabel('Password').fill(password);
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByText('ben@example.org').waitFor();
    await page.getByRole('link', { name: 'For all' }).waitFor();
    assert.equal(await page.getByText('of-ann').count(), 0);
    const { data } = (await ben.get(`/api/photos?user_id=${ben.id}`)).body;
    assert.equal(data.pagination.total, 0);
    await close(page);
  });
});
