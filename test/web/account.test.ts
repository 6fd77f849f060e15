/** Tests the account settings in a real browser: profile, picture, password, sessions, keys, webhooks. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startWebhookDispatcher } from '../../server/gallery/webhooks/dispatcher.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { asVisitor, logIn, type Person, password, register } from '../support/people.ts';
import { createNoise } from '../support/pictures.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe('account settings in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let stop: () => Promise<void>;

  before(async () => {
    gallery = await startGallery({ defaultQuotaBytes: 1e9, webhookAllowPrivate: true });
    stop = startWebhookDispatcher(gallery.deps);
    ann = await register(gallery, 'ann');
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await stop?.();
    await gallery?.close();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  /** Confirms the dialog that opens before an action. */
  const confirm = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

  async function openAsAnn(path: string) {
    await signIn(browser, gallery, ann);
    return openTab(browser, gallery, path);
  }

  test('account settings save the profile with one call, show mistakes, and preview a picture', async () => {
    const { page, calls, complaints } = await openAsAnn('/');
    await button(page, 'Account').click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL('**/settings');
    await page.getByRole('main').getByRole('meter', { name: 'Storage' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Ann Lee');
    await page.getByLabel('Bio').fill('Rocks.\nRivers.');
    calls();
    await button(page, 'Save').click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    assert.deepEqual(calls(), ['PUT /api/auth/profile']);
    const { data } = (await ann.get('/api/auth/user')).body;
    assert.deepEqual([data.nickname, data.bio], ['Ann Lee', 'Rocks.\nRivers.']);
    const buffer = await createNoise(300, 200);
    await page
      .locator('input[type=file][accept*=heic]')
      .last()
      .setInputFiles({
        ...{ name: 'me.jpg', mimeType: 'image/jpeg', buffer },
      });
    const frame = page.getByRole('application', { name: /^Frame of the picture/ });
    await button(page, 'Use this picture').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `frame, ${name}`));
    const readSquare = () =>
      frame.locator('canvas').evaluate((one) => (one as HTMLCanvasElement).toDataURL());
    const looks = [await readSquare()];
    const lookAgain = async () => {
      await eventually(async () => assert.ok(!looks.includes(await readSquare())));
      looks.push(await readSquare());
    };
    await frame.focus();
    await page.keyboard.press('ArrowLeft');
    await lookAgain();
    await page.getByRole('slider', { name: 'Zoom' }).fill('2');
    await lookAgain();
    await frame.hover();
    await page.mouse.down();
    await page.mouse.move(0, 300, { steps: 3 });
    await page.mouse.up();
    await lookAgain();
    await button(page, 'Use this picture').click();
    await button(page, 'Remove picture').waitFor();
    const { avatar } = (await ann.get('/api/auth/user')).body.data;
    assert.equal((await asVisitor(gallery).get(avatar)).status, 200);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await button(page, 'Remove picture').click();
    await button(page, 'Remove picture').waitFor({ state: 'detached' });
    assert.equal((await ann.get('/api/auth/user')).body.data.avatar, '');
    assert.deepEqual(complaints, []);
    await page.close();
    await browser.context.clearCookies();
  });

  test('account settings mark the current session, and end one or all others, also by a new password', async () => {
    const [desk, phone, tablet] = [
      await logIn(gallery, ann),
      await logIn(gallery, ann),
      await logIn(gallery, ann),
    ];
    const { page, complaints } = await openAsAnn('/settings/security');
    const items = page.getByRole('listitem').filter({ hasText: 'Signed in' });
    await items.filter({ hasText: 'This device' }).waitFor();
    const before = await items.count();
    assert.ok(before >= 5, `${before} sessions`);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    // The newest session, the page's own, is the first in the list, and the tablet's is next.
    await items.nth(1).getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await items.nth(1).getByRole('button', { name: 'Sign out' }).click();
    await confirm(page, 'Sign out');
    await eventually(async () => assert.equal(await items.count(), before - 1));
    await eventually(async () => assert.equal((await tablet.get('/api/auth/user')).status, 401));
    assert.equal((await phone.get('/api/auth/user')).status, 200);
    await button(page, 'Sign out all other devices').click();
    await page.getByRole('dialog').waitFor();
    await assertAccessible(page, 'asked once more');
    await confirm(page, 'Sign out all other devices');
    await eventually(async () => assert.equal(await items.count(), 1));
    for (const who of [phone, desk]) assert.equal((await who.get('/api/auth/user')).status, 401);

    ann = await logIn(gallery, ann);
    await button(page, 'Change password').press('Enter');
    const now = page.getByLabel('Current password');
    await now.and(page.locator(':focus')).waitFor();
    await assertAccessible(page, 'a new password');
    await now.fill('not this one');
    await page.getByLabel('New password').fill('moon over half dome');
    await button(page, 'Change password').click();
    await page.getByRole('alert').getByText('The current password is wrong').waitFor();
    // Clears the browser's message about the refused request.
    complaints.length = 0;
    await now.fill(password);
    await button(page, 'Change password').click();
    await page.getByText('Password changed. You’re signed out on all other devices.').waitFor();
    assert.equal((await ann.get('/api/auth/user')).status, 401);
    assert.deepEqual(complaints, []);
    await page.close();
    await browser.context.clearCookies();
    ann = await logIn(gallery, ann, 'moon over half dome');
    await ann.put('/api/auth/password', { old_password: 'moon over half dome', new_password: password });
  });

  test('account settings show an API key once, and a deleted key no longer works', async () => {
    const { page, complaints } = await openAsAnn('/settings/keys');
    await page.getByText('No API keys yet.').waitFor();
    await page.getByLabel('Name').fill('Frame');
    await button(page, 'Create key').click();
    const secret = await page.getByLabel('API key', { exact: true }).inputValue();
    const program = async () =>
      (await fetch(`${gallery.url}/api/auth/user`, { headers: { Authorization: `Bearer ${secret}` } }))
        .status;
    assert.equal(await program(), 200);
    await page.getByRole('listitem').filter({ hasText: 'Read only' }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.reload();
    await page.getByRole('listitem').filter({ hasText: 'Frame' }).waitFor();
    assert.ok(!(await page.content()).includes(secret), 'the key is shown a second time');
    await button(page, 'Delete').click();
    await page.getByRole('dialog', { name: 'Delete key “Frame”?' }).waitFor();
    await confirm(page, 'Delete');
    await page.getByText('No API keys yet.').waitFor();
    assert.equal(await program(), 401);
    assert.deepEqual(complaints, []);
    await page.close();
    await browser.context.clearCookies();
  });

  test("account settings show a webhook's secret once, and test, resend, pause and delete the webhook", async () => {
    const receiver = await startReceiver();
    try {
      const { page, complaints } = await openAsAnn('/settings/webhooks');
      await page.getByText('No webhooks yet.').waitFor();
      await page.getByLabel('URL').fill(receiver.url);
      await page.getByLabel('Description').fill('Prints what is new');
      await page.getByLabel('New follower').uncheck();
      await button(page, 'Create webhook').click();
      assert.match(await page.getByLabel('Secret', { exact: true }).inputValue(), /^whsec_/);
      const { list } = (await ann.get('/api/webhooks')).body.data;
      assert.equal(list[0].events.includes('follow.created'), false);
      assert.equal(list[0].events.length, 5);
      await button(page, 'Send test').click();
      await eventually(async () => {
        const { data } = (await ann.get(`/api/webhooks/${list[0].id}/deliveries`)).body;
        assert.equal(data.list[0]?.status, 'delivered');
      });
      await button(page, 'Refresh').click();
      await page.getByText('Delivered', { exact: true }).waitFor();
      await page.getByText(/Response 20\d/).waitFor();
      await inEveryLook(page, (name) => assertAccessible(page, name));
      await button(page, 'Send again').click();
      await eventually(async () => {
        const { data } = (await ann.get(`/api/webhooks/${list[0].id}/deliveries`)).body;
        assert.equal(data.list.length, 2);
      });
      await button(page, 'Pause').click();
      await page.getByText('Paused', { exact: true }).waitFor();
      assert.equal(await button(page, 'Send test').count(), 0);
      await button(page, 'Delete').click();
      await confirm(page, 'Delete');
      await page.getByText('No webhooks yet.').waitFor();
      assert.deepEqual((await ann.get('/api/webhooks')).body.data.list, []);
      assert.deepEqual(complaints, []);
      await page.close();
      await browser.context.clearCookies();
    } finally {
      await receiver.close();
    }
  });
});
