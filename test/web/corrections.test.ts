/** Tests how the owner corrects date, place and rating in the viewer, and takes corrections back. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRead } from '../support/assert-answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { createPhoto } from '../support/photo-metadata.ts';
import { assertAccessible, inEveryLook, openTab, signIn, signInAs, withoutWeb } from './steps.ts';

const exif = {
  DateTimeOriginal: '2024:06:15 23:30:00',
  FNumber: '28/10',
  ExposureTime: '1/250',
  ISOSpeedRatings: '400',
  FocalLength: '23/1',
};

describe('corrections in the viewer', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let ids: number[];

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    await register(gallery, 'ben');
    const picture = await createPhoto({ IFD2: exif });
    ids = [];
    for (let n = 0; n < 3; n++)
      ids.push((await addPhoto(ann, { title: `Photo ${n}`, is_public: '1' }, picture)).id);
    // A browser far east of the place, where the same clock is another day in UTC.
    browser = await openBrowser({ timezoneId: 'Pacific/Auckland' });
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const panel = (page: Page) => page.getByRole('complementary', { name: 'Information' });
  const detail = async (id: number) => assertRead(await ann.get(`/api/photos/${id}`));
  const openPanel = async (id: number) => {
    const tab = await openTab(browser, gallery, `/photos/${id}`);
    await tab.page.getByRole('button', { name: 'Information' }).click();
    await panel(tab.page).getByText('Date taken').waitFor();
    return tab;
  };
  const star = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true });

  test('the owner corrects date and place in the panel, and takes the correction back', async () => {
    const { page, complaints } = await openPanel(ids[0]!);
    await panel(page).getByText('Saturday, June 15, 2024 at 11:30 PM').waitFor();
    await panel(page).getByText('1/250').waitFor();
    await page.getByRole('button', { name: 'Edit details' }).click();
    assert.equal(await page.getByLabel('Date taken').inputValue(), '2024-06-15T23:30');
    await page.getByLabel('Date taken').fill('2024-06-16T00:15');
    await page.getByLabel('Place', { exact: true }).fill('Zermatt');
    await page.getByRole('button', { name: 'Save' }).click();
    await panel(page).getByRole('alert').getByText('Enter a latitude and a longitude').waitFor();
    assert.equal(
      (await detail(ids[0]!)).taken_time,
      '2024-06-15 23:30:00',
      'a text that is no place was sent',
    );
    await page
      .getByLabel('Place', { exact: true })
      .fill('https://www.openstreetmap.org/#map=15/46.0207/7.7491');
    await page.getByRole('button', { name: 'Save' }).click();
    await panel(page).getByText('Sunday, June 16, 2024 at 12:15 AM').waitFor();
    const map = panel(page).getByRole('link', { name: '46.0207, 7.7491' });
    assert.match(
      (await map.getAttribute('href'))!,
      /^https:\/\/www\.openstreetmap\.org\/\?mlat=46\.0207&mlon=7\.7491/,
    );
    const { taken_time, location } = await detail(ids[0]!);
    assert.equal(taken_time, '2024-06-16 00:15:00');
    assert.deepEqual(location, { latitude: 46.0207, longitude: 7.7491 });
    await panel(page).getByRole('region', { name: 'The file says' }).getByText('June 15, 2024').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    for (const field of ['Date taken', 'Place']) {
      const offer = page.getByRole('button', { name: `Use it: ${field} of the file` });
      await offer.click();
      await offer.waitFor({ state: 'detached' });
    }
    const back = await detail(ids[0]!);
    assert.equal(back.taken_time, '2024-06-15 23:30:00');
    assert.equal(back.location, null);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('stars and keys rate the photo, the same star removes the rating, and Shift shows the next photo', async () => {
    const { page } = await openPanel(ids[2]!);
    await star(page, '4 stars').click();
    await page.locator('[aria-label="4 stars"][aria-pressed=true]').waitFor();
    await page.getByText('Rated 4 stars.').waitFor();
    await eventually(async () => assert.equal((await detail(ids[2]!)).rating, 4));
    await star(page, '4 stars').click();
    await eventually(async () => assert.ok(!(await detail(ids[2]!)).rating));
    await page.keyboard.press('3');
    await eventually(async () => assert.equal((await detail(ids[2]!)).rating, 3));
    await page.keyboard.press('Shift+5');
    await page.waitForURL(`**/photos/${ids[1]}`);
    await page.keyboard.press('Shift+2');
    await page.waitForURL(`**/photos/${ids[0]}`);
    await eventually(async () => assert.equal((await detail(ids[2]!)).rating, 5));
    await eventually(async () => assert.equal((await detail(ids[1]!)).rating, 2));
    await page.close();
  });

  test('others see neither stars nor the values of the file, and their digit keys do nothing', async () => {
    const other = await openBrowser();
    const { page, calls } = await openTab(other, gallery);
    await signInAs(page, 'ben');
    await page.goto(`${gallery.url}/photos/${ids[1]}`);
    await page.getByRole('button', { name: 'Information' }).click();
    await panel(page).getByText('Date taken').waitFor();
    await page.keyboard.press('5');
    await page.waitForLoadState('networkidle');
    assert.equal(await panel(page).getByRole('button', { name: /star/ }).count(), 0);
    assert.equal(await page.getByRole('region', { name: 'The file says' }).count(), 0);
    assert.ok(!calls().some((call) => call.startsWith('PUT')));
    await other.close();
  });

  test('the list stays in its order under the viewer, and moves a photo with a new date after closing', async () => {
    const { page, calls } = await openTab(browser, gallery, '/users/ann');
    await page.locator(`.tile[data-id="${ids[2]}"]`).click();
    await page.getByRole('button', { name: 'Information' }).click();
    calls();
    for (const [field, value] of [
      ['Date taken', '2001-01-01T10:00'],
      ['Title', 'Moved'],
    ]) {
      await page.getByRole('button', { name: 'Edit details' }).click();
      await page.getByLabel(field!).fill(value!);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('form', { name: 'Edit details' }).waitFor({ state: 'detached' });
    }
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(`**/photos/${ids[1]}`);
    // The wall below asks for stale pages when a scroll ends.
    await page.setViewportSize({ width: 390, height: 300 });
    await page.evaluate(() => window.scrollBy(0, 100));
    await page.waitForTimeout(500);
    assert.deepEqual(
      calls().filter((call) => /^GET .api.(?:photos\?|users)/.test(call)),
      [],
    );
    await page.keyboard.press('Escape');
    const order = () => page.locator('.tile').evaluateAll((all) => all.map((one) => one.dataset.id));
    await eventually(async () => assert.equal((await order()).at(-1), String(ids[2])));
    await page.close();
    await ann.put(`/api/photos/${ids[2]}`, { from_file: ['taken_time'], title: 'Photo 2' });
  });

  const select = async (page: Page) => {
    await page.locator(`.tile[data-id="${ids[0]}"]`).focus();
    await page.keyboard.press('x');
    await page.getByRole('region', { name: 'Selection' }).getByText('1 selected').waitFor();
    await page.keyboard.press('Control+a');
    await page.getByRole('region', { name: 'Selection' }).getByText('3 selected').waitFor();
  };
  const readAll = async (field: string) => Promise.all(ids.map(async (id) => (await detail(id))[field]));

  test('a selection is shifted by days and hours, and Undo shifts the dates back', async () => {
    const { page, complaints } = await openTab(browser, gallery, '/users/ann');
    await page.waitForLoadState('networkidle');
    const before = await readAll('taken_time');
    await select(page);
    await page.keyboard.press('c');
    await page.getByRole('dialog').getByLabel('Direction').selectOption('Earlier');
    await page.getByLabel('Days').fill('1');
    await page.getByLabel('Hours').fill('23');
    await page.getByLabel('Minutes').fill('30');
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Dates of 3 photos changed.').waitFor();
    assert.deepEqual(await readAll('taken_time'), Array(3).fill('2024-06-14 00:00:00'));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    assert.deepEqual(await readAll('taken_time'), before);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a selection gets one date, one place and one rating, without a button that cannot undo', async () => {
    const { page } = await openTab(browser, gallery, '/users/ann');
    await page.waitForLoadState('networkidle');
    await select(page);
    await page.keyboard.press('c');
    await page.getByRole('radio', { name: 'Set the date' }).check();
    await page.getByRole('dialog').getByLabel('Date taken').fill('1998-08-01T12:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Dates of 3 photos changed.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('alert').getByText('Fill in this field.').waitFor();
    await page
      .getByRole('dialog')
      .getByLabel('Place', { exact: true })
      .fill('46° 1′ 14.52″ N, 7° 44′ 56.76″ E');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Places of 3 photos changed.').waitFor();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('4');
    await page.getByText('3 photos rated.').waitFor();
    assert.deepEqual(await readAll('taken_time'), Array(3).fill('1998-08-01 12:00:00'));
    assert.deepEqual(await readAll('location'), Array(3).fill({ latitude: 46.0207, longitude: 7.7491 }));
    assert.deepEqual(await readAll('rating'), [4, 4, 4]);
    await page.close();
  });
});
