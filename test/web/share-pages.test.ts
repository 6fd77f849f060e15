/**
 * Tests pages of share links in a real browser without JavaScript: signed out, in two languages, with a
 * password.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, addPhoto, type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { assertAccessible, inEveryLook, openTab, withoutWeb } from './steps.ts';

describe('a link in a browser without script', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let plain: Browser;
  let chinese: Browser;
  let ann: Person;
  let album: number;
  const shapes = [
    { width: 900, height: 600 },
    { width: 600, height: 800 },
    { width: 1200, height: 500 },
  ];

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    await ann.put('/api/auth/profile', { nickname: 'Ann Lee' });
    album = await addAlbum(ann, 'Coast', { isPublic: false });
    for (const [n, shape] of shapes.entries()) {
      const fields = { title: `Photo ${n + 1}`, album_id: String(album) };
      await addPhoto(ann, fields, await createJpeg({ ...shape, colour: `hsl(${n * 90}, 40%, 45%)` }));
    }
    plain = await openBrowser({ javaScriptEnabled: false });
    chinese = await openBrowser({ locale: 'zh-CN' });
  });
  after(async () => {
    await plain?.close();
    await chinese?.close();
    await gallery?.close();
  });

  async function linkTo(path: string, rules: object = {}): Promise<string> {
    const { status, body } = await ann.post(`${path}/share`, { type: 'link', ...rules });
    assert.equal(status, 200, JSON.stringify(body));
    return new URL(body.data.url).pathname;
  }

  const isShown = (page: Page, selector: string) => page.locator(selector).isVisible();
  const isLoaded = (page: Page, selector: string) =>
    page.$eval(selector, (image) => (image as HTMLImageElement).naturalWidth > 0);

  test('a share page without script shows an album, a photo, the next photo, and the place again', async () => {
    const { page, complaints } = await openTab(plain, gallery, await linkTo(`/api/albums/${album}`));
    await page.setViewportSize({ width: 390, height: 844 });
    assert.equal(await page.locator('h1').textContent(), 'Coast');
    assert.equal(await page.locator('.tile').count(), shapes.length);
    for (const tile of await page.locator('.tile').all()) {
      const { x, width } = (await tile.boundingBox())!;
      assert.ok(x >= 0 && x + width <= 390, `from ${x} to ${x + width}`);
    }
    const [first, second] = [await measureTile(page, 1), await measureTile(page, 2)];
    assert.ok(Math.abs(first.height - second.height) < 1 && first.y === second.y, 'a row of one height');

    await page.getByRole('img', { name: 'Photo 2' }).first().click();
    await page.waitForURL(/#photo-2$/);
    await page.locator('#photo-2 img').waitFor();
    assert.equal(await isShown(page, '#photo-1'), false);
    await page.getByRole('link', { name: 'Next photo' }).click();
    await page.locator('#photo-3 img').waitFor();
    await page.getByText('3 of 3').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Next photo' }).count(), 0);
    await page.getByRole('link', { name: 'Close' }).click();
    await page.locator('#photo-3').waitFor({ state: 'hidden' });
    assert.equal(await isLoaded(page, '#tile-3 img'), true);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  async function measureTile(page: Page, number: number) {
    return (await page.locator(`#tile-${number}`).boundingBox())!;
  }

  test('a share page without script offers downloads of one or all photos only if allowed', async () => {
    const { page } = await openTab(plain, gallery, await linkTo(`/api/albums/${album}`));
    const archive = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download all (ZIP)' }).click();
    assert.match((await archive).suggestedFilename(), /\.zip$/);
    await page.goto(`${gallery.url}${await linkTo(`/api/albums/${album}`)}#photo-1`);
    const photo = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download', exact: true }).click();
    assert.match((await photo).suggestedFilename(), /\.jpg$/);
    await page.goto(gallery.url + (await linkTo(`/api/albums/${album}`, { allow_download: false })));
    await page.getByText('3 photos').waitFor();
    assert.equal(await page.locator('a[download]').count(), 0);
    await page.close();
  });

  test('a share page asks for a password in Chinese, refuses a wrong one, and shows the photo', async () => {
    const { id } = await addPhoto(ann, { title: 'Lamp', is_public: '0' });
    const { page, complaints } = await openTab(
      chinese,
      gallery,
      await linkTo(`/api/photos/${id}`, { password: 'blue heron' }),
    );
    assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');
    await page.getByRole('heading', { name: '此页面受密码保护' }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `password, ${name}`));
    await page.getByLabel('密码').fill('grey heron');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('密码错误，请重试。').waitFor();
    await assertAccessible(page, 'refused');
    // Clears the browser's message about the 403 for the wrong password.
    complaints.length = 0;
    await page.getByLabel('密码').fill('blue heron');
    await page.getByRole('button', { name: '查看' }).click();
    await page.getByRole('heading', { name: 'Lamp' }).waitFor();
    await page.getByRole('link', { name: '下载' }).waitFor();
    assert.equal(await isLoaded(page, '.stage img'), true);
    await inEveryLook(page, (name) => assertAccessible(page, `photo, ${name}`));
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a share with a view limit is opened by a click, and an ended share shows a message', async () => {
    const photo = await addPhoto(ann, { title: 'Once' });
    const path = await linkTo(`/api/photos/${photo.id}`, { max_views: 1 });
    const { page } = await openTab(chinese, gallery, path);
    await page.getByText('此链接还可打开 1 次').waitFor();
    await assertAccessible(page, 'to be opened');
    await page.getByRole('button', { name: '打开' }).click();
    await page.getByRole('heading', { name: 'Once' }).waitFor();
    await chinese.context.clearCookies();
    await page.reload();
    await page.getByRole('heading', { name: '未找到链接' }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `ended, ${name}`));
    await page.close();
  });

  test('a share page uses the language that was chosen in the gallery', async () => {
    const path = await linkTo(`/api/albums/${album}`);
    await chinese.context.addCookies([{ name: 'lightwell_language', value: 'en', url: gallery.url }]);
    const { page, complaints } = await openTab(chinese, gallery, `${path}#photo-1`);
    await page.getByRole('link', { name: 'Next photo' }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `a photo over the album, ${name}`));
    await page.getByRole('link', { name: 'Close' }).click();
    await page.locator('#photo-1').waitFor({ state: 'hidden' });
    await inEveryLook(page, (name) => assertAccessible(page, `album, ${name}`));
    assert.deepEqual(complaints, []);
    await page.close();
    await chinese.context.clearCookies();
  });
});
