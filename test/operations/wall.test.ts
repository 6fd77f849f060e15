/**
 * Tests the example page of docs/app.md in a real browser, served by docs/examples/serve.js in front of a
 * real gallery.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import sharp from 'sharp';
import { assertRead } from '../support/assert-answers.ts';
import { type Browser, intercept, openBrowser, withoutBrowser } from '../support/browser.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, password, register } from '../support/people.ts';
import { hashSha256 } from '../support/uploads.ts';

const root = resolve(import.meta.dirname, '../..');
const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
/**
 * The proxy cuts a connection after this many bytes: fewer than the upload has, and more than the page's
 * small requests need.
 */
const cutAfter = 3_000_000;

test('the wall of docs/app.md is a page of forty lines of JavaScript, as it says', async () => {
  const html = await readFile(join(root, 'docs/examples/wall.html'), 'utf8');
  const lines = /<script type="module">\n(.*?)<\/script>/s.exec(html)![1]!.trimEnd().split('\n');
  assert.ok(lines.length <= 40, `it has ${lines.length}`);
  assert.deepEqual(
    lines.filter((line) => line.length > 120),
    [],
  );
  assert.match(await readFile(join(root, 'docs/app.md'), 'utf8'), /forty lines of plain\s+JavaScript/);
});

describe('the wall of docs/app.md, in Chromium', { skip: withoutBrowser }, () => {
  let gallery: Gallery;
  let proxy: CuttingProxy;
  let server: ChildProcess;
  let browser: Browser;
  let page: Page;
  let owner: Person;
  let folder: string;
  const complaints: string[] = [];

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'ansel');
    proxy = await startCuttingProxy({
      target: async () => gallery.url,
      bytesOf: () => (proxy.cuts < 1 ? cutAfter : undefined),
      onCut: async () => {},
    });
    folder = await mkdtemp(join(tmpdir(), 'lightwell-wall-'));
    browser = await openBrowser();
    page = await browser.context.newPage();
    page.on('pageerror', ({ message }) => complaints.push(message));
    await page.setViewportSize(desktop);
  });
  after(async () => {
    await browser?.close();
    if (server?.exitCode === null) {
      server.kill();
      await once(server, 'exit');
    }
    await proxy?.close();
    await gallery?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('is served beside the gallery, and asks who comes', async () => {
    server = spawn(process.execPath, [join(root, 'docs/examples/serve.js')], {
      env: { PATH: process.env.PATH, PORT: '0', GALLERY: proxy.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(server.stdout!, 'data')) as [Buffer];
    const url = /http:\S+/.exec(line.toString())![0];
    await page.goto(url);
    await page.getByLabel('Username').fill(owner.name);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /password/i })
      .waitFor();
    assert.equal(await page.getByText('Upload').isVisible(), false);
  });

  test('shows the months of whom it signed in, each as high as it will be', async () => {
    for (const [taken, count] of [
      ['2024:05:06', 20],
      ['2023:12:24', 24],
      ['2019:07:01', 20],
    ] as const) {
      for (let n = 0; n < count; n++)
        await addPhoto(owner, { is_public: String(n % 2) }, await shot(taken, n));
    }
    const stranger = await register(gallery, 'stranger');
    await addPhoto(stranger, {}, await shot('2024:05:06', 1));

    await page.getByLabel('Password').fill(password);
    const [timeline] = await Promise.all([
      page.waitForResponse((answer) => answer.url().includes('/api/timeline')),
      page.getByRole('button', { name: 'Sign in' }).click(),
    ]);
    const { list } = (await timeline.json()).data;
    await page.locator('section img').first().waitFor();
    assert.deepEqual(await page.locator('h2').allTextContents(), [
      '2024-05 · 20',
      '2023-12 · 24',
      '2019-07 · 20',
    ]);
    assert.equal(await page.getByText('Upload').isVisible(), true);
    assert.equal(await page.locator('form').isVisible(), false);
    assert.equal(list.length, 3);
    // Pictures far below the window are not requested yet, but their space is already reserved.
    const months = page.locator('section');
    // Uses a low window, because a browser loads pictures one or two screens ahead.
    await page.setViewportSize({ ...phone, height: 300 });
    await page.reload();
    await months.first().locator('img').first().waitFor();
    assert.equal(await months.last().locator('img').count(), 0);
    const reserved = (await months.last().boundingBox())!.height;
    await months.last().scrollIntoViewIfNeeded();
    await months.last().locator('img').nth(19).waitFor();
    const filled = (await months.last().boundingBox())!.height;
    assert.ok(reserved / filled > 0.6 && reserved / filled < 1.4, `${reserved} became ${filled}`);
  });

  test('loads small pictures for the wall, and opens one as large as the screen', async () => {
    const opened = page.locator('dialog img');
    // Opens another photo for each screen, because a browser shows a larger picture if it has one in its
    // cache. Both photos are wide.
    for (const [screen, size, which] of [
      [phone, /\.w640\.webp$/, 1],
      [desktop, /\.w1280\.webp$/, 2],
    ] as const) {
      await page.setViewportSize(screen);
      await page.reload();
      const picture = page.locator('section img').nth(which);
      assert.match(await shown(picture), /\.w320\.webp$/);
      await picture.click();
      assert.match(await shown(opened), size);
      const box = (await opened.boundingBox())!;
      assert.deepEqual([box.width, box.height], [screen.width, screen.height]);
      await opened.click();
      await opened.waitFor({ state: 'hidden' });
    }
  });

  test('uploads a photo over a connection that breaks, from where it broke', async () => {
    const file = join(folder, 'Noise at noon.png');
    const [width, height] = [1800, 1600];
    const noise = sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });
    const bytes = await noise.png({ compressionLevel: 0 }).toBuffer();
    assert.ok(bytes.length > 2 * cutAfter);
    await writeFile(file, bytes);
    const patches: number[] = [];
    page.on('request', (request: Request) => {
      if (request.method() === 'PATCH') patches.push(Number(request.headers()['upload-offset']));
    });
    await page.locator('[type=file]').setInputFiles(file);
    await page.getByAltText('Noise at noon').waitFor();
    assert.ok(proxy.cuts > 0);
    assert.equal(patches[0], 0);
    assert.ok(patches[1]! > 0 && patches[1]! < bytes.length, `it went on at ${patches[1]}`);

    const { list, pagination } = assertRead(await owner.get('/api/photos?keyword=noise&is_public=0'));
    assert.equal(pagination.total, 1);
    assert.equal(list[0].title, 'Noise at noon');
    const download = await owner.get(`/api/photos/${list[0].id}/download`);
    assert.equal(hashSha256(download.bytes), hashSha256(bytes));
    assert.match(await shown(page.getByAltText('Noise at noon')), /\.w320\.webp$/);
  });

  test('goes on after it was closed in the middle of an upload', async () => {
    const file = join(folder, 'Night.png');
    const noise = sharp(randomBytes(2000 * 1600 * 3), { raw: { width: 2000, height: 1600, channels: 3 } });
    await writeFile(file, await noise.png({ compressionLevel: 0 }).toBuffer());
    await intercept(page, '**/api/uploads/*', (route) =>
      route.request().headers()['upload-offset'] === '0' ? route.continue() : route.abort(),
    );
    // Lets the second part of the upload fail.
    await Promise.all([page.waitForEvent('requestfailed'), page.locator('[type=file]').setInputFiles(file)]);
    await page.unroute('**/api/uploads/*');
    await page.reload();
    const [head] = await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'HEAD'),
      page.locator('[type=file]').setInputFiles(file),
    ]);
    assert.ok(Number(head.headers()['upload-offset']) > 0);
    await page.getByAltText('Night').waitFor();
    const { pagination } = assertRead(await owner.get('/api/photos?keyword=night&is_public=0'));
    assert.equal(pagination.total, 1);
  });

  test('is empty once the session has ended, and nothing went wrong in the page or in the gallery', async () => {
    // Ends the session with the request that docs/app.md describes.
    await page.evaluate("fetch('/api/auth/logout', { method: 'POST' })");
    await page.reload();
    await page.getByLabel('Username').waitFor();
    assert.equal(await page.locator('section').count(), 0);
    assert.deepEqual(await browser.context.cookies(), []);
    assert.deepEqual(complaints, ['Wrong username or password']);
    assert.deepEqual(gallery.complaints(), []);
  });
});

/** Waits for a picture and returns the URL that the browser chose for it. */
async function shown(picture: ReturnType<Page['locator']>): Promise<string> {
  await picture.waitFor();
  return picture.evaluate(async (image: { currentSrc: string; decode(): Promise<void> }) => {
    await image.decode();
    return image.currentSrc;
  });
}

/** Creates a photo with its own colors and shape, taken on the given day. */
async function shot(day: string, n: number): Promise<Buffer> {
  const [width, height] = n % 4 === 3 ? [900, 1350] : [1500, 1000];
  const colours = Array.from({ length: 12 }, (_, index) => (40 + n * 57 + index * 31) % 200);
  return sharp(Buffer.from(colours), { raw: { width: 2, height: 2, channels: 3 } })
    .resize(width, height, { fit: 'fill' })
    .withExif({ IFD2: { DateTimeOriginal: `${day} 12:00:${String(n).padStart(2, '0')}` } })
    .jpeg()
    .toBuffer();
}
