/** The whole journey with real photographs where they are at hand: from the first account to what an admin decides. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRead } from '../support/answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { eventually } from '../support/holdings.ts';
import { anonymous, logIn, type Person, password, register, registerAdmin } from '../support/people.ts';
import { dropFiles } from './drop.ts';
import { camera, tenPhotos } from './photograph.ts';
import { openTab, signIn, withoutWeb } from './steps.ts';

describe('a journey through the gallery', { skip: withoutWeb }, () => {
  let folder: string;
  let gallery: Gallery;
  /** Of Ann, and of everybody else. */
  let [hers, theirs]: Browser[] = [];
  let ann: Person;
  let ada: Person;
  let ben: Person;
  let link: string;
  /** Of the camera that is searched for. */
  let found: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lightwell-journey-'));
    gallery = await startGallery();
    ada = await registerAdmin(gallery, 'ada');
    ben = await register(gallery, 'ben');
    [hers, theirs] = [await openBrowser(), await openBrowser()];
  });
  after(async () => {
    for (const browser of [hers, theirs]) await browser?.close();
    await gallery?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const tiles = (page: Page) => page.locator('.tile[data-id]');
  const tile = (page: Page, name: string) => page.locator(`.tile:has(img[alt="${name}"])`);
  const notice = (page: Page, text: string) => page.getByRole('region', { name: 'Notices' }).getByText(text);
  const selected = (page: Page, count: number) =>
    page.getByRole('region', { name: 'Selection' }).getByText(`${count} selected`).waitFor();
  const titles = (page: Page) =>
    tiles(page)
      .locator('img')
      .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).alt));
  const openWall = async () => {
    const { page } = await openTab(hers!, gallery);
    await page.setViewportSize({ width: 1440, height: 844 });
    await page.locator('[data-check]').nth(9).waitFor();
    return page;
  };

  test('somebody registers, and uploads ten by drop', async () => {
    const { page } = await openTab(hers!, gallery, '/register');
    await page.getByLabel('Username', { exact: true }).fill('ann');
    await page.getByLabel('Email').fill('ann@example.org');
    await page.getByLabel('Password').fill(password);
    await button(page, 'Make an account').click();
    await button(page, 'Account').waitFor();
    ann = await logIn(gallery, { ...ben, name: 'ann' });
    const files = await tenPhotos(join(folder, 'photos'));
    await dropFiles(page, files);
    await page.getByLabel('Everybody').check();
    await button(page, 'Upload 10 photos').click();
    await page.locator('li[data-state=done]').nth(9).waitFor();
    await tiles(page).nth(9).waitFor();
    const names = files.map((file) => basename(file, '.jpg'));
    assert.deepEqual((await titles(page)).sort(), names.sort());
    await page.close();
  });

  test('finds one by its camera, edits it, and shares it with a password', async () => {
    const page = await openWall();
    await page.getByRole('combobox', { name: 'Search' }).fill('500D');
    await page.getByRole('option').filter({ hasText: camera }).click();
    await page.waitForURL('**/search?q=camera:**');
    await page.getByRole('heading', { name: '1 photo', exact: true }).waitFor();
    // How many there are is known before they are.
    await eventually(async () => assert.equal((await titles(page)).length, 1));
    [found = ''] = await titles(page);
    await tiles(page).first().click();
    await button(page, 'Information').click();
    await page.getByRole('complementary').getByText(camera).waitFor();
    await button(page, 'Edit').click();
    const steps = page.getByRole('list', { name: 'Steps' });
    await steps.waitFor();
    await page.keyboard.press('r');
    await page.keyboard.press('Control+s');
    await steps.waitFor({ state: 'detached' });
    const [photo] = assertRead(await ann.get('/api/photos?q=camera:500D')).list;
    assert.ok(photo.height > photo.width, `${photo.width} × ${photo.height}`);

    await button(page, 'Share').click();
    const dialog = page.getByRole('dialog', { name: 'Share this photo' });
    await dialog.getByLabel('Ask for a password').check();
    await dialog.getByLabel('Password', { exact: true }).fill('blue heron');
    await button(page, 'Make the link').click();
    link = await dialog.getByLabel('Link', { exact: true }).inputValue();
    await page.close();
  });

  test('the link is opened signed out; another user comments, reports and follows', async () => {
    const { page: guest } = await openTab(theirs!, gallery, new URL(link).pathname);
    await guest.getByLabel('Password').fill('blue heron');
    await guest.keyboard.press('Enter');
    await guest.getByRole('heading', { name: found }).waitFor();
    await guest.close();

    await signIn(theirs!, gallery, ben);
    const { page } = await openTab(theirs!, gallery, '/users/ann');
    await button(page, 'Follow').click();
    await button(page, 'Following').waitFor();
    await tile(page, found).click();
    await button(page, 'Information').click();
    await page.getByRole('textbox', { name: 'Write a comment' }).fill('What a light!');
    await button(page, 'Send').click();
    await page.getByRole('article').filter({ hasText: 'What a light!' }).waitFor();
    await button(page, 'Report this photo').click();
    await page.getByLabel('In your own words').fill('Not of this month');
    await button(page, 'Send the report').click();
    await page.getByText('The admins will look at it').waitFor();
    await page.close();
    assert.equal(assertRead(await ann.get('/api/users/ann')).stats.followers, 1);
  });

  test('photos of several months are selected with Shift, tagged, and that is undone', async () => {
    const page = await openWall();
    const order = await titles(page);
    await tile(page, order[2]!).focus();
    await page.keyboard.press('x');
    await selected(page, 1);
    await tile(page, order[7]!).click({ modifiers: ['Shift'] });
    await selected(page, 6);
    await page.keyboard.press('t');
    await page.getByRole('dialog').getByLabel('Tags').fill('journey');
    await button(page, 'Add tags').click();
    await notice(page, '6 photos tagged.').waitFor();
    const tagged = async () => assertRead(await ann.get('/api/photos?tag=journey')).list;
    const months = new Set(
      (await tagged()).map((photo: { taken_time: string }) => photo.taken_time.slice(0, 7)),
    );
    assert.ok(months.size > 1, [...months].join());
    await page.keyboard.press('Control+z');
    await notice(page, 'Undone.').waitFor();
    assert.deepEqual(await tagged(), []);

    await page.keyboard.press('a');
    await page.getByLabel('Name of the new album').fill('Journey');
    await button(page, 'Create and move').click();
    await notice(page, '6 photos moved.').waitFor();
    await page.close();
  });

  test('the album is put in order', async () => {
    const [{ id }] = assertRead(await ann.get('/api/albums')).list;
    const { page } = await openTab(hers!, gallery, `/albums/${id}`);
    await page.locator('[data-check]').nth(5).waitFor();
    const [first, second, ...rest] = await titles(page);
    await tile(page, first!).focus();
    await page.locator('[data-spot]').first().waitFor({ state: 'attached' });
    await page.keyboard.press('Alt+Shift+ArrowRight');
    const kept = async () =>
      assertRead(await ann.get(`/api/albums/${id}/photos`)).list.map(({ title }: { title: string }) => title);
    await eventually(async () => assert.deepEqual(await kept(), [second, first, ...rest]));
    await page.close();
  });

  test('one goes to the trash, and comes back', async () => {
    const page = await openWall();
    const [first] = await titles(page);
    await tile(page, first!).focus();
    await page.keyboard.press('x');
    await selected(page, 1);
    await page.keyboard.press('Delete');
    await notice(page, '1 photo moved to the trash.').waitFor();
    await page.goto(`${gallery.url}/trash`);
    await tile(page, first!).click();
    await selected(page, 1);
    await page.keyboard.press('r');
    await page.getByText('The trash is empty').waitFor();
    await page.goto(gallery.url);
    await tile(page, first!).waitFor();
    await page.close();
  });

  test('an admin handles the report, and disables who made it', async () => {
    await theirs!.context.clearCookies();
    await signIn(theirs!, gallery, ada);
    const { page } = await openTab(theirs!, gallery, '/admin/reports');
    await page.getByText('Not of this month').waitFor();
    await page.keyboard.press('x');
    await page.getByText('Not of this month').waitFor({ state: 'detached' });
    await page.goto(`${gallery.url}/admin/users`);
    await button(page, 'Actions for ben').click();
    await page.getByRole('menuitem', { name: 'Disable account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable account' }).click();
    await page.getByRole('row').filter({ hasText: 'ben' }).getByText('Disabled', { exact: true }).waitFor();
    assert.equal((await anonymous(gallery).get('/api/users/ben')).status, 404);
    await page.close();
  });
});
