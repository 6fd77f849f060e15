/**
 * Tests sessions that end elsewhere during work in a real browser: the user signs in again, and the pending
 * action continues.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, disableAccount, type Person, password, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { assertAccessible, inEveryLook, openTab, signIn, signInAs, withoutWeb } from './steps.ts';

describe('a session that ends while one works', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let ben: Person;
  let rock: number;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    ben = await register(gallery, 'ben');
    await register(gallery, 'cleo');
    await addPhoto(ben, { title: 'River' });
    rock = (await addPhoto(ben, { title: 'Rock' }, await createJpeg({ width: 300, height: 200 }))).id;
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });

  async function openAs(name: string, path: string) {
    await signIn(browser, gallery, { name });
    const tab = await openTab(browser, gallery, path);
    await tab.page.getByRole('button', { name: 'Upload', exact: true }).waitFor({ state: 'attached' });
    if (path.includes('/photos/')) await tab.page.getByRole('dialog').waitFor();
    return tab;
  }
  /** Ends all sessions of the browser from another client of the same person. */
  async function endOtherSessions(person: Person): Promise<void> {
    const { list } = (await person.get('/api/auth/sessions?limit=100')).body.data;
    for (const { id, is_current } of list) {
      if (!is_current) await person.delete(`/api/auth/sessions/${id}`);
    }
  }
  async function signInAgain(page: Page, secret = password): Promise<void> {
    await dialog(page).getByLabel('Password').fill(secret);
    await dialog(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  }
  async function leave(page: Page) {
    await page.close();
    await browser.context.clearCookies();
  }
  const acts = (calls: string[]) => calls.filter((call) => !call.startsWith('GET '));

  test('likes are sent once and in order after the session is renewed by the right password', async () => {
    const { page, calls } = await openAs('ann', `/photos/${rock}`);
    await page.getByRole('button', { name: 'Like', exact: true }).waitFor();
    await endOtherSessions(ann);
    calls();
    // Sends both keys before the sign-in dialog opens.
    await page.evaluate(() => {
      for (const key of ['l', 'f']) window.dispatchEvent(new KeyboardEvent('keydown', { key }));
    });
    await dialog(page).waitFor();
    const secret = dialog(page).getByLabel('Password');
    assert.equal(await secret.evaluate((field) => field === document.activeElement), true);
    assert.equal(await dialog(page).getByLabel('Username or email').inputValue(), 'ann');
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await signInAgain(page, 'not the password');
    await dialog(page).getByRole('alert').waitFor();
    await signInAgain(page);
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(async () => {
      const { data } = (await ann.get(`/api/photos/${rock}`)).body;
      assert.deepEqual([data.is_liked, data.is_favorited, data.likes], [true, true, 1]);
    });
    await page.getByRole('button', { name: 'Unlike' }).waitFor();
    assert.deepEqual(acts(calls()), [
      `POST /api/photos/${rock}/like`,
      'POST /api/auth/login',
      'POST /api/auth/login',
      `POST /api/photos/${rock}/like`,
      `POST /api/photos/${rock}/favorite`,
    ]);
    await leave(page);
  });

  test('a comment is sent after the session is renewed; without signing in, the text stays', async () => {
    const { page } = await openAs('ann', `/photos/${rock}`);
    await page.keyboard.press('i');
    const field = page.getByRole('textbox', { name: 'Write a comment' });
    await field.fill('Long thoughts.');
    await ann.put('/api/auth/password', { old_password: password, new_password: 'another 1 horse' });
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await dialog(page).waitFor();
    await dialog(page).getByRole('button', { name: 'Continue without signing in' }).click();
    await page.getByRole('link', { name: 'Sign in to comment' }).click();
    await page.getByLabel('Username or email').fill('ann');
    await page.getByLabel('Password').fill('another 1 horse');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`**/photos/${rock}`);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('i');
    await field.waitFor();
    assert.equal(await field.inputValue(), 'Long thoughts.');
    await ann.put('/api/auth/password', { old_password: 'another 1 horse', new_password: password });
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await signInAgain(page);
    await page.getByRole('article').filter({ hasText: 'Long thoughts.' }).waitFor();
    assert.equal(await field.inputValue(), '');
    const { data } = (await ann.get(`/api/photos/${rock}/comments`)).body;
    assert.deepEqual(
      data.list.map(({ content }: { content: string }) => content),
      ['Long thoughts.'],
    );
    await leave(page);
  });

  test('an upload waits for the renewal of an ended session, and continues', async () => {
    const { page } = await openAs('ann', '/');
    const files = await Promise.all(
      ['one', 'two'].map(async (name, at) => ({
        name: `${name}.jpg`,
        mimeType: 'image/jpeg',
        buffer: await createJpeg({ width: 40 + at, height: 30 }),
      })),
    );
    await page.locator('#upload-files').setInputFiles(files);
    await page.getByRole('button', { name: 'Upload 2 photos' }).waitFor();
    await endOtherSessions(ann);
    await page.getByRole('button', { name: 'Upload 2 photos' }).click();
    await signInAgain(page);
    await page.locator('li[data-state=done]').nth(1).waitFor();
    const { data } = (await ann.get(`/api/photos?user_id=${ann.id}`)).body;
    assert.equal(data.pagination.total, 2);
    await leave(page);
  });

  test('an upload with the cookie of an ended session continues after a sign-in in another tab', async () => {
    const { page } = await openAs('ann', '/');
    const { page: other } = await openTab(browser, gallery, '/');
    const [before] = (await browser.context.cookies()).filter(({ name }) => name === 'lightwell_session');
    const cookie = `lightwell_session=${before!.value}`;
    const arrived = Promise.withResolvers<void>();
    const signedIn = Promise.withResolvers<void>();
    await intercept(
      page,
      /\/api\/uploads\/\w+$/,
      async (route) => {
        arrived.resolve();
        await signedIn.promise;
        // Sends the request with the old cookie, as if the browser had sent it before the sign-in.
        const headers = { ...route.request().headers(), cookie, origin: gallery.url };
        const response = await route.fetch({ headers });
        assert.equal(response.status(), 401);
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    const total = async () => (await ann.get(`/api/photos?user_id=${ann.id}`)).body.data.pagination.total;
    const already = await total();
    const buffer = await createJpeg({ width: 50, height: 30 });
    await page.locator('#upload-files').setInputFiles([{ name: 'on.jpg', mimeType: 'image/jpeg', buffer }]);
    await page.getByRole('button', { name: 'Upload 1 photo' }).click();
    await arrived.promise;
    await signInAs(other, 'ann');
    signedIn.resolve();
    await page.locator('li[data-state=done]').first().waitFor();
    assert.equal(await dialog(page).count(), 0);
    assert.equal(await total(), already + 1);
    await other.close();
    await leave(page);
  });

  test('the editor saves all steps after an ended session is renewed', async () => {
    const { page } = await openAs('ben', `/photos/${rock}`);
    await page.keyboard.press('e');
    await page.getByRole('list', { name: 'Edit steps' }).waitFor();
    await page.getByRole('navigation', { name: 'Tools' }).getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Rotate right' }).click();
    await endOtherSessions(ben);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await signInAgain(page);
    await page.getByRole('dialog', { name: 'Edit photo' }).waitFor({ state: 'detached' });
    const { data } = (await ben.get(`/api/photos/${rock}/edits`)).body;
    assert.equal(data.list.length, 1);
    await leave(page);
  });

  test('a sign-in in another tab renews the session, but another person gets a new page', async () => {
    const { page } = await openAs('ann', `/photos/${rock}`);
    await endOtherSessions(ann);
    await page.keyboard.press('l');
    await dialog(page).waitFor();
    const { page: other } = await openTab(browser, gallery, '/sign-in');
    await other.getByLabel('Username or email').fill('ann');
    await other.getByLabel('Password').fill(password);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(async () => {
      assert.equal((await ann.get(`/api/photos/${rock}`)).body.data.is_liked, false);
    });
    await other.close();

    await endOtherSessions(ann);
    await page.keyboard.press('l');
    await dialog(page).waitFor();
    await dialog(page).getByLabel('Username or email').fill('cleo');
    const loaded = page.waitForEvent('load');
    await signInAgain(page);
    await loaded;
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByText('cleo@example.org').waitFor();
    assert.equal((await ann.get(`/api/photos/${rock}`)).body.data.is_liked, false);
    await leave(page);
  });

  test('a disabled account sees a message, and the page continues signed out', async () => {
    const { page } = await openAs('cleo', `/photos/${rock}`);
    const cleo = (await ann.get('/api/users/cleo')).body.data;
    await disableAccount(gallery, cleo);
    await page.keyboard.press('l');
    await signInAgain(page);
    await dialog(page)
      .getByRole('alert')
      .filter({ hasText: 'This account is disabled. Contact an admin.' })
      .waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('button', { name: 'Like', exact: true }).count(), 0);
    await leave(page);
  });
});
