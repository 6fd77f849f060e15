/** Uploading in a real browser, with real photographs where they are at hand, and through all kinds of trouble. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { type Person, type Place, register } from '../support/people.ts';
import { jpeg } from '../support/pictures.ts';
import { freePort } from '../support/postgres.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { dropFiles } from './drop.ts';
import { tenPhotos } from './photograph.ts';
import { assertAccessible, inEveryLook, openTab, signInAs, withoutWeb } from './steps.ts';

/** So slow that ten photos take a while, bytes a second. */
const slow = 300_000;
const unlimited = -1;

const input = (page: Page) => page.locator('input[type=file]');
const tray = (page: Page) => page.getByRole('complementary', { name: 'Uploads' });
const rows = (page: Page, state: string) => page.locator(`li[data-state=${state}]`);
const status = (page: Page, text: string) => tray(page).getByRole('status').filter({ hasText: text });

async function signIn(page: Page, name: string): Promise<void> {
  await signInAs(page, name);
  await page.reload();
  await page.getByRole('button', { name: 'Upload' }).waitFor();
}

async function connect(session: CDPSession, uploadThroughput: number, offline = false): Promise<void> {
  const speed = { latency: 0, downloadThroughput: unlimited, uploadThroughput };
  await session.send('Network.emulateNetworkConditions', { offline, ...speed });
}

/** Chooses the files and begins, as slowly as to be disturbed: resolves once some are there and some are not. */
async function beginSlowly(page: Page, session: CDPSession, paths: string[]): Promise<void> {
  await connect(session, slow);
  await input(page).setInputFiles(paths);
  await page.getByRole('button', { name: `Upload ${paths.length} photos` }).click();
  await rows(page, 'done').first().waitFor();
  await rows(page, 'sending').first().waitFor();
}

/** As many photos as were chosen, each once, with all bytes. */
async function assertPhotos(person: Person, count: number): Promise<void> {
  const { body } = await person.get(`/api/photos?user_id=${person.id}&limit=100`);
  const titles = body.data.list.map(({ title }: { title: string }) => title);
  assert.equal(titles.length, count, titles.join());
  assert.equal(new Set(titles).size, count, titles.join());
}

describe('uploading in the browser', { skip: withoutWeb }, () => {
  let folder: string;
  let photos: string[];
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lightwell-upload-'));
    photos = await tenPhotos(join(folder, 'photos'));
    gallery = await startGallery();
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function openAs(name: string, at: Place = gallery) {
    const person = await register(at, name);
    const tab = await openTab(browser, at as Gallery);
    await signIn(tab.page, name);
    const session = await browser.context.newCDPSession(tab.page);
    await session.send('Network.enable');
    return { person, session, ...tab };
  }

  test('ten by drop: what is there already is linked, what is no photo says so, the wall shows the rest', async () => {
    const { page, person, calls, complaints } = await openAs('ann');
    await page.setViewportSize({ width: 1440, height: 900 });
    const picture = await jpeg({ width: 500, height: 300 });
    const { body } = await person.upload(picture, { title: 'Here before' });
    assert.equal(body.code, 0);
    const same = join(folder, 'same.jpg');
    await writeFile(same, picture);
    const text = join(folder, 'notes.txt');
    await writeFile(text, 'no photo');
    await dropFiles(page, [...photos, same, text]);
    await rows(page, 'refused').getByText('This is no photo').waitFor();
    await page.getByLabel('Everybody').check();
    await page.getByLabel('Tags').fill('alps, snow');
    await inEveryLook(page, (name) => assertAccessible(page, `before, ${name}`));
    calls();
    await page.getByRole('button', { name: 'Upload 11 photos' }).click();
    await status(page, '11 of 12 there. 1 not taken').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `after, ${name}`));
    await page.setViewportSize({ width: 1440, height: 900 });
    const made = calls();
    assert.equal(made.filter((one) => one.startsWith('GET /api/timeline')).length, 1, made.join('\n'));
    assert.ok(made.filter((one) => one.startsWith('GET ')).length <= 3, made.join('\n'));
    await assertPhotos(person, 11);
    const list = (await person.get('/api/photos?tag=snow')).body.data.list;
    assert.equal(list.length, 10);
    assert.ok(list.every(({ is_public }: { is_public: number }) => is_public === 1));
    await page.locator('.tile[data-id]').nth(10).waitFor();
    await rows(page, 'duplicate').getByRole('link').click();
    await page.waitForURL(`**/photos/${body.data.id}`);
    // The refusal of the one that is there is an answer like others; the browser writes it down nevertheless.
    assert.deepEqual(
      complaints.filter((one) => !one.includes('409')),
      [],
    );
    await page.close();
  });

  test('waits while the browser is offline, says so, and goes on by itself', async () => {
    const { page, person, session } = await openAs('bea');
    await beginSlowly(page, session, photos);
    await connect(session, unlimited, true);
    await status(page, 'You are offline').waitFor();
    assert.equal(await rows(page, 'sending').count(), 0);
    assert.equal(await rows(page, 'refused').count(), 0);
    await assertAccessible(page, 'offline');
    await connect(session, unlimited);
    await status(page, '10 of 10 there').waitFor();
    await assertPhotos(person, 10);
    await page.close();
  });

  test('after a reload, the files that are left are asked for, and no other is sent twice', async () => {
    const { page, person, session } = await openAs('cleo');
    await beginSlowly(page, session, photos);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await tray(page).getByText('of 10 photos are left from before').waitFor();
    await assertAccessible(page, 'after a reload');
    await connect(session, unlimited);
    await input(page).setInputFiles(photos);
    await status(page, ' there').waitFor();
    assert.equal(await rows(page, 'refused').count(), 0);
    await assertPhotos(person, 10);
    await page.reload();
    await page.getByRole('button', { name: 'Upload' }).waitFor();
    assert.equal(await tray(page).count(), 0);
    await page.close();
  });

  test('five thousand files: some rows in the page, no byte in memory', async () => {
    const { page } = await openAs('emma');
    await input(page).evaluate((element: HTMLInputElement) => {
      const files = new DataTransfer();
      for (let n = 0; n < 5000; n++)
        files.items.add(new File([`${n}`], `photo-${n}.jpg`, { type: 'image/jpeg' }));
      const count = { read: 0 };
      Object.assign(window, { count });
      const { arrayBuffer } = Blob.prototype;
      Blob.prototype.arrayBuffer = function read() {
        count.read++;
        return arrayBuffer.call(this);
      };
      element.files = files.files;
      element.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await page.getByRole('button', { name: 'Upload 5,000 photos' }).waitFor();
    assert.ok((await tray(page).locator('li').count()) < 40);
    await tray(page)
      .getByRole('region', { name: 'Files' })
      .evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await tray(page).getByText('photo-4999.jpg').waitFor();
    assert.ok((await tray(page).locator('li').count()) < 40);
    assert.equal(await page.evaluate(() => (window as unknown as { count: { read: number } }).count.read), 0);
    await page.close();
  });

  test('a server that is killed and started again: the upload waits, and goes on where it was', async () => {
    const environment = { PORT: String(await freePort()) };
    const dataDir = join(folder, 'data');
    let server: ServerProcess = await startServer({ dataDir, environment });
    try {
      await browser.context.clearCookies();
      const { page, person, session } = await openAs('dora', server);
      await beginSlowly(page, session, photos);
      await server.end('SIGKILL');
      await status(page, 'cannot be reached').waitFor();
      server = await startServer({ dataDir, environment });
      await connect(session, unlimited);
      await status(page, '10 of 10 there').waitFor();
      await assertPhotos(person, 10);
      await page.close();
    } finally {
      await server.end('SIGTERM');
    }
  });
});
