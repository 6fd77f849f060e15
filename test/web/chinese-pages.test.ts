/** Every page of the gallery in Simplified Chinese, and what it opens: nothing of it is in English. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertWritten } from '../support/answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addComment, addReport } from '../support/moderation.ts';
import { addAlbum, addPhoto, type Person, register, registerAdmin } from '../support/people.ts';
import { englishOn, zh } from './chinese.ts';
import { addForDialogs, walkDialogs } from './dialogs.ts';
import { assertAccessible, openTab, signIn, withoutWeb } from './steps.ts';

describe('the pages in Chinese', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let ada: Person;
  let album: number;
  let photo: number;
  let other: number;
  let smart: number;

  before(async () => {
    gallery = await startGallery();
    ada = await registerAdmin(gallery, 'ada');
    ann = await register(gallery, 'ann');
    const ben = await register(gallery, 'ben');
    album = await addAlbum(ann, '旅行');
    photo = (await addPhoto(ann, { title: '湖水', tags: '冬天', album_id: String(album) })).id;
    await addPhoto(ann, { title: '山峰' });
    const trashed = (await addPhoto(ann, { title: '旧照' })).id;
    other = (await addPhoto(ben, { title: '海边' })).id;
    await ben.post('/api/users/ann/follow', { followed: true });
    await addComment(ben, photo, '真美');
    await addReport(ben, 'photo', photo);
    smart = await addForDialogs(ann, photo, trashed);
    browser = await openBrowser({ locale: 'zh-CN' });
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const button = (page: Page, key: string, values = {}) =>
    page.getByRole('button', { name: zh(key, values), exact: true });

  /** What of the page is in English. */
  async function look(page: Page, where: string): Promise<string[]> {
    await assertAccessible(page, where);
    return (await englishOn(page)).map((text) => `${where}: ${text}`);
  }
  async function walk(page: Page, paths: string[]): Promise<string[]> {
    const found: string[] = [];
    for (const path of paths) {
      await page.goto(gallery.url + path);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
      await page.getByText(zh('loading'), { exact: true }).waitFor({ state: 'detached' });
      found.push(...(await look(page, path)));
    }
    return found;
  }

  test('of who is signed out', async () => {
    const { page } = await openTab(browser, gallery, '/');
    const paths = [
      '/',
      '/sign-in',
      '/sign-in?problem=refused',
      '/register',
      '/forgot',
      '/reset',
      '/confirm-email',
    ];
    assert.deepEqual(
      await walk(page, [...paths, '/first-run', '/albums', '/users/ann', '/search?q=foo:bar']),
      [],
    );
    await page.close();
  });

  test('of who is signed in, and what they open', async () => {
    await signIn(browser, gallery, ann);
    const { page } = await openTab(browser, gallery, '/');
    const settings = ['', '/account', '/security', '/keys', '/webhooks'].map((name) => `/settings${name}`);
    const people = ['', '/followers', '/following', '/albums'].map((name) => `/users/ann${name}`);
    const others = ['/favorites', '/feed', '/shares', '/notifications', '/trash', '/nowhere', '/photos/999'];
    const found = await walk(page, [
      '/albums',
      `/albums/${album}`,
      '/signed-in',
      ...people,
      ...settings,
      ...others,
    ]);
    await page.goto(gallery.url);
    await button(page, 'account').click();
    await button(page, 'keys').waitFor();
    found.push(...(await look(page, 'menu of the account')));
    await button(page, 'keys').click();
    await page.getByRole('dialog').waitFor();
    found.push(...(await look(page, 'list of keys')));
    await page.goto(`${gallery.url}/settings/security`);
    await button(page, 'passwordChange').click();
    await page.getByLabel(zh('passwordNew')).waitFor();
    await button(page, 'factorBegin').click();
    await page.getByLabel(zh('passwordNow')).nth(1).waitFor();
    found.push(...(await look(page, 'forms of security')));
    await page.goto(`${gallery.url}/albums`);
    await button(page, 'albumNew').click();
    await page.getByRole('dialog').waitFor();
    found.push(...(await look(page, 'new album')));
    assert.deepEqual(found, []);
    await page.close();
  });

  test('of every dialog', async () => {
    await signIn(browser, gallery, ann);
    const { page } = await openTab(browser, gallery, '/');
    const found: string[] = [];
    await walkDialogs({ gallery, page, say: zh, album, photo, other }, smart, async (name) => {
      found.push(...(await englishOn(page)).map((text) => `${name}: ${text}`));
    });
    assert.deepEqual(found, []);
    await page.close();
    await browser.context.clearCookies();
  });

  test('of an admin', async () => {
    await signIn(browser, gallery, ada);
    const { page } = await openTab(browser, gallery, '/');
    const names = ['', '/reports', '/users', '/invites', '/photos', '/comments', '/log'];
    const found = await walk(
      page,
      names.map((name) => `/admin${name}`),
    );
    await page.goto(`${gallery.url}/admin/users`);
    const lookAtDialog = async (name: string) => {
      await page.getByRole('dialog').waitFor();
      found.push(...(await look(page, name)));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    for (const act of ['adminSetQuota', 'adminPromote', 'adminSignOut', 'adminLink', 'adminDelete']) {
      await button(page, 'adminActsOn', { name: 'ben' }).click();
      await page.getByRole('menuitem', { name: zh(act), exact: true }).click();
      await lookAtDialog(act);
    }
    await page.goto(`${gallery.url}/admin/reports`);
    for (const act of ['adminRemove', 'adminDisable']) {
      await button(page, act).first().click();
      await lookAtDialog(`${act}, of a report`);
    }
    assertWritten(await ada.post('/api/admin/invites', { uses: 1, expires: 1 }));
    await page.goto(`${gallery.url}/admin/invites`);
    await button(page, 'adminInviteRevoke').click();
    await page.getByRole('dialog', { name: zh('adminInviteRevokeAsk') }).waitFor();
    found.push(...(await look(page, 'end an invite')));
    assert.deepEqual(found, []);
    await page.close();
  });
});
