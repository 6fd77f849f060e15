/**
 * Tests administration in a real browser: statistics, reports handled by keyboard, accounts. Other users see
 * none of the pages.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addComment, addReport } from '../support/moderation.ts';
import { addPhoto, asVisitor, logIn, type Person, register, registerAdmin } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signInAs, withoutWeb } from './steps.ts';

const pages = ['', '/reports', '/users', '/photos', '/comments', '/log'].map((name) => `/admin${name}`);

describe('the administration in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let admin: Person;
  let dora: Person;
  let spammer: Person;
  let photos: number[];

  before(async () => {
    gallery = await startGallery();
    browser = await openBrowser();
    admin = await registerAdmin(gallery, 'ansel');
    dora = await register(gallery, 'dora');
    spammer = await register(gallery, 'spammer');
    assert.equal((await dora.post('/api/auth/tokens', { name: 'Site of the club' })).body.code, 0);
    photos = [];
    for (const title of ['Buy sunglasses', 'Cheap watches', 'A quiet lake'])
      photos.push((await addPhoto(spammer, { title })).id);
    const comment = await addComment(spammer, photos[2]!, 'Click here');
    await addReport(dora, 'photo', photos[2]!);
    await addReport(dora, 'comment', comment);
    await addReport(dora, 'photo', photos[0]!);
    await addReport(admin, 'photo', photos[0]!);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  test('the administration is a missing page for other users, and its document reveals nothing', async () => {
    const { page } = await openTab(browser, gallery);
    for (const name of [undefined, 'dora']) {
      if (name) await signInAs(page, name);
      for (const path of pages) {
        const answer = (await page.goto(gallery.url + path))!;
        assert.equal(answer.status(), 404, path);
        assert.doesNotMatch(await answer.text(), /admin\/|page-(admin|figures|users|log)/);
      }
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('link', { name: 'Settings', exact: true }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Administration' }).count(), 0);
    await page.close();
    await browser.context.clearCookies();
  });

  test('an admin handles reports by keys, and disables the account behind the reports', async () => {
    const { page, complaints, calls } = await openTab(browser, gallery);
    await signInAs(page, 'ansel');
    await page.reload();
    await page.getByRole('button', { name: 'Account, 4 open reports' }).click();
    await page.getByRole('link', { name: 'Administration 4 open reports' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'Reports 4' }).click();
    const queue = page.getByRole('main').locator('ol > li');
    await queue.nth(3).waitFor();
    const current = page.getByRole('main').locator('li[aria-current]');
    await current.getByText('Buy sunglasses').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `reports, ${name}`));
    calls();

    await page.keyboard.press('r');
    const asked = page.getByRole('dialog', { name: 'Remove photo “Buy sunglasses”?' });
    await asked.getByText('This closes 2 reports').waitFor();
    await assertAccessible(page, 'remove?');
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'hidden' });
    await page.keyboard.press('r');
    await asked.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Report handled: Buy sunglasses').waitFor();
    await queue.nth(2).waitFor({ state: 'hidden' });
    assert.equal(await queue.count(), 2, 'both reports about it');
    assert.equal((await asVisitor(gallery).get(`/api/photos/${photos[0]}`)).status, 404);

    await current.getByText('Click here').waitFor();
    await page.keyboard.press('j');
    await current.getByText('A quiet lake').waitFor();
    await page.keyboard.press('x');
    await page.getByText('Report dismissed: A quiet lake').waitFor();
    await queue.nth(1).waitFor({ state: 'hidden' });
    assert.equal((await asVisitor(gallery).get(`/api/photos/${photos[2]}`)).status, 200);

    await page.keyboard.press('u');
    await page.getByRole('dialog', { name: 'Disable spammer’s account?' }).waitFor();
    await page.getByRole('button', { name: 'Disable account' }).last().click();
    await page.getByText('No open reports').waitFor();
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
    assert.equal((await spammer.get('/api/auth/user')).status, 401);
    assert.equal((await asVisitor(gallery).get(`/api/photos/${photos[1]}`)).status, 403);
    // Each action loads its list and the number of open reports again. The tab loaded one list before.
    assert.ok(calls().length <= 11);

    await page.getByRole('link', { name: 'Users', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'spammer' });
    await row.getByText('Disabled').waitFor();
    await row.getByRole('button', { name: 'Actions for spammer' }).click();
    await page.getByRole('menuitem', { name: 'Enable account' }).click();
    await page.getByRole('dialog').getByText('2 photos become visible again').waitFor();
    await page.getByRole('button', { name: 'Enable account' }).last().click();
    await row.getByText('Disabled').waitFor({ state: 'hidden' });
    // The row changes before the server responds, so the test waits for the server, too.
    await eventually(async () => {
      assert.equal((await asVisitor(gallery).get(`/api/photos/${photos[1]}`)).status, 200);
    });

    await page.getByRole('link', { name: 'Audit log', exact: true }).click();
    await page.getByRole('cell', { name: 'Enabled' }).waitFor();
    await page.getByLabel('Action').selectOption('report.handle');
    await page.getByRole('cell', { name: 'Enabled' }).waitFor({ state: 'hidden' });
    assert.equal(await page.getByRole('rowheader', { name: 'Report handled' }).count(), 3);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('an admin sets a quota, cannot remove the last admin, and deletes photos and comments', async () => {
    const { page, complaints } = await openTab(browser, gallery, '/admin/users');
    await page.getByLabel('Search by name or email').fill('dora');
    const row = page.getByRole('row').filter({ hasText: 'dora' });
    await page.getByRole('row').filter({ hasText: 'spammer' }).waitFor({ state: 'hidden' });
    await row.getByRole('button', { name: 'Actions for dora' }).click();
    await assertAccessible(page, 'menu');
    await page.getByRole('menuitem', { name: 'Set quota' }).click();
    await page.getByLabel('Quota (MB)').fill('20');
    await assertAccessible(page, 'quota');
    await page.keyboard.press('Enter');
    await row.getByText('of 20 MB').waitFor();
    assert.equal((await dora.get('/api/auth/user')).body.data.quota_mb, 20);

    await row.getByRole('button', { name: 'Actions for dora' }).click();
    await page.getByRole('menuitem', { name: 'API keys' }).click();
    const limit = page.getByLabel('Calls per minute: Site of the club');
    assert.equal(await limit.inputValue(), '');
    await limit.fill('6000');
    await assertAccessible(page, 'keys');
    await page.keyboard.press('Enter');
    await page.getByText('Limit set').waitFor();
    const [key] = (await admin.get(`/api/admin/users/${dora.id}/tokens`)).body.data.list;
    assert.equal(key.rate_limit, 6000);
    await page.keyboard.press('Escape');

    await page.getByLabel('Search by name or email').fill('ansel');
    await page.getByRole('button', { name: 'Actions for ansel' }).click();
    await page.getByRole('menuitem', { name: 'Delete account' }).click();
    await page.getByRole('button', { name: 'Delete account' }).last().click();
    await page.getByRole('alert').getByText('last admin').waitFor();
    await page.keyboard.press('Escape');
    assert.equal((await admin.get('/api/auth/user')).status, 200);

    const tabs = page.getByRole('navigation', { name: 'Administration' });
    await tabs.getByRole('link', { name: 'Photos', exact: true }).click();
    await page.getByRole('button', { name: 'Remove: Cheap watches' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove: Cheap watches' }).waitFor({ state: 'detached' });
    assert.equal((await asVisitor(gallery).get(`/api/photos/${photos[1]}`)).status, 404);

    await page.getByRole('link', { name: 'Comments', exact: true }).click();
    await page.getByRole('button', { name: 'Remove: Click here' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No results.').waitFor();
    // Ignores the browser's message about the refusal to disable the last admin.
    assert.deepEqual(
      complaints.filter((line) => !line.includes('409')),
      [],
    );
    await page.close();
  });

  test('the headings sort the users, and empty accounts have 0 bytes', async () => {
    const { page, complaints, calls } = await openTab(browser, gallery, '/admin/users');
    const heading = (name: string) => page.getByRole('columnheader', { name });
    const names = () => page.getByRole('rowheader').getByText(/^@/).allInnerTexts();
    await heading('Joined').waitFor();
    assert.equal(await heading('Joined').getAttribute('aria-sort'), 'descending');
    calls();
    await page.getByRole('button', { name: 'User', exact: true }).click();
    await page.locator('[aria-sort=ascending]').getByText('User').waitFor();
    await eventually(async () => assert.match(calls().join(), /sort=name&order=asc/));
    assert.equal(await page.locator('[aria-sort]').count(), 1);
    const ascending = await names();
    assert.deepEqual(ascending, [...ascending].sort());
    await page.getByRole('button', { name: 'User', exact: true }).click();
    await eventually(async () => assert.deepEqual(await names(), [...ascending].reverse()));
    await page
      .getByRole('cell', { name: /^0 bytes/ })
      .first()
      .waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `sorted users, ${name}`));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'User', exact: true }).click();
    await eventually(async () => assert.deepEqual(await names(), ascending));
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('an admin signs an account out everywhere, and creates a link for a new password', async () => {
    const elsewhere = await logIn(gallery, dora);
    const { page, complaints } = await openTab(browser, gallery, '/admin/users');
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Actions for dora' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Sign out everywhere');
    const asks = page.getByRole('dialog', { name: 'Sign dora out everywhere?' });
    await inEveryLook(page, (name) => assertAccessible(page, `sign out? ${name}`));
    assert.equal((await elsewhere.get('/api/auth/user')).status, 200);
    await asks.getByRole('button', { name: 'Sign out everywhere' }).click();
    await asks.waitFor({ state: 'detached' });
    for (const one of [dora, elsewhere]) assert.equal((await one.get('/api/auth/user')).status, 401);

    await choose('Password reset link');
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = page.getByLabel('Password reset link (shown once)');
    await link.waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `link, ${name}`));
    const token = new URL(await link.inputValue()).hash.slice(1);
    const body = { token, password: 'half dome 1927', end_keys: false };
    assert.equal((await asVisitor(gallery).post('/api/auth/reset', body)).status, 200);
    dora = await logIn(gallery, dora, 'half dome 1927');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Audit log', exact: true }).click();
    await page.getByText('reset_link').first().waitFor();
    await page.getByText('sessions_ended').first().waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("the administration shows charts in the theme's colors, tables, and hints about missing settings", async () => {
    await fetch(`${gallery.url}/api/site`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    const { page, complaints } = await openTab(browser, gallery, '/admin');
    await page.locator('canvas').nth(4).waitFor();
    await page.getByRole('status').filter({ hasText: 'a proxy at 127.0.0.1' }).waitFor();
    const drawn = () =>
      page
        .locator('canvas')
        .first()
        .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await drawn();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForFunction((before) => document.querySelector('canvas')?.toDataURL() !== before, light);
    await page.getByText('Show as table').first().click();
    const today = page.getByRole('region', { name: 'Uploaded photos' }).getByRole('row').nth(1);
    await today.getByRole('cell', { name: '3' }).waitFor();
    await page.getByLabel('Period').selectOption('7');
    await page.waitForFunction(() => document.querySelectorAll('details[open] tbody tr').length === 7);
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
