/** Tests uploading into albums in a real browser: into the current album, and folders that become albums. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, addPhoto, type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { dropFiles } from './drop-files.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe('uploading into albums', { skip: withoutWeb }, () => {
  let folder: string;
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lightwell-albums-'));
    await mkdir(join(folder, 'Alps/First day'), { recursive: true });
    for (const [n, path] of [
      'Alps/a.jpg',
      'Alps/b.jpg',
      'Alps/First day/c.jpg',
      'd.jpg',
      'e.jpg',
    ].entries()) {
      await writeFile(
        join(folder, path),
        await createJpeg({ width: 300 + n, height: 200, colour: `hsl(${n * 60}, 40%, 45%)` }),
      );
    }
    await writeFile(join(folder, 'Alps/.DS_Store'), 'x');
    gallery = await startGallery();
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function openAs(name: string, path: (person: Person) => Promise<string>) {
    await browser.context.clearCookies();
    const person = await register(gallery, name);
    await signIn(browser, gallery, { name });
    const tab = await openTab(browser, gallery, await path(person));
    // The page accepts dropped files after this button appears.
    await tab.page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
    return { person, ...tab };
  }

  const drop = (page: Page, files: string[]) =>
    dropFiles(
      page,
      files.map((file) => join(folder, file)),
    );

  const tray = (page: Page) => page.getByRole('complementary', { name: 'Uploads' });
  const status = (page: Page, text: string) => tray(page).getByRole('status').filter({ hasText: text });
  const namesIn = async (person: Person, album: number) => {
    const { body } = await person.get(`/api/albums/${album}/photos`);
    return body.data.list.map(({ title }: { title: string }) => title);
  };

  test('dropped files go into the open album in order, and the wall shows the new photos', async () => {
    let album = 0;
    const { page, person, complaints } = await openAs('ann', async (ann) => {
      album = (await ann.post('/api/albums', { name: 'Harbour' })).body.data.id;
      return `/albums/${album}`;
    });
    await page.getByText('This album is empty').waitFor();
    await drop(page, ['d.jpg', 'e.jpg']);
    await page.getByRole('button', { name: 'Upload 2 photos' }).waitFor();
    const chosen = tray(page).getByRole('combobox', { name: 'Album' }).locator('option:checked');
    await chosen.getByText('Harbour').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Upload 2 photos' }).click();
    await status(page, '2 of 2 uploaded').waitFor();
    await page.getByRole('link', { name: 'd Private', exact: true }).waitFor();
    await page.getByText('2 photos · Drag photos to change their order').waitFor();
    assert.deepEqual(await namesIn(person, album), ['d', 'e']);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('dropped folders become nested albums, and the same folder goes into the same album again', async () => {
    const { page, person, complaints } = await openAs('bea', async () => '/albums');
    await page.getByText('No albums yet').waitFor();
    await drop(page, ['Alps', 'd.jpg']);
    await page
      .getByRole('checkbox', { name: 'Create albums from the 2 folders Alps, Alps / First day' })
      .waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.getByLabel('Everyone').check();
    await page.getByRole('button', { name: 'Upload 4 photos' }).click();
    await status(page, '4 of 4 uploaded').waitFor();
    await page.getByRole('link', { name: /^Alps 2 photos · 1 album/ }).waitFor();
    const { list } = (await person.get(`/api/albums?user_id=${person.id}&sort=create_time&order=asc`)).body
      .data;
    const [alps, day] = list;
    assert.equal(list.length, 2);
    assert.deepEqual([alps.name, alps.parent_id, alps.is_public], ['Alps', 0, 1]);
    assert.deepEqual([day.name, day.parent_id, day.is_public], ['First day', alps.id, 1]);
    assert.deepEqual((await namesIn(person, alps.id)).sort(), ['a', 'b']);
    assert.deepEqual(await namesIn(person, day.id), ['c']);
    const loose = (await person.get(`/api/photos?user_id=${person.id}&keyword=d&limit=100`)).body.data.list;
    assert.ok(loose.some(({ title }: { title: string }) => title === 'd'));

    await writeFile(join(folder, 'Alps/f.jpg'), await createJpeg({ width: 340, height: 200 }));
    await drop(page, ['Alps']);
    await page.getByRole('button', { name: 'Upload 4 photos' }).click();
    await status(page, '4 of 4 uploaded').waitFor();
    assert.equal((await person.get(`/api/albums?user_id=${person.id}`)).body.data.list.length, 2);
    assert.equal((await namesIn(person, alps.id)).length, 3);
    await rm(join(folder, 'Alps/f.jpg'));
    assert.deepEqual(
      complaints.filter((one) => !one.includes('409')),
      [],
    );
    await page.close();
  });

  test('the upload names files that the browser cannot open, and uploads the others', async () => {
    const { page, person, complaints } = await openAs('dan', async () => '/');
    // Simulates a browser's response for files that the user may not read.
    await page.evaluate(() => {
      // biome-ignore lint/suspicious/noExplicitAny: entries of the browser, changed
      const closed = (entry: any) => {
        const deny = (_: unknown, failed: (error: Error) => void) =>
          failed(new DOMException('denied', 'NotReadableError'));
        if (entry.name === 'a.jpg') entry.file = deny;
        if (entry.isFile) return entry;
        const make = entry.createReader.bind(entry);
        entry.createReader = () => {
          const reader = make();
          const isClosed = entry.name === 'First day';
          const read = (found: (some: unknown[]) => void, failed: (error: Error) => void) =>
            reader.readEntries((some: unknown[]) => found(some.map(closed)), failed);
          return { readEntries: isClosed ? deny : read };
        };
        return entry;
      };
      const original = DataTransferItem.prototype.webkitGetAsEntry;
      DataTransferItem.prototype.webkitGetAsEntry = function () {
        return closed(original.call(this));
      };
    });
    await drop(page, ['Alps', 'd.jpg']);
    await page.getByRole('button', { name: 'Upload 2 photos' }).click();
    for (const name of ['a.jpg', 'First day']) {
      const row = tray(page).locator('li[data-state=refused]').filter({ hasText: name });
      await row.getByText('Your browser can’t open this file.').waitFor();
    }
    await tray(page).locator('li[data-state=done]').nth(1).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Retry/ }).count(), 0);
    const { list } = (await person.get(`/api/photos?user_id=${person.id}`)).body.data;
    assert.deepEqual(list.map(({ title }: { title: string }) => title).sort(), ['b', 'd']);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a folder dropped into an album becomes an inner album, or its photos go into the album', async () => {
    let album = 0;
    const { page, person } = await openAs('cleo', async (cleo) => {
      album = (await cleo.post('/api/albums', { name: 'Year', is_public: 0 })).body.data.id;
      return `/albums/${album}`;
    });
    await drop(page, ['Alps/First day']);
    await page.getByRole('checkbox', { name: 'Create an album from the folder First day' }).waitFor();
    await page.getByLabel('Only me').check();
    await page.getByRole('button', { name: 'Upload 1 photo' }).click();
    await status(page, '1 of 1 uploaded').waitFor();
    await page.getByRole('link', { name: /^First day/ }).waitFor();
    const [inner] = (await person.get(`/api/albums?parent_id=${album}`)).body.data.list;
    assert.deepEqual([inner.name, inner.photo_count, inner.is_public], ['First day', 1, 0]);
    assert.deepEqual(await namesIn(person, album), []);

    await drop(page, ['Alps']);
    await page.getByRole('checkbox').uncheck();
    await page.getByRole('button', { name: 'Upload 3 photos' }).click();
    await status(page, '3 of 3 uploaded').waitFor();
    await page.getByRole('link', { name: 'a Private', exact: true }).waitFor();
    assert.deepEqual((await namesIn(person, album)).sort(), ['a', 'b']);
    assert.equal((await person.get(`/api/albums?user_id=${person.id}`)).body.data.list.length, 2);
    await page.close();
  });

  test('puts an existing photo into the album that it is dropped on, unless it is in another one', async () => {
    let [trip, other] = [0, 0];
    const { page, person } = await openAs('fay', async (fay) => {
      trip = await addAlbum(fay, 'Trip');
      other = await addAlbum(fay, 'Other');
      await addPhoto(fay, { title: 'd' }, await readFile(join(folder, 'd.jpg')));
      const album_id = String(other);
      await addPhoto(fay, { title: 'e', album_id }, await readFile(join(folder, 'e.jpg')));
      return `/albums/${trip}`;
    });
    await page.getByText('This album is empty').waitFor();
    await drop(page, ['d.jpg', 'e.jpg']);
    await page.getByRole('button', { name: 'Upload 2 photos' }).click();
    await status(page, '2 of 2 uploaded').waitFor();
    const row = (name: string) => tray(page).locator('li[data-state=duplicate]').filter({ hasText: name });
    await row('d.jpg').getByRole('link', { name: 'In “Trip”' }).waitFor();
    await row('e.jpg').getByRole('link', { name: 'In “Other”' }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.getByRole('link', { name: 'd', exact: true }).waitFor();
    assert.deepEqual([await namesIn(person, trip), await namesIn(person, other)], [['d'], ['e']]);
    await row('e.jpg').getByRole('link', { name: 'In “Other”' }).click();
    await page.waitForURL(`**/albums/${other}`);
    await page.getByRole('link', { name: 'e', exact: true }).waitFor();
    await page.close();
  });

  test('photos with the same name, size and time in two folders are two photos', async () => {
    const time = new Date('2026-05-01T12:00:00Z');
    const pictures = await Promise.all(
      [10, 200].map((hue) => createJpeg({ width: 320, height: 200, colour: `hsl(${hue}, 60%, 50%)` })),
    );
    const bytes = Math.max(...pictures.map(({ length }) => length)) + 10;
    for (const [n, camera] of ['Camera A', 'Camera B'].entries()) {
      await mkdir(join(folder, camera), { recursive: true });
      const path = join(folder, camera, 'DSC_0001.jpg');
      // Adds bytes after the end of a JPEG, which do not belong to the picture.
      await writeFile(path, Buffer.concat([pictures[n]!, Buffer.alloc(bytes - pictures[n]!.length)]));
      await utimes(path, time, time);
    }
    const { page, person } = await openAs('eve', async () => '/');
    await drop(page, ['Camera A', 'Camera B']);
    await page.getByRole('button', { name: 'Upload 2 photos' }).click();
    await status(page, '2 of 2 uploaded').waitFor();
    const { list } = (await person.get(`/api/photos?user_id=${person.id}`)).body.data;
    assert.equal(new Set(list.map(({ placeholder }: { placeholder: string }) => placeholder)).size, 2);
    await page.close();
  });
});
