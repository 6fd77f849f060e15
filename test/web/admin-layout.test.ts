/** Tests administration on a phone, with content in every state: no part is wider than the page. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addComment, addReport } from '../support/moderation.ts';
import { addPhoto, register, registerAdmin } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

const pages = ['', '/reports', '/users', '/photos', '/comments', '/invites', '/log'];
const long = 'names-have-20-letter';
const unbroken = 'Donaudampfschifffahrtsgesellschaftskapitaen'.repeat(3);

describe('the administration on a telephone', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    gallery = await startGallery();
    browser = await openBrowser();
    const admin = await registerAdmin(gallery, 'ansel');
    const dora = await register(gallery, 'dora');
    const spammer = await register(gallery, long);
    for (const is_public of ['1', '0']) {
      const { id } = await addPhoto(spammer, { title: unbroken, is_public });
      await addReport(admin, 'photo', id);
      if (is_public === '1') await addReport(dora, 'photo', id);
      await addReport(admin, 'comment', await addComment(spammer, id, unbroken));
    }
    assert.equal((await admin.put(`/api/admin/users/${dora.id}`, { quota_mb: 1000 })).body.code, 0);
    assert.equal((await admin.put(`/api/admin/users/${dora.id}`, { status: 0 })).body.code, 0);
    assert.equal((await admin.post('/api/admin/invites', { note: unbroken.slice(0, 60) })).body.code, 0);
    await signIn(browser, gallery, admin);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  test('no administration page scrolls sideways at 1440, 390 and 320 px', async () => {
    const { page, complaints } = await openTab(browser, gallery, '/admin');
    for (const path of pages) {
      await page.goto(`${gallery.url}/admin${path}`);
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
      await inEveryLook(page, (name) => assertAccessible(page, `${path}, ${name}`));
      for (const width of [1440, 390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        const room = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(room <= 0, `${path} at ${width} px: ${room} px too wide`);
      }
    }
    assert.deepEqual(complaints, []);
    await page.close();
  });

  for (const [first, last, label] of [
    ['/admin', '/admin/log', 'Audit log'],
    ['/settings', '/settings/webhooks', 'Webhooks'],
  ] as const) {
    test(`the administration scrolls the link of the current page below ${first} into view`, async () => {
      const { page } = await openTab(browser, gallery, first);
      await page.setViewportSize({ width: 390, height: 844 });
      const current = page.locator('nav a[aria-current=page]');
      await assertInView(current);
      await page.getByRole('link', { name: label }).click();
      await page.waitForURL(`**${last}`);
      await current.filter({ hasText: label }).waitFor();
      await assertInView(current);
      await page.reload();
      await assertInView(current);
      assert.equal(await page.evaluate(() => scrollY), 0);
      await page.close();
    });
  }
});

/** Asserts that the link lies completely within the width of the page. */
async function assertInView(link: Locator): Promise<void> {
  const { x, width } = (await link.boundingBox())!;
  assert.ok(x >= 0 && x + width <= 390, `from ${x} to ${x + width}`);
}
