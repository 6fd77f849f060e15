/** The whole journey in Simplified Chinese, as the browser asks for it: nothing on the way is in English. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRead } from '../support/answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { eventually } from '../support/holdings.ts';
import { anonymous, logIn, type Person, password, register, registerAdmin } from '../support/people.ts';
import { jpeg } from '../support/pictures.ts';
import { englishOn, zh } from './chinese.ts';
import { dropFiles } from './drop.ts';
import { assertAccessible, openTab, signIn, withoutWeb } from './steps.ts';

const locale = { locale: 'zh-CN' };
const titles = ['湖水', '山峰', '森林', '雪地'];

describe('the gallery in Chinese', { skip: withoutWeb }, () => {
  let folder: string;
  let gallery: Gallery;
  /** Of Ann, of Ben, and of the admin. */
  let [hers, his, theirs]: Browser[] = [];
  let ben: Person;
  let ada: Person;
  let ann: Person;
  let link: string;
  /** English texts, with the place where they were seen. */
  const seen: string[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lightwell-chinese-'));
    gallery = await startGallery();
    ada = await registerAdmin(gallery, 'ada');
    ben = await register(gallery, 'ben');
    [hers, his, theirs] = [await openBrowser(locale), await openBrowser(locale), await openBrowser(locale)];
  });
  after(async () => {
    for (const browser of [hers, his, theirs]) await browser?.close();
    await gallery?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function look(page: Page, where: string): Promise<void> {
    for (const text of await englishOn(page)) seen.push(`${where}: ${text}`);
    await assertAccessible(page, where);
  }
  /** All that was seen since the last time. */
  function assertChinese(): void {
    assert.deepEqual(seen.splice(0), []);
  }
  const button = (page: Page, key: string, values = {}) =>
    page.getByRole('button', { name: zh(key, values), exact: true });
  const tile = (page: Page, name: string) => page.locator(`.tile:has(img[alt="${name}"])`);
  const notice = (page: Page, text: string) =>
    page.getByRole('region', { name: zh('notices') }).getByText(text);
  const bar = (page: Page) => page.getByRole('region', { name: zh('selection') });
  const panel = (page: Page) => page.getByRole('complementary', { name: zh('info') });
  const openWall = async (path = '/') => {
    const { page } = await openTab(hers!, gallery, path);
    await page.setViewportSize({ width: 1440, height: 844 });
    await page.locator('[data-check]').first().waitFor();
    return page;
  };

  test('somebody registers, and uploads by drop', async () => {
    const { page } = await openTab(hers!, gallery, '/register');
    await look(page, 'register');
    await page.getByLabel(zh('username'), { exact: true }).fill('ann');
    await page.getByLabel(zh('email')).fill('ada@example.org');
    await page.getByLabel(zh('password')).fill(password);
    await button(page, 'register').click();
    await page.getByRole('alert').waitFor();
    await look(page, 'refused');
    await page.getByLabel(zh('email')).fill('ann@example.org');
    await button(page, 'register').click();
    await button(page, 'account').waitFor();
    await look(page, 'first wall');
    ann = await logIn(gallery, { ...ben, name: 'ann' });
    ann.id = assertRead(await ann.get('/api/auth/user')).id;

    const files: string[] = [];
    for (const [n, title] of titles.entries()) {
      const file = join(folder, `${title}.jpg`);
      await writeFile(
        file,
        await jpeg({ width: 300 + 40 * n, height: 200, colour: `hsl(${n * 80}, 40%, 45%)` }),
      );
      files.push(file);
    }
    await writeFile(join(folder, '便条.txt'), '不是照片');
    await dropFiles(page, [...files, join(folder, '便条.txt')], () => look(page, 'dragging'));
    await button(page, 'uploadBegin', { count: 4 }).waitFor();
    await look(page, 'before the upload');
    await page.getByLabel(zh('uploadPublic')).check();
    await button(page, 'uploadBegin', { count: 4 }).click();
    await page.locator('li[data-state=done]').nth(3).waitFor();
    await look(page, 'after the upload');
    for (const title of titles) await tile(page, title).waitFor();
    await page.close();
    assertChinese();
  });

  test('finds one, edits it, and shares it with a password', async () => {
    const page = await openWall();
    const field = page.getByRole('combobox', { name: zh('search') });
    await field.fill('湖水');
    await page.getByRole('option').first().waitFor();
    await look(page, 'suggestions');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=**');
    await tile(page, '湖水').waitFor();
    await tile(page, '山峰').waitFor({ state: 'detached' });
    await look(page, 'found');
    await tile(page, '湖水').click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('i');
    await panel(page)
      .getByRole('textbox', { name: zh('writeComment') })
      .waitFor();
    await look(page, 'panel');
    await page.keyboard.press('i');
    await page.keyboard.press('e');
    await page.getByRole('list', { name: zh('steps') }).waitFor();
    await look(page, 'editor');
    await page.keyboard.press('r');
    await page.keyboard.press('Control+s');
    await page.getByRole('list', { name: zh('steps') }).waitFor({ state: 'detached' });
    const [{ id }] = assertRead(await ann.get('/api/photos?keyword=湖水')).list;
    assert.equal(assertRead(await ann.get(`/api/photos/${id}/edits`)).list.length, 1);

    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog', { name: zh('sharePhoto') });
    await dialog.getByLabel(zh('sharePassword')).check();
    await dialog.getByLabel(zh('password'), { exact: true }).fill('blue heron');
    await look(page, 'share');
    await button(page, 'shareMake').click();
    link = await dialog.getByLabel(zh('shareLink'), { exact: true }).inputValue();
    await look(page, 'shared');
    await page.close();
    assertChinese();
  });

  test('somebody opens the link signed out; as another user they comment, report and follow', async () => {
    const guest = await openTab(his!, gallery, new URL(link).pathname);
    await look(guest.page, 'link');
    await guest.page.getByRole('textbox').fill('blue heron');
    await guest.page.keyboard.press('Enter');
    await guest.page.getByRole('heading', { name: '湖水' }).waitFor();
    await look(guest.page, 'link, open');
    await guest.page.close();

    await signIn(his!, gallery, ben);
    const { page } = await openTab(his!, gallery, '/users/ann');
    await button(page, 'follow').click();
    await button(page, 'unfollow').waitFor();
    await tile(page, '山峰').click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('i');
    await panel(page)
      .getByRole('textbox', { name: zh('writeComment') })
      .fill('真美');
    await button(page, 'sendComment').click();
    await page.getByRole('article').filter({ hasText: '真美' }).waitFor();
    await look(page, 'commented');
    await panel(page)
      .getByRole('button', { name: zh('reportPhoto') })
      .click();
    await look(page, 'report');
    await page.getByLabel(zh('reportText')).fill('请看一下');
    await button(page, 'reportSend').click();
    await panel(page).getByText(zh('reported')).waitFor();
    await page.close();
    assert.equal(assertRead(await ann.get('/api/users/ann')).stats.followers, 1);
    assertChinese();
  });

  test('selects with Shift, tags, undoes; an album is filled and put in order', async () => {
    const page = await openWall();
    const order = await page.$$eval('.tile[data-id] img', (all) =>
      all.map((one) => (one as HTMLImageElement).alt),
    );
    await tile(page, order[0]!).focus();
    await page.keyboard.press('x');
    await bar(page)
      .getByText(zh('selected', { count: 1 }))
      .waitFor();
    await tile(page, order[2]!).click({ modifiers: ['Shift'] });
    await bar(page)
      .getByText(zh('selected', { count: 3 }))
      .waitFor();
    await look(page, 'selected');
    await page.keyboard.press('t');
    const tags = page.getByRole('dialog', { name: zh('tagTitle', { count: 3 }) });
    await tags.getByLabel(zh('tags')).fill('冬天');
    await look(page, 'tag');
    await tags.getByRole('button', { name: zh('tagAdd') }).click();
    await notice(page, zh('doneTag', { count: 3 })).waitFor();
    await look(page, 'tagged');
    await page.keyboard.press('Control+z');
    await notice(page, zh('undone')).waitFor();
    assert.equal(assertRead(await ann.get('/api/photos?tag=冬天')).list.length, 0);

    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await look(page, 'describe');
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    // There is none yet: a new one is asked for at once.
    await page.getByLabel(zh('moveNewName')).fill('旅行');
    await look(page, 'album');
    await button(page, 'moveNewAct').click();
    await notice(page, zh('doneMove', { count: 3 })).waitFor();
    const [album] = assertRead(await ann.get('/api/albums')).list;
    await page.goto(`${gallery.url}/albums/${album.id}`);
    await page.locator('[data-check]').first().waitFor();
    const kept = async (): Promise<string[]> =>
      assertRead(await ann.get(`/api/albums/${album.id}/photos`)).list.map(
        ({ title }: { title: string }) => title,
      );
    const [first, second, third] = await kept();
    await tile(page, first!).focus();
    await page.locator('[data-spot]').first().waitFor({ state: 'attached' });
    await look(page, 'album, to be put in order');
    await page.keyboard.press('Alt+Shift+ArrowRight');
    await eventually(async () => assert.deepEqual(await kept(), [second, first, third]));
    await button(page, 'albumActs').click();
    await look(page, 'menu of the album');
    await page.close();
    assertChinese();
  });

  test('to the trash, and back', async () => {
    const page = await openWall();
    await tile(page, '雪地').focus();
    await page.keyboard.press('x');
    await bar(page)
      .getByText(zh('selected', { count: 1 }))
      .waitFor();
    await page.keyboard.press('Delete');
    await notice(page, zh('doneDelete', { count: 1 })).waitFor();
    await page.goto(`${gallery.url}/trash`);
    await tile(page, '雪地').waitFor();
    await look(page, 'trash');
    await button(page, 'trashClear').click();
    await page.getByRole('dialog').waitFor();
    await look(page, 'empty the trash?');
    await page.keyboard.press('Escape');
    await tile(page, '雪地').click();
    await bar(page)
      .getByText(zh('selected', { count: 1 }))
      .waitFor();
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').waitFor();
    await look(page, 'for good?');
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await page.getByText(zh('trashEmpty')).waitFor();
    await page.goto(gallery.url);
    await tile(page, '雪地').waitFor();
    await page.close();
    assertChinese();
  });

  test('an admin handles a report and disables a user', async () => {
    await signIn(theirs!, gallery, ada);
    const { page } = await openTab(theirs!, gallery, '/admin/reports');
    await page.getByText('请看一下').waitFor();
    await look(page, 'reports');
    await page.keyboard.press('r');
    await page.getByRole('dialog').waitFor();
    await look(page, 'remove?');
    await page.keyboard.press('Escape');
    await page.keyboard.press('x');
    await page.getByText('请看一下').waitFor({ state: 'detached' });
    await page.goto(`${gallery.url}/admin/users`);
    await button(page, 'adminActsOn', { name: 'ben' }).click();
    await look(page, 'menu of a user');
    await page.getByRole('menuitem', { name: zh('adminDisable') }).click();
    await look(page, 'disable?');
    const asked = page.getByRole('dialog');
    await asked.getByRole('button', { name: zh('adminDisable') }).click();
    await page.getByRole('row').filter({ hasText: 'ben' }).getByText(zh('adminIsDisabled')).waitFor();
    assert.equal((await anonymous(gallery).get('/api/users/ben')).status, 404);
    await look(page, 'disabled');
    await page.close();
    assertChinese();
  });
});
