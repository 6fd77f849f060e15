/** Tests the page that imports folders and ZIPs: findings, progress, receipt, and what the gallery has afterwards. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { assertRead } from '../support/assert-answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { createHostileZip } from '../support/hostile-zip.ts';
import {
  type ImportFolders,
  makeFolders,
  makePicture,
  readAlbums,
  readPhotos,
} from '../support/import-folders.ts';
import { addPhoto, type Person } from '../support/people.ts';
import { chooseSource, countOutcomes, importAll, openImportAs, saveReceipt } from './importing.ts';
import { assertAccessible, inEveryLook, withoutWeb } from './steps.ts';

const takeoutJson = (title: string, more: object = {}) =>
  JSON.stringify({
    title,
    photoTakenTime: { timestamp: '1000000000' },
    geoData: { latitude: 0, longitude: 0 },
    ...more,
  });

describe('imports in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let folders: ImportFolders;

  before(async () => {
    gallery = await startGallery();
    browser = await openBrowser();
    folders = await makeFolders();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
    await folders?.remove();
  });

  async function albumTitles(person: Person): Promise<Record<string, string[]>> {
    const albums = await readAlbums(person);
    const contents = albums.map(async ({ id, name }) => {
      const { list } = assertRead(await person.get(`/api/albums/${id}/photos?limit=100`));
      return [name, list.map(({ title }: { title: string }) => title)];
    });
    return Object.fromEntries(await Promise.all(contents));
  }

  test('imports a folder with albums and sidecars, and accounts for every file', async () => {
    const { page, person, complaints } = await openImportAs(browser, gallery, 'anna');
    await assertAccessible(page, 'the choice of files');
    const same = await makePicture();
    await addPhoto(person, { title: 'known' }, same);
    const folder = await folders.folder('albums', {
      'Alps/10.jpg': await makePicture(),
      'Alps/2.jpg': await makePicture(),
      'Alps/2.jpg.json': takeoutJson('2.jpg', { description: 'Above the clouds' }),
      'Alps/Hut/inside.jpg': await makePicture(),
      'Sea/wave.jpg': same,
      'Sea/copy of wave.jpg': same,
      'Sea/film.mp4': 'film',
      'Sea/notes.txt': 'notes',
      'Sea/broken.jpg': 'no picture',
      'Sea/empty.jpg': '',
      'Sea/Thumbs.db': 'x',
    });
    await chooseSource(page, folder);
    for (const text of ['7 photos', '3 albums', '1 file that describes photos', '1 file that isn’t needed']) {
      await page.getByText(text).first().waitFor();
    }
    await page.getByText('2 already in your library').waitFor();
    await page.getByText('2 files that can’t be imported').click();
    await page.getByText('Videos are not supported: 1').waitFor();
    await inEveryLook(page, (look) => assertAccessible(page, `the findings, ${look}`));
    await importAll(page);
    await page.getByText('11 files: ').waitFor();
    await inEveryLook(page, (look) => assertAccessible(page, `the receipt, ${look}`));
    const receipt = await saveReceipt(page);
    assert.deepEqual(countOutcomes(receipt), {
      imported: 3,
      duplicate: 2,
      sidecar: 1,
      ignored: 1,
      refused: 4,
    });
    assert.equal(receipt['Sea/empty.jpg']!.outcome, 'refused');
    assert.match(receipt['Sea/broken.jpg']!.reason, /format/);
    assert.equal(receipt['Alps/2.jpg.json']!.other, 'Alps/2.jpg');
    await page.getByRole('button', { name: 'Not imported 4' }).click();
    assert.equal(await page.getByRole('row').count(), 5);
    const photos = await readPhotos(person);
    assert.deepEqual(photos.map(({ title, visibility }) => `${title} ${visibility}`).sort(), [
      '10 private',
      '2 private',
      'inside private',
      'known public',
    ]);
    assert.equal(photos.find(({ title }) => title === '2').description, 'Above the clouds');
    assert.deepEqual(await albumTitles(person), { Alps: ['2', '10'], Hut: ['inside'], Sea: ['known'] });
    // The browser reports the refusal of the broken file.
    assert.deepEqual(
      complaints.filter((text) => !/status of 415/.test(text)),
      [],
    );
    await page.close();
  });

  test('a hostile ZIP is refused with its reason, and the other files are imported', async () => {
    const { page, person } = await openImportAs(browser, gallery, 'boris');
    const climbing = join(folders.root, 'climbing.zip');
    const damaged = join(folders.root, 'damaged.zip');
    const cut = join(folders.root, 'cut.zip');
    await writeFile(climbing, createHostileZip([{ name: '../../out.jpg', content: await makePicture() }]));
    const large = Buffer.alloc(2_000_000);
    const good = createHostileZip([
      { name: 'Trip\\good.jpg', content: await makePicture(), isDeflated: true },
      { name: 'Trip\\more.jpg', content: large, isDeflated: true, size: 1000 },
      { name: 'Trip\\sum.jpg', content: await makePicture(), crc: 7 },
      { name: 'Trip\\secret.jpg', content: await makePicture(), isDeflated: true, isEncrypted: true },
      { name: 'Trip\\inner.zip', content: createHostileZip([]) },
      { name: 'link.jpg', content: '/etc/passwd', mode: 0o120777 },
    ]);
    await writeFile(damaged, good);
    await writeFile(cut, good.subarray(0, -30));
    await chooseSource(page, [climbing, damaged, cut]);
    await page.getByText('3 files that can’t be imported').click();
    await page.getByText('The ZIP has a relative path to outside').waitFor();
    await importAll(page);
    const receipt = await saveReceipt(page);
    assert.deepEqual(
      Object.entries(receipt)
        .map(([path, { outcome, reason }]) => `${path}: ${outcome}, ${reason}`)
        .sort(),
      [
        'Trip/good.jpg: imported, ',
        'Trip/inner.zip: refused, An archive in the source is not opened; import it by itself',
        'Trip/more.jpg: refused, The file cannot be unpacked (too many bytes)',
        'Trip/secret.jpg: refused, The file is encrypted',
        'Trip/sum.jpg: refused, The file cannot be unpacked (its checksum is wrong)',
        'climbing.zip: refused, The ZIP has a relative path to outside (../../out.jpg)',
        'cut.zip: refused, The file is no complete ZIP',
        'link.jpg: ignored, A link, which is not followed',
      ],
    );
    assert.deepEqual(await albumTitles(person), { Trip: ['good'] });
    await page.close();
  });
});
