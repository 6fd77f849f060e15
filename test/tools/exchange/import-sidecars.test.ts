/** Tests sidecars, levels and odd names of imports. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseCsv } from '../../../server/tools/exchange/plan/csv.ts';
import { runLightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createHostileZip } from '../../support/hostile-zip.ts';
import {
  type ImportFolders,
  makeFolders,
  makePicture,
  readAlbums,
  readPhotos,
} from '../../support/import-folders.ts';
import { register } from '../../support/people.ts';
import { createPhoto, createXmp, createXmpList } from '../../support/photo-metadata.ts';

let gallery: Gallery;
let folders: ImportFolders;

before(async () => {
  gallery = await startGallery();
  folders = await makeFolders();
});
after(async () => {
  await gallery.close();
  await folders.remove();
});

const importFor = (user: string, ...args: string[]) =>
  runLightwell(gallery, ['import', ...args, '--user', user]);

test('an XMP file beside a photo tells title, text, keywords, date and place, before the photo itself', async () => {
  const amy = await register(gallery, 'amy');
  const xmp = createXmp(
    'exif:DateTimeOriginal="2015-07-01T12:00:00+02:00" exif:GPSLatitude="48,30.0N" exif:GPSLongitude="2,15.0E"',
    createXmpList('dc:title', ['Harbor'], 'Alt') +
      createXmpList('dc:description', ['At dawn'], 'Alt') +
      createXmpList('dc:subject', ['sea', 'boats']),
  );
  const photo = await createPhoto({
    IFD2: { DateTimeOriginal: '2001:01:01 01:01:01' },
    xmp: createXmp('', createXmpList('dc:title', ['Other'], 'Alt') + createXmpList('dc:subject', ['old'])),
  });
  const dir = await folders.folder('xmp', {
    'a.jpg': photo,
    'a.jpg.xmp': xmp,
    'b.jpg': await makePicture(),
    'b.xmp': `<!DOCTYPE x [<!ENTITY e "x">]>${xmp.replace('Harbor', '&e;')}`,
    'c.jpg': await makePicture(),
    'c.jpg.xmp': xmp.padEnd(1_100_000, ' '),
  });
  const { code, out } = await importFor('amy', dir);
  assert.equal(code, 0, out);
  const photos = await readPhotos(amy);
  assert.deepEqual(photos.map(({ title }) => title).sort(), ['Harbor', 'b', 'c']);
  const { description, tags, taken_time, location } = photos.find(({ title }) => title === 'Harbor')!;
  assert.deepEqual(
    { description, tags, taken_time, location },
    {
      description: 'At dawn',
      tags: ['sea', 'boats'],
      taken_time: '2015-07-01 12:00:00',
      location: { latitude: 48.5, longitude: 2.25 },
    },
  );
});

test('a later import completes photos that came without their sidecars, and keeps what their owner wrote', async () => {
  const bea = await register(gallery, 'bea');
  const takeout = JSON.stringify({
    title: 'x.jpg',
    description: 'From Takeout',
    photoTakenTime: { timestamp: '1561937400' },
    geoData: { latitude: 41.9, longitude: 12.5 },
    favorited: true,
  });
  const [one, two] = [await makePicture(), await makePicture()];
  const early = await folders.folder('early', { 'one.jpg': one, 'two.jpg': two });
  assert.equal((await importFor('bea', early)).code, 0);
  const own = (await readPhotos(bea)).find(({ title }) => title === 'two')!;
  await bea.put(`/api/photos/${own.id}`, { title: 'Mine', description: 'Written here' });
  const late = await folders.folder('late', {
    'Trip/one.jpg': one,
    'Trip/one.jpg.json': takeout,
    'Trip/two.jpg': two,
    'Trip/two.jpg.json': takeout,
  });
  for (let run = 0; run < 2; run++) {
    const { out } = await importFor('bea', late);
    assert.match(out, /^0 imported into \d new albums, 2 already present, 0 not imported\.$/m);
  }
  const photos = await readPhotos(bea);
  assert.deepEqual(
    photos
      .map(({ title, description, taken_time, location, album }) => [
        title,
        description,
        taken_time,
        location?.latitude,
        album?.name,
      ])
      .sort(),
    [
      ['Mine', 'Written here', '2019-07-01 01:30:00', 41.9, 'Trip'],
      ['one', 'From Takeout', '2019-07-01 01:30:00', 41.9, 'Trip'],
    ],
  );
  assert.ok(photos.every(({ is_favorited }) => is_favorited));
  const filled = photos.find(({ title }) => title === 'one')!;
  await bea.put(`/api/photos/${filled.id}`, { description: '' });
  assert.equal((await importFor('bea', late)).code, 0);
  const emptied = (await readPhotos(bea)).find(({ id }) => id === filled.id)!;
  assert.equal(emptied.description, '', 'a text that its owner emptied stays empty');
});

test('texts that come later stay away from a photo that others see', async () => {
  const zoe = await register(gallery, 'zoe');
  const picture = await makePicture();
  const early = await folders.folder('seen-early', { 'seen.jpg': picture });
  assert.equal((await importFor('zoe', early, '--public')).code, 0);
  const late = await folders.folder('seen-late', {
    'seen.jpg': picture,
    'seen.jpg.json': JSON.stringify({
      title: 'seen.jpg',
      description: 'Only for the family',
      photoTakenTime: { timestamp: '1561937400' },
    }),
  });
  assert.equal((await importFor('zoe', late)).code, 0);
  const [photo] = await readPhotos(zoe);
  assert.deepEqual([photo!.description, photo!.taken_time], ['', '2019-06-30 23:30:00']);
});

test('a JSON file that comes in a later archive than its photo completes the photo', async () => {
  const gil = await register(gallery, 'gil');
  const takeout = (title: string, timestamp: string) =>
    JSON.stringify({ title, description: `About ${title}`, photoTakenTime: { timestamp } });
  const first = await folders.folder('first', {
    'Takeout/Google Photos/Photos from 2019/p.jpg': await makePicture(),
    'Takeout/Google Photos/Photos from 2019/other.jpg': await createPhoto({
      IFD2: { DateTimeOriginal: '2001:01:01 01:01:01' },
    }),
  });
  assert.equal((await importFor('gil', first)).code, 0);
  const second = await folders.folder('second', {
    'Takeout/Google Photos/Photos from 2019/p.jpg.json': takeout('p.jpg', '1561937400'),
    'Takeout/Google Photos/Photos from 2019/other.jpg.json': takeout('other.jpg', '1561937400'),
  });
  const { code, out } = await importFor('gil', second);
  assert.equal(code, 0);
  assert.match(out, /^1 sidecars, 1 ignored\.$/m);
  assert.deepEqual(
    (await readPhotos(gil))
      .map(({ title, description, taken_time }) => [title, description, taken_time])
      .sort(),
    [
      ['other', '', '2001-01-01 01:01:01'],
      ['p', 'About p.jpg', '2019-06-30 23:30:00'],
    ],
  );
});

test('photos and albums are private, and public only where the import says so', async () => {
  const cal = await register(gallery, 'cal');
  const archived = JSON.stringify({ title: 'b.jpg', archived: true, photoTakenTime: { timestamp: '1' } });
  const dir = await folders.folder('levels', {
    'Trip/a.jpg': await makePicture(),
    'Trip/b.jpg': await makePicture(),
    'Trip/b.jpg.json': archived,
  });
  assert.equal((await importFor('cal', dir)).code, 0);
  assert.ok((await readPhotos(cal)).every(({ visibility }) => visibility === 'private'));
  assert.ok((await readAlbums(cal)).every(({ visibility }) => visibility === 'private'));
  const dan = await register(gallery, 'dan');
  assert.equal((await importFor('dan', dir, '--public')).code, 0);
  assert.deepEqual(
    (await readPhotos(dan)).map(({ title, visibility, tags }) => [title, visibility, tags]).sort(),
    [
      ['a', 'public', []],
      ['b', 'private', ['archive']],
    ],
  );
  assert.ok((await readAlbums(dan)).every(({ visibility }) => visibility === 'public'));
});

test('names on the disk that are not UTF-8 are imported, and the receipt shows them', {
  skip: process.platform !== 'linux' && 'other systems refuse such names',
}, async () => {
  const eva = await register(gallery, 'eva');
  const dir = await folders.folder('odd', { 'plain.jpg': await makePicture() });
  const raw = (text: string) => Buffer.from(`${dir}/${text}`, 'latin1');
  await mkdir(raw('\xc9t\xe9'));
  await writeFile(raw('\xc9t\xe9/caf\xe9.jpg'), await makePicture());
  await writeFile(raw('\xc9t\xe9/caf\xe9.jpg.json'), JSON.stringify({ title: 'x.jpg', description: 'Hot' }));
  const receipt = join(folders.root, 'odd.csv');
  const { code, out } = await importFor('eva', dir, '--receipt', receipt);
  assert.equal(code, 0, out);
  const [, ...rows] = parseCsv(await readFile(receipt));
  assert.deepEqual(rows.map(([, file, outcome]) => [file, outcome]).sort(), [
    ['plain.jpg', 'imported'],
    ['Été/café.jpg', 'imported'],
    ['Été/café.jpg.json', 'sidecar'],
  ]);
  const photo = (await readPhotos(eva)).find(({ title }) => title === 'café')!;
  assert.deepEqual([photo.album.name, photo.description], ['Été', 'Hot']);
});

test('a ZIP of Windows has backslashes and names in GBK, and a ZIP inside is refused', async () => {
  const fay = await register(gallery, 'fay');
  const inner = createHostileZip([{ name: 'inner.jpg', content: await makePicture() }]);
  const zip = createHostileZip([
    { name: 'aaaa\\bbbb.jpg', content: await makePicture() },
    { name: 'aaaa\\inner.zip', content: inner },
  ]);
  // The two names are 照片 and 北京 in GBK.
  const gbk = zip
    .toString('latin1')
    .replaceAll('aaaa\\', '\xd5\xd5\xc6\xac\\')
    .replaceAll('bbbb', '\xb1\xb1\xbe\xa9');
  const path = join(folders.root, 'windows.zip');
  await writeFile(path, Buffer.from(gbk, 'latin1'));
  const { code, out } = await importFor('fay', path);
  assert.equal(code, 1);
  assert.match(out, /^照片\/inner\.zip: An archive in the source is not opened; import it by itself$/m);
  const [photo] = await readPhotos(fay);
  assert.deepEqual([photo!.title, photo!.album.name], ['北京', '照片']);
});
