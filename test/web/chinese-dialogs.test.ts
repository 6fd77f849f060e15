/** Tests every photo over its list, every menu and every dialog in Simplified Chinese: without English texts and motion. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { zh } from './chinese.ts';
import {
  assertWayOut,
  button,
  type ChineseGallery,
  findFaults,
  look,
  openChineseGallery,
} from './chinese-look.ts';
import { walkDialogs } from './dialogs.ts';
import { everyPage } from './every-page.ts';
import { openTab, signIn, withoutWeb } from './steps.ts';

describe('the dialogs in Chinese', { skip: withoutWeb }, () => {
  let opened: ChineseGallery;

  before(async () => {
    opened = await openChineseGallery();
    await signIn(opened.browser, opened.gallery, opened.full.ann);
  });
  after(async () => {
    await opened?.browser.close();
    await opened?.gallery.close();
  });

  test('closing a photo over every Chinese list shows the page below, whose menu can sign out', async () => {
    const { gallery, browser, full } = opened;
    const { page } = await openTab(browser, gallery, '/');
    const found: string[] = [];
    for (const path of everyPage(full).viewers) {
      await page.goto(gallery.url + path);
      await page.getByRole('dialog').waitFor();
      await page.getByRole('button', { name: zh('info'), exact: true }).waitFor();
      found.push(...(await findFaults(page, path)));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await assertWayOut(page);
    }
    await page.goto(`${gallery.url}/photos/999`);
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    found.push(...(await findFaults(page, 'no photo')));
    assert.deepEqual(found, []);
    await page.close();
  });

  test('Chinese menus and forms that open within pages contain no English', async () => {
    const { gallery, browser } = opened;
    const { page } = await openTab(browser, gallery, '/');
    await page.locator('[popovertarget=account]').click();
    await button(page, 'keys').waitFor();
    const found = await look(page, 'menu of the account');
    await button(page, 'keys').click();
    await page.getByRole('dialog', { name: zh('keys') }).waitFor();
    found.push(...(await look(page, 'list of keys')));
    await page.goto(`${gallery.url}/settings/security?problem=refused`);
    await page.getByRole('alert').waitFor();
    await button(page, 'passwordChange').click();
    await page.getByLabel(zh('passwordNew')).waitFor();
    await button(page, 'factorSetUp').click();
    await page.getByLabel(zh('currentPassword')).nth(1).waitFor();
    found.push(...(await look(page, 'forms of security')));
    assert.deepEqual(found, []);
    await page.close();
  });

  test('Chinese dialogs about accounts, reports and invites contain no English', async () => {
    const { gallery, browser } = opened;
    const { page } = await openTab(browser, gallery, '/admin/users');
    const found: string[] = [];
    const lookAtDialog = async (name: string) => {
      await page.getByRole('dialog').waitFor();
      found.push(...(await look(page, name)));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const acts = [
      ...['adminSetQuota', 'adminGrantRights', 'adminDisable'],
      ...['adminSignOutUser', 'adminResetLink', 'adminDelete'],
    ];
    for (const act of acts) {
      await button(page, 'adminActionsFor', { name: 'ben' }).click();
      await page.getByRole('menuitem', { name: zh(act), exact: true }).click();
      await lookAtDialog(act);
    }
    await page.goto(`${gallery.url}/admin/reports`);
    for (const act of ['adminRemove', 'adminDisable']) {
      await button(page, act).first().click();
      await lookAtDialog(`${act}, of a report`);
    }
    await page.goto(`${gallery.url}/admin/invites`);
    await button(page, 'adminInviteRevoke').click();
    await page.getByRole('dialog', { name: zh('adminInviteRevokeQuestion') }).waitFor();
    found.push(...(await look(page, 'end an invite')));
    assert.deepEqual(found, []);
    await page.close();
  });

  /** Walks through all dialogs, of which the last ends the session. */
  test('a Chinese dialog contains no English, moves nothing and has the focus', async () => {
    const { gallery, browser, full } = opened;
    const { page } = await openTab(browser, gallery, '/');
    const found: string[] = [];
    await walkDialogs({ gallery, page, say: zh, ...full }, full.smart, async (name) => {
      found.push(...(await findFaults(page, name)));
      const isWithout = await page.evaluate(() => {
        const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
        return dialog !== undefined && !dialog.contains(document.activeElement);
      });
      if (isWithout) found.push(`${name}: the focus is outside`);
    });
    assert.deepEqual(found, []);
    await page.close();
  });
});
