/** Tests people, favorites and the feed in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';
import { input } from './uploading.ts';

describe("a person's pages", { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let rock: number;

  before(async () => {
    gallery = await startGallery({ defaultQuotaBytes: 1e9 });
    ann = await register(gallery, 'ann');
    await ann.put('/api/auth/profile', { nickname: 'Ann Lee', bio: 'Rocks and rivers.' });
    rock = (await addPhoto(ann, { title: 'Rock' })).id;
    await addPhoto(ann, { title: 'River' });
    await addPhoto(ann, { title: 'Diary', is_public: '0' });
    await register(gallery, 'ben');
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const tile = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

  async function openAs(name: string, path: string) {
    await signIn(browser, gallery, { name });
    return openTab(browser, gallery, path);
  }

  test('shows web addresses in a bio and a description as links, and HTML as text', async () => {
    const bio = 'Walks (https://rocks.example/a_(b)). ftp://no.example javascript:alert(1) <b>x</b>';
    const long = `https://rocks.example/${'long'.repeat(480)}`;
    const gus = await register(gallery, 'gus');
    await gus.put('/api/auth/profile', { bio });
    const { id } = await addPhoto(gus, { title: 'Path', description: `See ${long}, <i>now</i>` });
    const { page, complaints } = await openTab(browser, gallery, '/users/gus');
    await page.getByText(bio).waitFor();
    const links = page.locator('main a[target]');
    assert.deepEqual(
      await links.evaluateAll((all) =>
        all.map((one) => [one.getAttribute('href'), one.getAttribute('rel'), one.textContent]),
      ),
      [['https://rocks.example/a_(b)', 'nofollow noopener ugc', 'https://rocks.example/a_(b)']],
    );
    await page.goto(`${gallery.url}/photos/${id}`);
    await page.getByRole('button', { name: 'Information', exact: true }).waitFor();
    await page.keyboard.press('i');
    const panel = page.getByRole('complementary', { name: 'Information' });
    await panel.getByRole('link', { name: long, exact: true }).waitFor();
    await panel.getByText('<i>now</i>').waitFor();
    await inEveryLook(page, async (name) => {
      await assertAccessible(page, name);
      assert.ok(await panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), name);
    });
    await gus.delete(`/api/photos/${id}`);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('an empty feed offers people to follow', async () => {
    const { page, complaints } = await openAs('ben', '/feed');
    await page.getByText('No photos yet').waitFor();
    await page.getByRole('button', { name: 'Follow: gus' }).click();
    await page.getByRole('button', { name: 'Following: gus' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Follow: ben' }).count(), 0);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.getByRole('button', { name: 'Following: gus' }).click();
    await page.getByRole('button', { name: 'Follow: gus' }).waitFor();
    await page.context().clearCookies();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('opens a person from the viewer with public photos, and follows after signing in', async () => {
    const { page, complaints } = await openTab(browser, gallery, `/photos/${rock}`);
    await page.getByRole('dialog').getByText('Rock', { exact: true }).first().waitFor();
    await page.keyboard.press('i');
    await page.getByRole('link', { name: 'Ann Lee' }).click();
    await page.waitForURL('**/users/ann');
    await heading(page, 'Ann Lee').waitFor();
    await page.getByText('Rocks and rivers.').waitFor();
    await tile(page, 'River').waitFor();
    assert.equal(await page.getByRole('link', { name: /^Diary/ }).count(), 0);
    await page.getByRole('link', { name: 'Sign in to follow' }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await tile(page, 'River').click();
    await page.getByRole('dialog').getByText('1 of 2').waitFor();
    await page.waitForURL('**/users/ann/photos/*');
    await page.keyboard.press('Escape');
    await page.waitForURL('**/users/ann');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('following shows at once and is stored, and the feed shows the photos of followed people', async () => {
    const { page, calls } = await openAs('ben', '/users/ANN');
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('button', { name: 'Following', exact: true }).waitFor();
    await page.getByText('1 follower', { exact: true }).waitFor();
    await eventually(async () => {
      const { body } = await ann.get(`/api/users/${ann.id}`);
      assert.equal(body.data.stats.followers, 1);
    });
    assert.deepEqual(
      calls().map((call) => call.split('?')[0]),
      ['GET /api/users/ANN', 'GET /api/timeline', 'GET /api/photos', 'POST /api/users/ANN/follow'],
    );
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('link', { name: 'Following', exact: true }).waitFor();
    await assertAccessible(page, 'account menu');
    await page.getByRole('link', { name: 'Following', exact: true }).click();
    await page.waitForURL('**/feed');
    await tile(page, 'River').click();
    await page.waitForURL('**/feed/photos/*');
    await page.getByRole('dialog').getByText('1 of 2').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL('**/feed');
    await page.goBack();
    await page.waitForURL('**/users/ANN');
    await page.getByRole('button', { name: 'Following', exact: true }).click();
    await page.getByRole('button', { name: 'Follow', exact: true }).waitFor();
    await eventually(async () => {
      const { body } = await ann.get(`/api/users/${ann.id}`);
      assert.equal(body.data.stats.followers, 0);
    });
    await page.close();
    await browser.context.clearCookies();
  });

  test('lists followers and followed people with a button for each', async () => {
    const [cleo, dora] = [await register(gallery, 'cleo'), await register(gallery, 'dora')];
    for (const who of [cleo, dora]) await who.post('/api/users/ann/follow', { following: true });
    const { page, complaints, calls } = await openAs('dora', '/users/ann');
    await page.getByRole('link', { name: '2 followers', exact: true }).click();
    await heading(page, 'Ann Lee’s followers').waitFor();
    const people = page.getByRole('main').getByRole('listitem');
    await people.first().waitFor();
    assert.deepEqual(await people.locator('bdi').allInnerTexts(), ['dora', 'cleo']);
    // Users cannot follow themselves, so only one of the two people has a button.
    assert.equal(await people.getByRole('button').count(), 1);
    calls();
    await page.getByRole('button', { name: 'Follow: cleo' }).click();
    await page.getByRole('button', { name: 'Following: cleo' }).waitFor();
    await eventually(async () => {
      assert.equal((await cleo.get('/api/users/cleo')).body.data.stats.followers, 1);
    });
    assert.deepEqual(calls(), ['POST /api/users/cleo/follow']);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await intercept(page, '**/api/users/cleo/follow', (route) =>
      route.fulfill({ status: 403, json: { code: 403 } }),
    );
    await page.getByRole('button', { name: 'Following: cleo' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Following: cleo' }).waitFor();
    await people.getByRole('link', { name: 'cleo' }).click();
    await page.waitForURL('**/users/cleo');
    await page.getByRole('link', { name: '1 follower', exact: true }).click();
    await page.getByRole('link', { name: '1 following', exact: true }).click();
    await heading(page, 'People cleo follows').waitFor();
    await people.getByRole('link', { name: 'Ann Lee' }).waitFor();
    await page.goto(`${gallery.url}/users/ann/following`);
    await page.getByText('Not following anyone yet').waitFor();
    assert.deepEqual(
      complaints.filter((line) => !line.includes('403')),
      [],
    );
    await page.close();
    await browser.context.clearCookies();
  });

  test('the favorites page explains itself while empty, and shows favorites to a signed-in user only', async () => {
    const { page, complaints } = await openAs('ben', '/favorites');
    await page.getByText('No favorites yet').waitFor();
    await page.getByRole('link', { name: 'Lightwell' }).click();
    await tile(page, 'Rock').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add to favorites' }).waitFor();
    await page.keyboard.press('f');
    await page.getByRole('button', { name: 'Remove from favorites' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Favorites' }).click();
    await heading(page, 'Favorites').waitFor();
    await tile(page, 'Rock').waitFor();
    assert.equal(await tile(page, 'River').count(), 0);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    assert.deepEqual(complaints, []);
    await browser.context.clearCookies();
    await page.goto(`${gallery.url}/favorites`);
    await page.getByText('Sign in to view this page.').waitFor();
    await page.close();
  });

  test('the own page shows private photos and the used quota', async () => {
    const { page } = await openAs('ann', '/');
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'My photos' }).click();
    await page.waitForURL('**/users/ann');
    await tile(page, 'Diary Private').waitFor();
    await page.getByRole('main').getByRole('meter', { name: 'Storage' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Follow', exact: true }).count(), 0);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.goto(`${gallery.url}/users/no-such-one`);
    await page.getByRole('alert').waitFor();
    await page.close();
    await browser.context.clearCookies();
  });

  test('the own page counts photos again after the trash, a restoration and an upload', async () => {
    const { page, complaints } = await openAs('ann', '/users/ann');
    const count = (photos: number) =>
      page.getByRole('main').getByText(`${photos} photos`, { exact: true }).waitFor();
    const undo = () => page.getByRole('button', { name: 'Undo' }).last().click();
    await count(3);
    await tile(page, 'River').focus();
    await page.keyboard.press('x');
    await page.getByRole('region', { name: 'Selection' }).waitFor();
    await page.keyboard.press('Delete');
    await count(2);
    await undo();
    await count(3);
    await tile(page, 'River').click();
    await page.getByRole('dialog', { name: 'River' }).waitFor();
    await page.keyboard.press('Delete');
    await page.getByRole('dialog', { name: 'Rock' }).waitFor();
    await count(2);
    await undo();
    await page.getByRole('dialog', { name: 'River' }).waitFor();
    await page.keyboard.press('Escape');
    await count(3);
    const buffer = await createJpeg({ width: 300, height: 200 });
    await input(page).setInputFiles({ name: 'new.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByRole('button', { name: 'Upload 1 photo' }).click();
    await count(4);
    assert.deepEqual(complaints, []);
    await page.close();
    await browser.context.clearCookies();
  });
});
