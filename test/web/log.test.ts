/** Tests the audit log in a real browser: refused account actions, described in both languages. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { commandLineActor, recordAuditedAct } from '../../server/gallery/moderation/audit.ts';
import { assertRefused } from '../support/assert-answers.ts';
import { startNextHour } from '../support/audit-log.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { postFrom, register, registerAdmin } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe('the audit log in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    gallery = await startGallery({ trustProxy: true });
    startNextHour(gallery);
    browser = await openBrowser();
    await registerAdmin(gallery, 'ansel');
    const dora = await register(gallery, 'dora');
    await gallery.deps.db.kysely.transaction().execute((transaction) =>
      recordAuditedAct(gallery.deps, transaction, commandLineActor, {
        action: 'user.update',
        target: { type: 'user', id: dora.id, name: 'dora' },
      }),
    );
    const wrong = { username: 'dora', password: 'none of hers' };
    for (let n = 0; n < 3; n++) {
      assertRefused(await postFrom(gallery, '192.0.2.1', '/api/auth/login', wrong), 401, 10003);
    }
    await eventually(async () => {
      const rows = gallery.deps.db.kysely
        .selectFrom('audit_log')
        .select('count')
        .where('outcome', '=', 'refused');
      assert.deepEqual(
        (await rows.execute()).map(({ count }) => Number(count)),
        [3],
      );
    });
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  test('the audit log shows count, account, reason and address, and can be filtered by outcome', async () => {
    await signIn(browser, gallery, { name: 'ansel' });
    const { page, complaints } = await openTab(browser, gallery, '/admin/log');
    await page.getByRole('row', { name: 'Account created' }).first().waitFor();
    // Checks that each of the two filters shows its own name.
    for (const name of ['Action', 'Result']) {
      const chosen = page.getByRole('combobox', { name }).locator('option:checked');
      assert.equal(await chosen.textContent(), `${name}: all`);
    }
    await page.getByLabel('Result').selectOption('Refused');
    const row = page.getByRole('row', { name: 'Sign-in with password · 3 times' });
    await row.getByText('Refused, Wrong username, password or passkey, 192.0.2.1').waitFor();
    assert.equal(await row.getByText('dora').count(), 2);
    await page.getByRole('row', { name: 'Account created' }).first().waitFor({ state: 'detached' });
    await inEveryLook(page, (name) => assertAccessible(page, `log, ${name}`));
    await page.context().addCookies([{ name: 'lightwell_language', value: 'zh-CN', url: gallery.url }]);
    await page.reload();
    await page.getByText('已拒绝, 用户名、密码或通行密钥不正确, 192.0.2.1').waitFor();
    await page.getByRole('row', { name: '密码登录 · 3 次' }).waitFor();
    await page.getByLabel('结果').selectOption('成功');
    await page.getByRole('row', { name: '更改账号' }).getByText('命令行').waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
