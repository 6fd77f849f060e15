/**
 * Tests photos that are trashed in the viewer: the viewer shows the next photo, and a button restores them.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { addMonths, assertAccessible, openTab, signIn, withoutWeb, years } from './steps.ts';

describe('deleting in the viewer', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let ids: number[];
  let foreign: number;

  before(async () => {
    gallery = await startGallery({ tokenTtl: years });
    ann = await register(gallery, 'ann');
    ids = await addMonths(gallery, ann, 8, 15);
    const ben = await register(gallery, 'ben');
    foreign = (await addPhoto(ben, { title: 'Of ben' }, await createJpeg({ width: 300, height: 200 }))).id;
    browser = await openBrowser();
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const dialog = (page: Page) => page.locator('.pswp');
  const untilShown = async (page: Page, number: number, place: string) => {
    await page.waitForURL(`**/photos/${ids[number]}`);
    await dialog(page).getByText(`Photo ${number}`, { exact: true }).first().waitFor();
    await dialog(page).getByText(place, { exact: true }).waitFor();
  };
  const trashed = async () => {
    const { body } = await ann.get('/api/trash');
    return (body.data.list as { id: number }[]).map(({ id }) => id).sort((a, b) => a - b);
  };

  test('the viewer deletes by Del, shows the next photo at once, and undoes by the button', async () => {
    const { page, calls, complaints } = await openTab(browser, gallery);
    await page.locator(`.tile[data-id="${ids[115]}"]`).click();
    await untilShown(page, 115, '6 of 121');
    calls();
    for (const [number, place] of [
      [114, '6 of 120'],
      [113, '6 of 119'],
      [112, '6 of 118'],
    ] as const) {
      await page.keyboard.press('Delete');
      await untilShown(page, number, place);
    }
    await eventually(async () => assert.deepEqual(await trashed(), [ids[113], ids[114], ids[115]]));
    const batches = calls().filter((call) => call === 'POST /api/photos/batch');
    assert.equal(batches.length, 3);
    // The neighbors of the trashed photos are now the viewer's next and previous photos.
    await page.keyboard.press('ArrowLeft');
    await untilShown(page, 116, '5 of 118');
    await page.keyboard.press('ArrowRight');
    await untilShown(page, 112, '6 of 118');
    await page.getByText('1 photo moved to the trash.').last().waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await untilShown(page, 113, '6 of 119');
    await eventually(async () => assert.deepEqual(await trashed(), [ids[114], ids[115]]));
    await page.keyboard.press('Escape');
    await page.waitForURL(`${gallery.url}/`);
    const left = await page.$$eval('.tile[data-id]', (tiles) =>
      tiles.slice(0, 7).map((tile) => Number((tile as HTMLElement).dataset.id)),
    );
    const { list } = (await ann.get('/api/photos?sort=taken_time&order=desc')).body.data;
    assert.deepEqual(
      left,
      list.slice(0, 7).map(({ id }: { id: number }) => id),
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("deleting in the viewer skips no photo at a page's end, and after the last shows the previous", async () => {
    const { page } = await openTab(browser, gallery, `/photos/${ids[20]}`);
    await dialog(page).getByText('Photo 20', { exact: true }).first().waitFor();
    await page.keyboard.press('Delete');
    await page.waitForURL(`**/photos/${ids[19]}`);
    for (let number = 18; number >= 0; number--) {
      await page.keyboard.press('ArrowRight');
      await page.waitForURL(`**/photos/${ids[number]}`);
      await dialog(page).getByText(`Photo ${number}`, { exact: true }).first().waitFor();
    }
    await page.keyboard.press('Delete');
    await page.waitForURL(`**/photos/${ids[1]}`);
    await eventually(async () => assert.ok((await trashed()).includes(ids[0]!)));
    await page.close();
  });

  test('the viewer explains why a deletion failed, and shows the photo again', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${ids[50]}`);
    await dialog(page).getByText('Photo 50', { exact: true }).first().waitFor();
    const fault = { status: 500, json: { code: 500, message: 'The disk is full', data: null } };
    await intercept(page, '**/api/photos/batch', (route) => route.fulfill(fault));
    await page.keyboard.press('Delete');
    await page.getByText('The server had a problem').waitFor();
    await page.waitForURL(`**/photos/${ids[50]}`);
    await dialog(page).getByText('Photo 50', { exact: true }).first().waitFor();
    assert.ok(!(await trashed()).includes(ids[50]!));
    await page.close();
  });

  test('every Del deletes a photo, also before the page has drawn the previous deletion', async () => {
    const { page, calls } = await openTab(browser, gallery, `/photos/${ids[40]}`);
    await dialog(page).getByText('Photo 40', { exact: true }).first().waitFor();
    await page.keyboard.press('Delete');
    await dialog(page).getByText('Photo 39', { exact: true }).first().waitFor();
    await page.evaluate(async () => {
      for (let n = 0; n < 3; n++) {
        window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Delete', cancelable: true }));
        // Yields to microtasks only, so that neither a frame nor an effect of React runs between the keys.
        await null;
      }
    });
    await page.waitForURL(`**/photos/${ids[36]}`);
    await dialog(page).getByText('Photo 36', { exact: true }).first().waitFor();
    const gone = [40, 39, 38, 37].map((number) => ids[number]!);
    await eventually(async () => {
      const there = await trashed();
      assert.deepEqual(
        gone.filter((id) => !there.includes(id)),
        [],
      );
    });
    assert.equal(calls().filter((call) => call === 'POST /api/photos/batch').length, 4);
    assert.equal((await ann.get(`/api/photos/${ids[36]}`)).status, 200);
    await page.close();
  });

  test("deleting is in the bar's menu on a telephone, and is missing for others' photos", async () => {
    const { page } = await openTab(browser, gallery, `/photos/${ids[60]}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await dialog(page).getByText('Photo 60', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Move to trash' }).waitFor();
    await assertAccessible(page, 'the menu');
    await page.getByRole('menuitem', { name: 'Move to trash' }).click();
    await page.waitForURL(`**/photos/${ids[59]}`);
    await eventually(async () => assert.ok((await trashed()).includes(ids[60]!)));
    await page.goto(`${gallery.url}/photos/${foreign}`);
    await dialog(page).getByText('Of ben', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Download' }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Move to trash' }).count(), 0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Delete');
    await page.keyboard.press('ArrowRight');
    assert.equal((await ann.get(`/api/photos/${foreign}`)).status, 200);
    await page.close();
  });
});
