/**
 * Tests the trash in a real browser: deleted photos, remaining days, restoring, permanent deletion, and
 * emptying.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRead, assertRefused } from '../support/assert-answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe('the trash', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  const ids: Record<string, number> = {};

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    for (const title of ['One', 'Two', 'Three', 'Four']) {
      ids[title] = (await addPhoto(ann, { title })).id;
      await ann.delete(`/api/photos/${ids[title]}`);
    }
    browser = await openBrowser();
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const tile = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) });
  const select = async (page: Page, name: string) => {
    await tile(page, name).focus();
    await page.keyboard.press('x');
    await bar(page).waitFor();
  };
  const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });
  const toast = (page: Page, text: string) =>
    page.getByRole('region', { name: 'Status messages' }).getByText(text);
  const trashed = async (): Promise<string[]> =>
    assertRead(await ann.get('/api/trash'))
      .list.map(({ title }: { title: string }) => title)
      .sort();

  test('the trash opens from the navigation, shows days left, and restores a photo with undo', async () => {
    const { page, complaints } = await openTab(browser, gallery);
    await page.getByRole('link', { name: 'Trash', exact: true }).click();
    await page.waitForURL('**/trash');
    await tile(page, 'One').waitFor();
    assert.equal(await page.getByText('30 days left').count(), 4);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await select(page, 'One');
    await bar(page).getByText('1 selected', { exact: true }).waitFor();
    await assertAccessible(page, 'selected');
    await page.keyboard.press('r');
    await toast(page, '1 photo restored.').waitFor();
    await tile(page, 'One').waitFor({ state: 'detached' });
    assert.deepEqual(await trashed(), ['Four', 'Three', 'Two']);
    assert.equal(assertRead(await ann.get(`/api/photos/${ids.One}`)).title, 'One');
    await page.getByRole('button', { name: 'Undo' }).click();
    await tile(page, 'One').waitFor();
    assert.deepEqual(await trashed(), ['Four', 'One', 'Three', 'Two']);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a photo in the trash can be looked at, restored and deleted permanently', async () => {
    const { page, complaints } = await openTab(browser, gallery, '/trash');
    await tile(page, 'Four').click();
    await page.waitForURL(`**/trash/photos/${ids.Four}`);
    const viewer = page.getByRole('dialog', { name: 'Four' });
    await viewer.getByText('2 of 4 · 30 days left').waitFor();
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.pswp__img')?.naturalWidth);
    await page.keyboard.press('i');
    const panel = page.getByRole('complementary', { name: 'Information' });
    await panel.getByText('Date taken').waitFor();
    const refused = viewer.getByRole('button', { name: /Favorite|Like|Edit|Share|star|comment/i });
    assert.equal(await refused.count(), 0);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'Three' }).waitFor();
    await page.keyboard.press('r');
    await toast(page, '1 photo restored.').waitFor();
    await page.getByRole('dialog', { name: 'Two' }).waitFor();
    assert.deepEqual(await trashed(), ['Four', 'One', 'Two']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('dialog', { name: 'Three' }).getByText('1 of 4').waitFor();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('dialog', { name: 'Delete 1 photo permanently?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await trashed()).length, 4);
    await page.reload();
    await page.getByRole('dialog', { name: 'Three' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL('**/trash');
    await tile(page, 'Three').waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the trash deletes permanently after a question with the number, and Esc cancels', async () => {
    const { page, complaints } = await openTab(browser, gallery, '/trash');
    await select(page, 'One');
    await tile(page, 'Two').click();
    await bar(page).getByRole('button', { name: 'Delete permanently' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 photos permanently?' });
    await dialog.getByText('This can’t be undone.').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await trashed()).length, 4);
    await page.keyboard.press('Delete');
    await dialog.getByRole('button', { name: 'Delete 2 photos' }).click();
    await toast(page, '2 photos deleted permanently.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
    assert.deepEqual(await trashed(), ['Four', 'Three']);
    assertRefused(await ann.get(`/api/photos/${ids.One}`), 404, 20003);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the trash can be emptied after a question with the number', async () => {
    const { page, complaints } = await openTab(browser, gallery, '/trash');
    await page.getByRole('button', { name: 'Empty trash' }).click();
    await page.getByRole('button', { name: 'Delete 2 photos' }).click();
    await toast(page, '2 photos deleted permanently.').waitFor();
    await page.getByText('The trash is empty').waitFor();
    assert.deepEqual(await trashed(), []);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the trash asks a visitor to sign in', async () => {
    const stranger = await openBrowser();
    const { page, calls } = await openTab(stranger, gallery, '/trash');
    await page.getByText('Sign in to view this page.').waitFor();
    assert.deepEqual(calls(), []);
    await stranger.close();
  });
});
