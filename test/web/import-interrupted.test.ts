/** Tests that an import in the browser survives a killed server, a reload, and the limits of the gallery. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { assertRead } from '../support/assert-answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { createHostileZip, type HostileEntry } from '../support/hostile-zip.ts';
import { type ImportFolders, makeFolders, readAlbums } from '../support/import-folders.ts';
import type { Person } from '../support/people.ts';
import { findFreePort } from '../support/postgres.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import {
  chooseSource,
  countOutcomes,
  importAll,
  openImport,
  openImportAs,
  saveReceipt,
} from './importing.ts';
import { tenPhotos } from './photograph.ts';
import { withoutWeb } from './steps.ts';
import { connect, unlimited } from './uploading.ts';

const slow = 400_000;
const root = 'Takeout/Google Photos';

describe('imports that are interrupted', { skip: withoutWeb }, () => {
  let browser: Browser;
  let folders: ImportFolders;
  let zips: string[];
  let entries: HostileEntry[];

  before(async () => {
    browser = await openBrowser();
    folders = await makeFolders();
    const paths = await tenPhotos(join(folders.root, 'photos'));
    const photos = await Promise.all(paths.map((path) => readFile(path)));
    entries = listTakeout(photos);
    zips = [];
    for (const part of [0, 1, 2]) {
      const path = join(folders.root, `takeout-00${part}.zip`);
      // Photos are in another ZIP than the JSON after them.
      await writeFile(path, createHostileZip(entries.filter((_, index) => index % 3 === part)));
      zips.push(path);
    }
  });
  after(async () => {
    await browser?.close();
    await folders?.remove();
  });

  async function assertWhole(person: Person): Promise<void> {
    const { pagination } = assertRead(await person.get(`/api/photos?user_id=${person.id}&limit=1`));
    assert.equal(pagination.total, 10);
    const counts = (await readAlbums(person)).map(({ name, photo_count }) => [name, photo_count]);
    assert.deepEqual(counts, [
      ['Rome', 3],
      ['The sea', 1],
    ]);
  }

  async function limitSpeed(page: Page): Promise<CDPSession> {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await connect(session, slow);
    return session;
  }

  const untilImported = (page: Page, count: number) =>
    page
      .getByText(
        new RegExp(`^(${Array.from({ length: 10 - count }, (_, n) => count + n).join('|')}) imported`),
      )
      .waitFor();

  test('a Takeout of three ZIPs arrives once, though the server is killed and the page is reloaded', async () => {
    const environment = { PORT: String(await findFreePort()) };
    const dataDir = join(folders.root, 'data');
    let server: ServerProcess = await startServer({ dataDir, environment });
    try {
      const { page, person } = await openImportAs(browser, server, 'nora');
      const session = await limitSpeed(page);
      await chooseSource(page, zips);
      await page.getByText('2 albums').waitFor();
      await page.getByRole('button', { name: /^Import \d+ photos$/ }).click();
      await untilImported(page, 1);
      await server.end('SIGKILL');
      await page.getByText('Can’t reach the gallery').first().waitFor();
      server = await startServer({ dataDir, environment });
      await untilImported(page, 3);
      page.on('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await page.getByText('Your last import was interrupted.').waitFor();
      await chooseSource(page, zips);
      await connect(session, unlimited);
      await importAll(page);
      const receipt = await saveReceipt(page);
      assert.equal(Object.keys(receipt).length, entries.length);
      const { refused = 0, imported = 0, duplicate = 0 } = countOutcomes(receipt);
      assert.deepEqual([refused, imported + duplicate], [0, 14], JSON.stringify(receipt));
      await assertWhole(person);
      await page.reload();
      await page.getByRole('button', { name: 'Choose a folder' }).waitFor();
      assert.equal(await page.getByText('Your last import was interrupted.').count(), 0);
      await page.close();
      await importAgain(server, person);
    } finally {
      await server.end('SIGTERM');
    }
  });

  /** A repeated import finds everything and changes nothing. */
  async function importAgain(server: ServerProcess, person: Person): Promise<void> {
    const { page } = await openImport(browser, server, person);
    await chooseSource(page, zips);
    await page.getByText('14 already in your library').waitFor();
    await importAll(page);
    assert.equal(countOutcomes(await saveReceipt(page)).duplicate, 14);
    await assertWhole(person);
    await page.close();
  }
});

/** Ten photos in two year folders; three of them again in one album, and one of these in a second album. */
function listTakeout(photos: Buffer[]): HostileEntry[] {
  const entries: HostileEntry[] = [];
  for (const [n, content] of photos.entries()) {
    const name = `${root}/${n < 5 ? 'Photos from 2019' : 'Fotos von 2020'}/IMG_${n}.jpg`;
    entries.push({ name, content });
    entries.push({ name: `${name}.supplemental-metadata.json`, content: describePhoto(n) });
    if (n < 3) entries.push({ name: `${root}/Rome/IMG_${n}.jpg`, content });
    if (n === 1) entries.push({ name: `${root}/Sea/IMG_${n}.jpg`, content });
  }
  const album = (title: string) => JSON.stringify({ title, description: 'An album' });
  entries.push({ name: `${root}/Rome/metadata.json`, content: album('Rome') });
  entries.push({ name: `${root}/Sea/Metadaten.json`, content: album('The sea') });
  return entries;
}

function describePhoto(n: number): string {
  return JSON.stringify({
    title: `IMG_${n}.jpg`,
    description: `Photo ${n}`,
    photoTakenTime: { timestamp: String(1_560_000_000 + n) },
    geoData: { latitude: 41.9, longitude: 12.5 },
  });
}
