/** The page "Explore" and the main navigation: what a new member finds without help. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, addPhoto, type Person, register } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe('explore', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let ben: Person;
  let lake: number;

  before(async () => {
    gallery = await startGallery();
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  test('an empty gallery says what appears here, and leads on', async () => {
    const { page } = await openTab(browser, gallery, '/explore');
    await page.getByRole('heading', { name: 'Nothing shared yet' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
    await page.close();
  });

  test('shows shared photos, albums, people and tags, and nothing private', async () => {
    ann = await register(gallery, 'ann');
    ben = await register(gallery, 'ben');
    lake = (await addPhoto(ben, { title: 'Lake', tags: 'water' })).id;
    await addPhoto(ben, { title: 'Hill', visibility: 'members' });
    await addPhoto(ann, { title: 'Diary', visibility: 'private', tags: 'secret' });
    await ann.post(`/api/photos/${lake}/like`);
    await addAlbum(ben, 'Outside', { visibility: 'public' });
    await addAlbum(ann, 'At home', { visibility: 'private' });
    await signIn(browser, gallery, ann);
    const { page, complaints } = await openTab(browser, gallery, '/');
    await page.getByRole('link', { name: 'Explore' }).click();
    await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor();
    const recent = page.getByRole('list', { name: 'Recently added' });
    await recent.getByRole('link', { name: 'Hill' }).waitFor();
    assert.deepEqual(
      await recent.getByRole('img').evaluateAll((all) => all.map((one) => one.getAttribute('alt'))),
      ['Hill', 'Lake'],
    );
    await page.getByRole('list', { name: 'Most liked' }).getByRole('link', { name: 'Lake' }).waitFor();
    await page.getByRole('link', { name: /^Outside ben/ }).waitFor();
    assert.equal(await page.getByRole('link', { name: /At home/ }).count(), 0);
    await page.getByRole('link', { name: 'water 1' }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));

    await page.getByRole('list', { name: 'Most liked' }).getByRole('link', { name: 'Lake' }).click();
    await page.waitForURL(`**/explore/liked/photos/${lake}`);
    await page.getByRole('dialog', { name: 'Lake' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL('**/explore');
    await page.setViewportSize({ width: 390, height: 600 });
    const person = page.locator('main a[href="/users/ben"]').last();
    await person.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => window.scrollY);
    assert.ok(before > 100, `scrolled by ${before}`);
    await person.click();
    await page.waitForURL('**/users/ben');
    await page.goBack();
    await person.waitFor();
    assert.equal(await page.evaluate(() => window.scrollY), before);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto(`${gallery.url}/explore/liked`);
    await page.getByRole('heading', { name: 'Most liked', level: 1 }).waitFor();
    await page.goto(`${gallery.url}/explore/recent`);
    await page.getByRole('heading', { name: 'Recently added', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Hill' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Diary' }).count(), 0);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('finds people by their names, and all albums', async () => {
    const { page } = await openTab(browser, gallery, '/explore/people');
    await page.getByRole('link', { name: /@ann/ }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.getByLabel('Search people').fill('be');
    await page.getByRole('link', { name: /@ann/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /@ben/ }).click();
    await page.getByRole('heading', { name: 'ben' }).waitFor();
    await page.goto(`${gallery.url}/explore/albums`);
    await page.getByRole('link', { name: /^Outside ben/ }).click();
    await page.getByRole('heading', { name: 'Outside' }).waitFor();
    await page.goto(`${gallery.url}/albums/no-number`);
    await page.getByRole('heading', { name: 'Album not found' }).waitFor();
    await page.close();
  });

  test('the navigation is a column that collapses, a rail, or a bar below the page', async () => {
    const { page } = await openTab(browser, gallery, '/albums');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    const box = async () => (await navigation.boundingBox())!;
    await page.setViewportSize({ width: 1440, height: 900 });
    await navigation.getByRole('link', { name: 'Albums', exact: true }).waitFor();
    assert.equal((await box()).width, 216);
    await navigation.getByRole('button', { name: 'Collapse menu' }).click();
    assert.equal((await box()).width, 76);
    await page.reload();
    await navigation.getByRole('button', { name: 'Expand menu' }).click();
    assert.equal((await box()).width, 216);
    await page.setViewportSize({ width: 820, height: 900 });
    assert.equal((await box()).width, 76);
    await page.setViewportSize({ width: 390, height: 844 });
    const { y, width, height } = await box();
    assert.deepEqual([y + height, width], [844, 390]);
    assert.equal(await navigation.locator('[aria-current=page]').textContent(), 'Albums');
    await page.close();
  });
});
