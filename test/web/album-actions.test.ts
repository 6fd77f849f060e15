/** Tests the actions of an album's owner in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe("an album's owner", { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    browser = await openBrowser();
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  async function addAlbum(album: object, ...titles: string[]): Promise<number> {
    const { body } = await ann.post('/api/albums', album);
    assert.equal(body.code, 0);
    const { id } = body.data;
    for (const title of titles) await addPhoto(ann, { title, album_id: String(id) });
    return id;
  }

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const albumNow = async (id: number) => (await ann.get(`/api/albums/${id}`)).body;

  async function choose(page: Page, name: string): Promise<void> {
    await button(page, 'Album options').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
    await dialog(page).waitFor();
  }

  test('the owner creates an album, describes the album, and creates an inner album', async () => {
    const { page, complaints } = await openTab(browser, gallery, '/albums');
    await page.getByText('No albums yet').waitFor();
    await button(page, 'New album').click();
    await dialog(page).getByLabel('Name').fill('Lakes');
    await dialog(page).getByLabel('Only me').check();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await dialog(page).getByRole('button', { name: 'Create album' }).click();
    await heading(page, 'Lakes').waitFor();
    await page.getByText('Only you, admins and people with a link can see this album.').waitFor();
    const id = Number(new URL(page.url()).pathname.split('/').pop());
    assert.equal((await albumNow(id)).data.visibility, 'private');

    await choose(page, 'Edit details');
    await dialog(page).getByLabel('Name').fill('Blue lakes');
    await dialog(page).getByLabel('Description').fill('High up.');
    await page.keyboard.press('Tab');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await heading(page, 'Blue lakes').waitFor();
    await page.getByText('High up.').waitFor();
    const { name, description } = (await albumNow(id)).data;
    assert.deepEqual([name, description], ['Blue lakes', 'High up.']);

    await choose(page, 'New sub-album');
    await dialog(page).getByLabel('Name').fill('Morning');
    await dialog(page).getByLabel('Everyone').check();
    await dialog(page).getByText('because the album “Blue lakes” is for you only').waitFor();
    await dialog(page).getByRole('button', { name: 'Create album' }).click();
    await heading(page, 'Morning').waitFor();
    await page.getByText('because the album “Blue lakes” is for you only').waitFor();
    await page
      .getByRole('navigation', { name: 'Album path' })
      .getByRole('link', { name: 'Blue lakes' })
      .click();
    await page.getByRole('link', { name: /^Morning/ }).waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('narrows it with the photos in it, and shows it again', async () => {
    const id = await addAlbum({ name: 'Feast' }, 'Cake');
    const photo = (await ann.get(`/api/albums/${id}/photos`)).body.data.list[0].id;
    const { page } = await openTab(browser, gallery, `/albums/${id}`);
    const setLevel = async (level: string) => {
      await choose(page, 'Edit details');
      await dialog(page).getByText('Photos in this album are visible to these people at most.').waitFor();
      await dialog(page).getByLabel(level).check();
      await dialog(page).getByRole('button', { name: 'Save' }).click();
      await dialog(page).waitFor({ state: 'detached' });
    };
    await setLevel('Only me');
    await page.getByText('Only you, admins and people with a link can see this album.').waitFor();
    await page.getByRole('link', { name: 'Cake Private', exact: true }).waitFor();
    assert.equal((await asVisitor(gallery).get(`/api/photos/${photo}`)).status, 403);
    await setLevel('Members (anyone can create an account)');
    await page.getByText('Members can see this album.').waitFor();
    await page.getByRole('link', { name: 'Cake Members only', exact: true }).waitFor();
    assert.equal((await asVisitor(gallery).get(`/api/photos/${photo}`)).status, 403);
    await setLevel('Everyone');
    await page.getByText('Everyone can see this album. Photos for fewer people stay hidden.').waitFor();
    await page.getByRole('link', { name: 'Cake', exact: true }).waitFor();
    assert.equal((await asVisitor(gallery).get(`/api/photos/${photo}`)).status, 200);
    await page.close();
  });

  test('the owner moves an album into another one, never into itself, and back to the top level', async () => {
    const [year, month] = [await addAlbum({ name: 'Year' }), await addAlbum({ name: 'Month' })];
    await addAlbum({ name: 'Week', parent_id: month });
    const { page } = await openTab(browser, gallery, `/albums/${month}`);
    await choose(page, 'Move album…');
    const into = dialog(page).getByLabel('Move to');
    await into.locator('option', { hasText: 'Year' }).waitFor({ state: 'attached' });
    const offered = await into.locator('option').allTextContents();
    assert.ok(!offered.some((one) => /Month|Week/.test(one)), offered.join());
    await assertAccessible(page, 'move');
    await into.selectOption({ label: 'Year' });
    await dialog(page).getByRole('button', { name: 'Move' }).click();
    const path = page.getByRole('navigation', { name: 'Album path' });
    await path.getByRole('link', { name: 'Year' }).waitFor();
    assert.equal((await albumNow(month)).data.parent_id, year);
    await choose(page, 'Move album…');
    await into.selectOption({ label: 'Top level' });
    await dialog(page).getByRole('button', { name: 'Move' }).click();
    await path.getByRole('link', { name: 'Year' }).waitFor({ state: 'detached' });
    assert.equal((await albumNow(month)).data.parent_id, 0);
    await page.close();
  });

  test("the owner chooses an album's cover, and resets the cover to the newest photo", async () => {
    const id = await addAlbum({ name: 'Covers' }, 'First', 'Second');
    const { page } = await openTab(browser, gallery, `/albums/${id}`);
    const newest = (await albumNow(id)).data.cover;
    await choose(page, 'Change cover');
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await dialog(page).getByRole('button', { name: 'First', exact: true }).click();
    await dialog(page).waitFor({ state: 'detached' });
    const chosen = (await albumNow(id)).data.cover.split('?')[0];
    assert.notEqual(chosen, newest.split('?')[0]);
    await page.locator(`.album-cover[src^="${chosen}"]`).waitFor();
    await choose(page, 'Change cover');
    await dialog(page).getByRole('button', { name: 'Always use the newest photo' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    assert.equal((await albumNow(id)).data.cover.split('?')[0], newest.split('?')[0]);
    await page.close();
  });

  test('deleting an album keeps its photos, and an inner album moves up one level', async () => {
    const above = await addAlbum({ name: 'Above' });
    const id = await addAlbum({ name: 'Below', parent_id: above }, 'Kept');
    const { page } = await openTab(browser, gallery, `/albums/${id}`);
    await choose(page, 'Delete album');
    await dialog(page).getByText('Its 1 photo stays in your library').waitFor();
    await assertAccessible(page, 'delete');
    await dialog(page).getByRole('button', { name: 'Delete album' }).click();
    await page.waitForURL(`**/albums/${above}`);
    await page.getByText('“Below” deleted.').waitFor();
    await page.getByText('This album is empty').waitFor();
    assert.equal((await albumNow(id)).code, 30001);
    const { list } = (await ann.get(`/api/photos?user_id=${ann.id}&keyword=Kept`)).body.data;
    assert.equal(list.length, 1);
    await page.close();
  });

  test('the dialog and then the page report an album that was deleted elsewhere', async () => {
    const id = await addAlbum({ name: 'Short-lived' });
    const { page } = await openTab(browser, gallery, `/albums/${id}`);
    await choose(page, 'Edit details');
    assert.equal((await ann.delete(`/api/albums/${id}`)).status, 200);
    await dialog(page).getByLabel('Name').fill('Too late');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await heading(page, 'Album not found').waitFor();
    await page.getByRole('link', { name: 'Go to my albums' }).click();
    await heading(page, 'Albums').waitFor();
    assert.equal(await page.getByText('Short-lived').count(), 0);
    await page.close();
  });

  test('a search becomes a smart album with a changeable rule, and an invalid rule shows its error', async () => {
    await addPhoto(ann, { title: 'Snow', tags: 'winter' });
    await addPhoto(ann, { title: 'Ice', tags: 'winter, lake' });
    const { page, complaints } = await openTab(browser, gallery, '/search?q=tag:winter');
    await heading(page, '2 photos').waitFor();
    await button(page, 'Save as album').click();
    await dialog(page).getByText('Matches 2 of your photos.').waitFor();
    assert.equal(await dialog(page).getByLabel('Search rule').inputValue(), 'tag:winter');
    await dialog(page).getByLabel('Name').fill('Winters');
    await assertAccessible(page, 'smart');
    await dialog(page).getByRole('button', { name: 'Create album' }).click();
    await heading(page, 'Winters').waitFor();
    await page.getByText('2 photos', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Snow', exact: true }).waitFor();
    const id = Number(new URL(page.url()).pathname.split('/').pop());
    assert.equal((await albumNow(id)).data.rule, 'tag:winter');
    assert.deepEqual(complaints, []);

    await choose(page, 'Edit details and rule');
    await dialog(page).getByLabel('Search rule').fill('tag:winter iso:abc');
    await dialog(page).getByText('"abc" is not a value').waitFor();
    await dialog(page).getByLabel('Search rule').fill('tag:winter tag:lake');
    await dialog(page).getByText('Matches 1 of your photos.').waitFor();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByText('1 photo', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Snow', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Rule' }).getByText('lake').waitFor();
    await eventually(async () => assert.equal((await albumNow(id)).data.rule, 'tag:winter tag:lake'));
    await page.close();
  });
});
