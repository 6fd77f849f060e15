/**
 * Tests the real rate limit in a real browser: a calm message, no lost input, and the page continues by
 * itself.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRead } from '../support/assert-answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { assertAccessible, inEveryLook, signIn, withoutWeb } from './steps.ts';

/** The limit of browsers is a tenth of the default, so that the test can use the limit up. */
const [webRateLimit, uploadRateLimit] = [60, 600];
/** A minute in milliseconds. */
const aMinute = 60_000;

describe('the limit of calls in the browser', { skip: withoutWeb }, () => {
  let folder: string;
  let gallery: Gallery;
  let browser: Browser;
  let browserOfBen: Browser;
  let ann: Person;
  let ben: Person;
  /** Ids of photos, newest first, like on the wall. */
  const ids: number[] = [];
  /** More than two pages of photos, so that the wall preloads the second page. */
  const photos = 205;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lightwell-limit-'));
    gallery = await startGallery({ webRateLimit, uploadRateLimit });
    ann = await register(gallery, 'ann');
    ben = await register(gallery, 'ben');
    for (let n = 0; n < photos; n++) {
      const picture = await createJpeg({
        width: 200 + (n % 7) * 30,
        height: 200,
        colour: `hsl(${n * 7}, 45%, 45%)`,
      });
      ids.unshift((await addPhoto(ann, { title: `Photo ${n}` }, picture)).id);
    }
    await writeFile(join(folder, 'new.jpg'), await createJpeg({ width: 500, height: 300, colour: 'teal' }));
    browser = await openBrowser();
    await signIn(browser, gallery, ann);
    browserOfBen = await openBrowser();
    await signIn(browserOfBen, gallery, ben);
  });
  after(async () => {
    await browser?.close();
    await browserOfBen?.close();
    await gallery?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Resets the limits of the user, so that earlier requests of the test do not count. */
  async function beginMinute({ id }: Person): Promise<void> {
    const { makeRateLimiter } = gallery.shared;
    await makeRateLimiter('web', webRateLimit).reset(`u${id}`);
    await makeRateLimiter('uploads', uploadRateLimit).reset(`u${id}`);
  }
  /** Uses up all calls of this minute with the session of the browser, outside its pages. */
  async function spend({ context }: Browser, method: string, path: string, limit: number): Promise<void> {
    for (let n = 0; n <= limit; n++) {
      const answer = await context.request.fetch(gallery.url + path, { method });
      assert.equal(answer.headers()['x-ratelimit-limit'], String(limit));
      if (answer.status() === 429) return;
    }
    assert.fail('the limit was not met');
  }

  const tile = (page: Page, n: number) => page.locator(`.tile:has(img[alt="Photo ${n}"])`);
  const rest = (page: Page) => page.getByRole('status').filter({ hasText: 'Too many requests' });
  const refusals = (page: Page) => {
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 429) refused.push(new URL(response.url()).pathname);
    });
    return refused;
  };
  const likes = async () => assertRead(await asVisitor(gallery).get(`/api/photos/${ids[1]}`)).likes;
  const isOver = (page: Page) => rest(page).waitFor({ state: 'detached' });
  async function letMinutePass(person: Person, ...pages: Page[]): Promise<void> {
    await beginMinute(person);
    for (const page of pages) await page.clock.fastForward(aMinute);
  }
  /** Opens a page whose clock runs normally until the test skips a minute. */
  async function open(of: Browser, path = '/'): Promise<Page> {
    const page = await of.context.newPage();
    await page.clock.install();
    await page.goto(gallery.url + path);
    return page;
  }
  /** Asserts that the page shows no error message and no button to retry. */
  async function assertCalm(page: Page): Promise<void> {
    assert.deepEqual(await page.getByRole('alert').allTextContents(), []);
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
  }

  test('scrolling, a like and a search wait at the rate limit for the next minute, and then continue', async () => {
    await beginMinute(ann);
    const [wall, viewer, search] = [
      await open(browser),
      await open(browser, `/photos/${ids[1]}`),
      await open(browser, '/albums'),
    ];
    await wall.locator('[data-check]').first().waitFor();
    await viewer.getByRole('button', { name: 'Like', exact: true }).waitFor();
    await search.getByText('No albums yet').waitFor();
    const refused = [wall, viewer, search].map(refusals);
    await spend(browser, 'GET', '/api/photos', webRateLimit);

    // The wall requests photos first and reaches the limit.
    await wall.bringToFront();
    await wall.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await rest(wall).waitFor();
    await assertCalm(wall);
    await assertAccessible(wall, 'wall');
    // Photos that are already loaded can be viewed during the wait.
    await wall.evaluate(() => window.scrollTo(0, 0));
    await tile(wall, photos - 1).waitFor();
    await wall.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));

    // Uses up the limit again, because on a busy machine the minute may be over.
    await spend(browser, 'GET', '/api/photos', webRateLimit);
    await viewer.bringToFront();
    await viewer.keyboard.press('l');
    await viewer.getByRole('button', { name: 'Unlike' }).waitFor();
    await rest(viewer).waitFor();
    // The test counts likes as another user, whose rate limit is separate.
    assert.equal(await likes(), 0);
    await assertCalm(viewer);
    await assertAccessible(viewer, 'viewer');

    await spend(browser, 'GET', '/api/photos', webRateLimit);
    await search.bringToFront();
    await search.getByRole('combobox', { name: 'Search' }).fill('Photo 17');
    await search.keyboard.press('Enter');
    await search.waitForURL('**/search?q=**');
    await rest(search).waitFor();
    await assertCalm(search);

    // At most six refused calls, because the pages do not repeat calls all the time.
    assert.ok(refused.flat().length <= 6, refused.join());
    await letMinutePass(ann, wall, viewer, search);
    await Promise.all([wall, viewer, search].map(isOver));
    await tile(wall, 0).waitFor();
    await tile(search, 17).waitFor();
    await eventually(async () => assert.equal(await likes(), 1));
    for (const page of [wall, viewer, search]) {
      await assertCalm(page);
      await page.close();
    }
  });

  test('an upload pauses at the rate limit, and then finishes automatically', async () => {
    await beginMinute(ben);
    const page = await open(browserOfBen);
    await page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
    const refused = refusals(page);
    await spend(browserOfBen, 'HEAD', '/api/uploads/unknown', uploadRateLimit);
    await page.locator('input[type=file]').setInputFiles(join(folder, 'new.jpg'));
    await page.getByRole('button', { name: 'Upload 1 photo' }).click();
    const tray = page.getByRole('complementary', { name: 'Uploads' });
    await tray.getByText('Paused briefly. Uploading resumes automatically.').first().waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await assertCalm(page);
    assert.deepEqual(refused, ['/api/uploads']);
    await letMinutePass(ben, page);
    await tray.locator('li[data-state=done]').waitFor();
    await page.getByRole('link', { name: 'new Private', exact: true }).waitFor();
    await assertCalm(page);
    await page.close();
  });
});
