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

  test('the bell shows the number of notifications, and opening one marks it as read', async () => {
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
    const count = await unread();
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
    // Opening the list sends a single request.
    assert.deepEqual(calls(), ['GET /api/notifications?page=1&limit=30']);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await bell(page, `Notifications, ${count} unread`).click();
    await list.getByText('Ben Bo started following you').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    assert.deepEqual(calls(), []);

    const follow = items(page).filter({ hasText: 'started following you' });
    await follow.getByRole('button', { name: 'Mark as read' }).click();
    await bell(page, `Notifications, ${count - 1} unread`).waitFor();
    assert.equal(await follow.getByRole('button', { name: 'Mark as read' }).count(), 0);
    await eventually(async () => assert.equal(await unread(), count - 1));
    await list
      .getByRole('link', { name: /Ben Bo (replied to your comment|commented)/ })
      .first()
      .click();
    await page.waitForURL(`**/photos/${rock}#comment-*`);
    const panel = page.getByRole('complementary', { name: 'Information' });
    await panel.getByRole('article').filter({ hasText: 'Indeed.' }).last().waitFor();
    await eventually(async () => assert.equal(await unread(), count - 2));
    assert.deepEqual(complaints, []);
    await leave(page);
  });

  test('notifications are a page on a telephone, load more at the end, and can all be marked at once', async () => {
    for (let n = 1; n <= 64; n++) await ben.post(`/api/photos/${rock}/comments`, { content: `Remark ${n}.` });
    const { page, calls, complaints } = await openAs('ann', '/', 390);
    await bell(page, `Notifications, ${await unread()} unread`).click();
    await page.waitForURL('**/notifications');
    await items(page).filter({ hasText: 'Remark 64.' }).waitFor();
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    calls();
    await eventually(async () => {
      await page.keyboard.press('End');
      assert.equal(await items(page).filter({ hasText: 'Remark 1.' }).count(), 1);
    });
    assert.deepEqual(calls(), [
      'GET /api/notifications?page=2&limit=30',
      'GET /api/notifications?page=3&limit=30',
    ]);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await bell(page, 'Notifications').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Mark as read' }).count(), 0);
    await eventually(async () => assert.equal(await unread(), 0));
    await page.reload();
    await items(page).filter({ hasText: 'Remark 64.' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Mark as read' }).count(), 0);
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

  test('notifications become unread again with a reason when marking them fails', async () => {
    const { page } = await openAs('ann', '/notifications');
    const last = items(page).filter({ hasText: 'One more.' });
    await intercept(page, '**/api/notifications/read', (route) => route.abort());
    await last.getByRole('button', { name: 'Mark as read' }).click();
    await page.getByText('Can’t reach the gallery. Check your connection.').waitFor();
    await last.getByRole('button', { name: 'Mark as read' }).waitFor();
    await bell(page, 'Notifications, 1 unread').waitFor();
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
