/** Tests failures while a user browses and works: a clear message, a button to retry, and no lost input. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { DatabaseUnavailable } from '../../server/platform/db/dialect.ts';
import { assertRead } from '../support/assert-answers.ts';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, type Person, registerAdmin } from '../support/people.ts';
import { addMonths, assertAccessible, openTab, signIn, withoutWeb, years } from './steps.ts';

describe('a failure in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  /** Ids of photos, newest first, like on the wall. */
  let ids: number[];
  let album: number;
  const [months, each] = [8, 16];

  before(async () => {
    gallery = await startGallery({ tokenTtl: years });
    ann = await registerAdmin(gallery, 'ann');
    ids = (await addMonths(gallery, ann, months, each)).reverse();
    album = await addAlbum(ann, 'Alps');
    browser = await openBrowser();
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const nth = (n: number) => `Photo ${months * each - 1 - n}`;
  const tile = (page: Page, name: string) => page.locator(`.tile:has(img[alt="${name}"])`);
  const alarm = (page: Page) => page.getByRole('alert').filter({ hasText: 'The server had a problem' });
  const notice = (page: Page) => page.getByRole('region', { name: 'Status messages' });
  const again = (page: Page) => page.getByRole('button', { name: 'Try again' });
  /**
   * Makes calls with this method and path fail with a server error, until the returned function is called.
   */
  async function breakCalls(page: Page, method: string, path: string | RegExp) {
    await intercept(page, path, (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 500, json: { code: 500, message: 'Internal server error' } })
        : route.fallback(),
    );
    return () => page.unroute(path);
  }

  test('every page reports that its list did not load, and loads the list on request', async () => {
    const places = [
      ['/', nth(0)],
      ['/search?q=photo', nth(0)],
      ['/albums', 'Alps'],
      [`/albums/${album}`, 'Alps'],
      ['/users/ann', 'ann'],
      ['/users/ann/albums', 'Alps'],
      ['/users/ann/followers', 'ann'],
      ['/favorites', 'No favorites yet'],
      ['/feed', 'No photos yet'],
      ['/trash', 'The trash is empty'],
      ['/notifications', ''],
      ['/shares', ''],
      ['/settings/security', 'This device'],
      ['/settings/keys', 'No API keys yet.'],
      ['/settings/webhooks', 'No webhooks yet.'],
      ['/admin', ''],
      ['/admin/reports', ''],
      ['/admin/users', 'ann@example.org'],
      ['/admin/invites', 'No invites yet.'],
      ['/admin/photos', ''],
      ['/admin/comments', ''],
      ['/admin/log', ''],
    ] as const;
    // Opens several pages in parallel, because each takes time until it has retried.
    const queue = [...places];
    const found: string[] = [];
    const work = async () => {
      for (let place = queue.shift(); place; place = queue.shift()) {
        const [path] = place;
        const page = await browser.context.newPage();
        // Opens another page first and then navigates, because data in the HTML document would make the
        // failing call unnecessary.
        await page.goto(`${gallery.url}/forgot`);
        const mend = await breakCalls(page, 'GET', '**/api/**');
        await page.evaluate((to) => {
          history.pushState({}, '', to);
          dispatchEvent(new PopStateEvent('popstate', { state: {} }));
        }, path);
        const isTold = await alarm(page)
          .first()
          .waitFor({ timeout: 30_000 })
          .then(
            () => true,
            () => false,
          );
        if (!isTold) found.push(`${path}: says nothing`);
        else if ((await again(page).count()) === 0) found.push(`${path}: offers no other try`);
        else {
          await assertAccessible(page, `${path} in trouble`).catch((error: Error) =>
            found.push(`${path}: ${error.message}`),
          );
          await mend();
          for (const button of (await again(page).all()).reverse()) await button.click();
          const isBack = await alarm(page)
            .waitFor({ state: 'detached', timeout: 30_000 })
            .then(
              () => true,
              () => false,
            );
          if (!isBack) found.push(`${path}: does not come back`);
        }
        await page.close();
      }
    };
    await Promise.all([work(), work(), work()]);
    assert.deepEqual(found, []);
  });

  /** Opens the wall and scrolls to its end, where photos cannot load until `mend` is called. */
  async function openBrokenWall() {
    const { page } = await openTab(browser, gallery);
    await tile(page, nth(0)).waitFor();
    const mend = await breakCalls(page, 'GET', '**/api/photos?**page=2**');
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await alarm(page).waitFor();
    return { page, mend };
  }

  test("a wall reports a part that did not load at that part's place, in each width", async () => {
    const { page } = await openBrokenWall();
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      // Another window size shows other parts of the wall, so the page requests the failed part again.
      await eventually(async () => {
        const { y, height } = (await again(page).boundingBox()) ?? { y: -1, height: 0 };
        assert.ok(y > 0 && y + height < 844, `at ${width} px the button is at ${y}`);
      });
    }
    await assertAccessible(page, 'a part did not come');
    await page.close();
  });

  test('a wall loads a failed part on request', async () => {
    const { page, mend } = await openBrokenWall();
    await mend();
    await again(page).click();
    await alarm(page).waitFor({ state: 'detached' });
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await tile(page, nth(ids.length - 1)).waitFor();
    await page.close();
  });

  test('the viewer loads failed photos of the next part as soon as the server answers', async () => {
    const { page } = await openTab(browser, gallery);
    const mend = await breakCalls(page, 'GET', '**/api/photos?**page=2**');
    await page.locator(`.tile[data-id="${ids[0]}"]`).click();
    await page.waitForURL(`**/photos/${ids[0]}`);
    for (let n = 1; n <= 99; n++) {
      await page.keyboard.press('ArrowRight');
      if (n % 11 === 0) await page.waitForURL(`**/photos/${ids[n]}`);
    }
    const refused = page.waitForResponse((answer) => answer.status() === 500);
    await page.keyboard.press('ArrowRight');
    await refused;
    await page.getByText(`101 of ${ids.length}`).waitFor();
    await mend();
    await page.waitForURL(`**/photos/${ids[100]}`);
    await page
      .locator(`[role=dialog] img[alt="${nth(100)}"]`)
      .first()
      .waitFor();
    await page.close();
  });

  test('the panel reports details that did not load, and loads the details on request', async () => {
    const { page } = await openTab(browser, gallery);
    await tile(page, nth(0)).waitFor();
    const mend = await breakCalls(page, 'GET', `**/api/photos/${ids[0]}`);
    await tile(page, nth(0)).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('i');
    const panel = page.getByRole('complementary', { name: 'Information' });
    await panel.getByRole('alert').waitFor();
    await assertAccessible(page, 'no details');
    await mend();
    await panel.getByRole('button', { name: 'Try again' }).click();
    await panel.getByRole('textbox', { name: 'Write a comment' }).waitFor();

    // A failed save keeps the text that was typed.
    await panel.getByRole('button', { name: 'Edit details' }).click();
    await panel.getByLabel('Title').fill('Half Dome');
    await panel.getByLabel('Description').fill('In the morning.');
    const mendSave = await breakCalls(page, 'PUT', `**/api/photos/${ids[0]}`);
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByRole('alert').waitFor();
    assert.equal(await panel.getByLabel('Title').inputValue(), 'Half Dome');
    await mendSave();
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('In the morning.').waitFor();
    assert.equal(assertRead(await ann.get(`/api/photos/${ids[0]}`)).title, 'Half Dome');
    await ann.put(`/api/photos/${ids[0]}`, { title: nth(0), description: '' });
    await page.close();
  });

  test('a failed like is undone and reported, and another try sets the like', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${ids[1]}`);
    await page.getByRole('button', { name: 'Like', exact: true }).waitFor();
    const mend = await breakCalls(page, 'POST', '**/like');
    await page.keyboard.press('l');
    await notice(page).getByText('The server had a problem').waitFor();
    await page.getByRole('button', { name: 'Like', exact: true }).waitFor();
    await mend();
    await notice(page).getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Unlike' }).waitFor();
    await eventually(async () => {
      assert.equal(assertRead(await ann.get(`/api/photos/${ids[1]}`)).is_liked, true);
    });
    await page.close();
  });

  test('a failed bulk action keeps the selection, and another try works and can be undone', async () => {
    const { page } = await openTab(browser, gallery);
    await page.locator('[data-check]').first().waitFor();
    for (const n of [2, 3]) {
      await tile(page, nth(n)).hover();
      await page.getByRole('button', { name: `Select: ${nth(n)}`, exact: true }).click();
    }
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByText('2 selected').waitFor();
    const mend = await breakCalls(page, 'POST', '**/api/photos/batch');
    await page.keyboard.press('Delete');
    await notice(page).getByText('The server had a problem').waitFor();
    await bar.getByText('2 selected').waitFor();
    await tile(page, nth(2)).and(page.locator(':not([data-leaving])')).waitFor();
    await assertAccessible(page, 'an act failed');
    await mend();
    await notice(page).getByRole('button', { name: 'Try again' }).click();
    await notice(page).getByText('2 photos moved to the trash.').waitFor();
    await tile(page, nth(2)).waitFor({ state: 'detached' });

    // Makes the undo fail as well.
    const mendUndo = await breakCalls(page, 'POST', '**/api/photos/batch');
    await page.keyboard.press('Control+z');
    await notice(page).getByText('The server had a problem').waitFor();
    await mendUndo();
    await notice(page).getByRole('button', { name: 'Try again' }).click();
    await notice(page).getByText('Undone.').waitFor();
    await tile(page, nth(2)).waitFor();
    await page.close();
  });

  test('reports a photo that was deleted elsewhere to a viewer who likes it', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${ids[5]}`);
    await page.getByRole('button', { name: 'Like', exact: true }).waitFor();
    // Opens the details before the photo is deleted, so that only the like reports the deletion.
    await page.keyboard.press('i');
    await page.getByRole('textbox', { name: 'Write a comment' }).waitFor();
    await ann.delete(`/api/photos/${ids[5]}`);
    await page.keyboard.press('l');
    await notice(page).getByText('This photo no longer exists.').waitFor();
    await page.waitForURL(`**/photos/${ids[6]}`);
    assert.equal(await notice(page).getByRole('button', { name: 'Try again' }).count(), 0);
    await page.keyboard.press('Escape');
    await tile(page, nth(5)).waitFor({ state: 'detached' });
    await page.close();
  });

  test('a page whose reads all failed reloads everything automatically', async () => {
    const { page } = await openTab(browser, gallery, '/settings');
    const statuses: number[] = [];
    await intercept(page, `${gallery.url}/`, async (route) => {
      const { db } = gallery.deps;
      const { kysely } = db;
      const away = () => {
        throw new DatabaseUnavailable('away');
      };
      Object.assign(db, { kysely: new Proxy({}, { get: () => away }) });
      const response = await route.fetch().finally(() => Object.assign(db, { kysely }));
      statuses.push(response.status());
      await route.fulfill({ response });
    });
    await page.goto(gallery.url);
    await tile(page, nth(0)).waitFor();
    await page.getByRole('button', { name: 'Account' }).waitFor();
    assert.deepEqual(statuses, [503]);
    await page.close();
  });
});
