/**
 * Tests notifications in a real browser: the bell, the list over the page, and the page with all
 * notifications.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signInAs, withoutWeb } from './steps.ts';

describe('notifications', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let ben: Person;
  let rock: number;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    ben = await register(gallery, 'ben');
    await ben.put('/api/auth/profile', { nickname: 'Ben Bo' });
    rock = (await addPhoto(ann, { title: 'Rock' })).id;
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const bell = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const items = (page: Page) => page.getByRole('listitem').filter({ has: page.locator('time') });
  const unread = async () => (await ann.get('/api/auth/user')).body.data.unread as number;

  async function openAs(name: string, path: string, width = 1440) {
    const tab = await openTab(browser, gallery, '/sign-in');
    await tab.page.setViewportSize({ width, height: 844 });
    await signInAs(tab.page, name);
    tab.calls();
    await tab.page.goto(gallery.url + path);
    return tab;
  }
  async function leave(page: Page) {
    await page.close();
    await browser.context.clearCookies();
  }

  test('an empty notification list explains what it will show', async () => {
    const { page, complaints } = await openAs('ann', '/notifications');
    await page.getByRole('heading', { name: 'No notifications yet' }).waitFor();
    await bell(page, 'Notifications').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    assert.deepEqual(complaints, []);
    await leave(page);
  });

  test('opening the bell shows the new notifications and clears its number, and another tab follows', async () => {
    const cleo = await register(gallery, 'cleo');
    const { data } = (await ann.post(`/api/photos/${rock}/comments`, { content: 'My rock.' })).body;
    await ben.post(`/api/photos/${rock}/like`, { liked: true });
    await cleo.post(`/api/photos/${rock}/like`, { liked: true });
    await ben.post(`/api/photos/${rock}/favorite`, { favorited: true });
    await ben.post(`/api/photos/${rock}/comments`, { content: 'Indeed.', parent_id: data.id });
    await ben.post(`/api/users/ann/follow`, { following: true });
    await gallery.deps.db.kysely
      .updateTable('notifications')
      .set(({ eb }) => ({ create_time: eb('create_time', '-', 3 * 86_400) }))
      .where('type', '=', 'favorite')
      .execute();
    const { page, calls, complaints } = await openAs('ann', '/');
    const other = await openTab(browser, gallery, '/albums');
    const count = await unread();
    await bell(other.page, `Notifications, ${count} unread`).waitFor();
    await bell(page, `Notifications, ${count} unread`).waitFor();
    calls();
    await bell(page, `Notifications, ${count} unread`).press('Enter');
    const list = page.getByRole('dialog', { name: 'Notifications' });
    await list.getByText('cleo and 1 other person liked your photo “Rock”').waitFor();
    await list.getByText('Ben Bo added your photo “Rock” to favorites').waitFor();
    await list.getByText('Ben Bo started following you').waitFor();
    await list.getByText('Indeed.').first().waitFor();
    const days = await list.getByRole('heading', { level: 3 }).allInnerTexts();
    assert.equal(days[0], 'Today');
    assert.equal(days.length, 2);
    await bell(page, 'Notifications').waitFor();
    await bell(other.page, 'Notifications').waitFor();
    assert.equal(await unread(), 0);
    // Opening the list sends one request for the list, and one that marks everything as read.
    assert.deepEqual(calls(), ['GET /api/notifications?page=1&limit=30', 'POST /api/notifications/read']);
    // The list shows its unread notifications as new until it closes.
    assert.equal(await list.getByText('Unread:').count(), count);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await bell(page, 'Notifications').click();
    await list.getByText('Ben Bo started following you').waitFor();
    assert.equal(await list.getByText('Unread:').count(), 0);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    assert.deepEqual(calls(), []);
    await list
      .getByRole('link', { name: /Ben Bo (replied to your comment|commented)/ })
      .first()
      .click();
    await page.waitForURL(`**/photos/${rock}#comment-*`);
    const panel = page.getByRole('complementary', { name: 'Information' });
    await panel.getByRole('article').filter({ hasText: 'Indeed.' }).last().waitFor();
    assert.deepEqual(complaints, []);
    await other.page.close();
    await leave(page);
  });

  test('notifications are a page on a phone, which loads more at the end and marks all as read', async () => {
    for (let n = 1; n <= 64; n++) await ben.post(`/api/photos/${rock}/comments`, { content: `Remark ${n}.` });
    const { page, calls, complaints } = await openAs('ann', '/', 390);
    await bell(page, `Notifications, ${await unread()} unread`).click();
    await page.waitForURL('**/notifications');
    await items(page).filter({ hasText: 'Remark 64.' }).waitFor();
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    await bell(page, 'Notifications').waitFor();
    calls();
    await eventually(async () => {
      await page.keyboard.press('End');
      assert.equal(await items(page).filter({ hasText: 'Remark 1.' }).count(), 1);
    });
    assert.deepEqual(calls(), [
      'GET /api/notifications?page=2&limit=30',
      'GET /api/notifications?page=3&limit=30',
    ]);
    await bell(page, 'Notifications').waitFor();
    assert.equal(await unread(), 0);
    assert.equal(await items(page).filter({ hasText: 'Unread: Ben Bo commented' }).count(), 30);
    await page.reload();
    await items(page).filter({ hasText: 'Remark 64.' }).waitFor();
    assert.equal(await page.getByText('Unread:').count(), 0);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    assert.deepEqual(complaints, []);
    await leave(page);
  });

  test('returning to the tab reloads the number of unread notifications, but only after a minute', async () => {
    const { page, calls } = await openAs('ann', '/albums');
    await page.clock.install();
    await page.reload();
    await bell(page, 'Notifications').waitFor();
    await page.getByRole('heading', { name: 'Albums', exact: true }).waitFor();
    await ben.post(`/api/photos/${rock}/comments`, { content: 'One more.' });
    calls();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.clock.fastForward('01:00');
    assert.deepEqual(calls(), []);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await bell(page, 'Notifications, 1 unread').waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    assert.deepEqual(calls(), ['GET /api/auth/user']);
    await leave(page);
  });

  test('the open list shows what arrives later, and the bell retries after a failure', async () => {
    const { page } = await openAs('ann', '/');
    await intercept(page, '**/api/notifications/read', (route) => route.abort());
    await bell(page, 'Notifications, 1 unread').click();
    const list = page.getByRole('dialog', { name: 'Notifications' });
    await list.getByText('One more.').waitFor();
    await page.keyboard.press('Escape');
    await bell(page, 'Notifications, 1 unread').waitFor();
    assert.equal(await unread(), 1);
    await page.unrouteAll();
    await page.clock.install();
    await bell(page, 'Notifications, 1 unread').click();
    await bell(page, 'Notifications').waitFor();
    await ben.post(`/api/photos/${rock}/comments`, { content: 'The latest.' });
    await page.clock.fastForward('01:00');
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await items(page).filter({ hasText: 'The latest.' }).getByText('Unread:').waitFor();
    await items(page).filter({ hasText: 'One more.' }).getByText('Unread:').waitFor();
    await eventually(async () => assert.equal(await unread(), 0));
    await leave(page);
  });

  test('a notification of a deleted photo has no link, and visitors must sign in', async () => {
    await ben.post(`/api/photos/${(await addPhoto(ann, { title: 'Soon gone' })).id}/like`, { liked: true });
    const { list } = (await ann.get('/api/photos?limit=1&sort=create_time')).body.data;
    await ann.delete(`/api/photos/${list[0].id}`);
    const { page } = await openAs('ann', '/notifications');
    await items(page).filter({ hasText: 'Remark 64.' }).waitFor();
    const gone = items(page).filter({ hasText: 'This photo no longer exists.' });
    // The notification of a deleted photo has no link.
    assert.equal(await gone.getByRole('link').count(), 0);
    await browser.context.clearCookies();
    await page.reload();
    await page.getByText('Sign in to view this page.').waitFor();
    await page.close();
  });
});
