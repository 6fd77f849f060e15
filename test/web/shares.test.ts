/**
 * Tests sharing in a real browser: a link with a password, opened by a visitor, and the list of links, with
 * changes and revocation.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe('sharing in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let chinese: Browser;
  let ann: Person;
  let photo: number;
  let album: number;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    photo = (await addPhoto(ann, { title: 'Lamp', is_public: '0' })).id;
    album = await addAlbum(ann, 'Coast');
    await addPhoto(ann, { title: 'Pier', album_id: String(album) });
    browser = await openBrowser();
    chinese = await openBrowser({ locale: 'zh-CN' });
  });
  after(async () => {
    await browser?.close();
    await chinese?.close();
    await gallery?.close();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  async function openAsAnn(path: string, of = browser) {
    await signIn(of, gallery, ann);
    return openTab(of, gallery, path);
  }

  test('shares a photo with a password by key, and a visitor without an account opens the share', async () => {
    const { page, complaints } = await openAsAnn(`/photos/${photo}`);
    await page.getByRole('dialog').getByText('Lamp', { exact: true }).first().waitFor();
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog', { name: 'Share this photo' });
    await dialog.waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await dialog.getByLabel('Expires').selectOption('7');
    await dialog.getByLabel('Require a password').check();
    await dialog.getByLabel('Password', { exact: true }).fill('blue heron');
    await dialog.getByLabel('Allow downloads').uncheck();
    await button(page, 'Create link').click();
    const url = await dialog.getByLabel('Link', { exact: true }).inputValue();
    await dialog.getByRole('img', { name: 'QR code for the link' }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `made, ${name}`));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // The photo is still open, because the key closed only the dialog.
    await page.getByRole('dialog').getByText('Lamp', { exact: true }).first().waitFor();
    const [share] = (await ann.get('/api/shares')).body.data.list;
    assert.deepEqual([share.url, share.has_password, share.allow_download], [url, true, false]);
    assert.notEqual(share.expire_time, '');
    await page.close();
    await browser.context.clearCookies();

    const guest = await openTab(browser, gallery, new URL(url).pathname);
    await guest.page.getByLabel('Password').fill('blue heron');
    await guest.page.keyboard.press('Enter');
    await guest.page.getByRole('heading', { name: 'Lamp' }).waitFor();
    assert.equal(await guest.page.locator('a[download]').count(), 0);
    assert.deepEqual([...complaints, ...guest.complaints], []);
    await guest.page.close();
  });

  test('lists links with their views, changes a link with one call, and revokes it after a question', async () => {
    const { page, complaints, calls } = await openAsAnn('/shares');
    const item = page.getByRole('listitem').filter({ hasText: 'Lamp' });
    await item.getByText('Opened 1 time').waitFor();
    await item.getByText('Password-protected').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    calls();
    await item.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Allow downloads').check();
    await dialog.getByLabel('View limit').fill('5');
    await dialog.getByLabel('Require a password').uncheck();
    await button(page, 'Save').click();
    await item.getByText('Opened 1 of 5 times').waitFor();
    assert.equal(calls().length, 1);
    const [share] = (await ann.get('/api/shares')).body.data.list;
    assert.deepEqual([share.has_password, share.allow_download, share.max_views], [false, true, 5]);
    assert.notEqual(share.expire_time, '');
    await item.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog', { name: 'Revoke the link to “Lamp”?' }).waitFor();
    await assertAccessible(page, 'asked');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No shared links yet').waitFor();
    const { pathname } = new URL(share.url);
    await eventually(async () => assert.equal((await asVisitor(gallery).get(pathname)).status, 404));
    assert.deepEqual(complaints, []);
    await page.close();
    await browser.context.clearCookies();
  });

  test('shares an album in Chinese, and opens the share signed out', async () => {
    const { page, complaints } = await openAsAnn(`/albums/${album}`, chinese);
    await button(page, '分享').click();
    const dialog = page.getByRole('dialog', { name: '分享这个相册' });
    await button(page, '生成链接').click();
    const url = await dialog.getByLabel('链接', { exact: true }).inputValue();
    await assertAccessible(page, 'made');
    await dialog.getByRole('link', { name: '查看所有链接' }).click();
    await page.waitForURL('**/shares');
    await page.getByRole('listitem').filter({ hasText: 'Coast' }).waitFor();
    await chinese.context.clearCookies();
    await page.goto(url);
    await page.getByText('1 张照片').waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
