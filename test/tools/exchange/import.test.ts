/** Tests `lightwell import`: an ordinary folder tree, into a gallery that is in use. */
import assert from 'node:assert/strict';
import { copyFile, readFile, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { corpusFile, withoutCorpus } from '../../platform/imaging/corpus.ts';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { runLightwell, runLightwellProcess } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  type ImportFolders,
  makeFolders,
  makePicture,
  readAlbums,
  readPhotos,
} from '../../support/import-folders.ts';
import { asVisitor, type Person, register } from '../../support/people.ts';
import { createPhoto, createXmp, createXmpList } from '../../support/photo-metadata.ts';
import { createAnimation, createJpegWithExif, createLandmarks } from '../../support/pictures.ts';

let gallery: Gallery;
let folders: ImportFolders;
let folder: ImportFolders['folder'];

before(async () => {
  gallery = await startGallery();
  folders = await makeFolders();
  ({ folder } = folders);
});
after(async () => {
  await gallery.close();
  await folders.remove();
});

async function takenTime(title: string): Promise<string> {
  const { taken_time } = await gallery.deps.db.kysely
    .selectFrom('photos')
    .select('taken_time')
    .where('title', '=', title)
    .executeTakeFirstOrThrow();
  return new Date(taken_time * 1000).toISOString();
}

describe('a folder tree', () => {
  let ines: Person;
  let dir: string;

  before(async () => {
    ines = await register(gallery, 'ines');
    dir = await folder('tree', {
      'loose.jpg': await makePicture(),
      'Trips/Alps 2021/10 summit.jpg': await makePicture(),
      'Trips/Alps 2021/2 lake.png': await createLandmarks(),
      'Trips/Alps 2021/camera.JPG': await createJpegWithExif(),
      'Trips/Alps 2021/dance.gif': await createAnimation(),
      'Trips/Alps 2021/.hidden.jpg': await makePicture(),
      'Trips/Alps 2021/._2 lake.png': 'resource fork',
      'Trips/Alps 2021/@eaDir/thumb.jpg': await makePicture(),
      'Trips/Thumbs.db': 'x',
      'Trips/.DS_Store': 'x',
      'Trips/notes.txt': 'to do',
      'Trips/broken.jpg': (await makePicture()).subarray(0, 200),
      'Trips/empty.jpg': '',
      'Copies/summit again.jpg': '',
    });
    await copyFile(join(dir, 'Trips/Alps 2021/10 summit.jpg'), join(dir, 'Copies/summit again.jpg'));
    await symlink(join(dir, 'Trips'), join(dir, 'Loop'));
    await symlink('/etc/hostname', join(dir, 'outside.jpg'));
    await utimes(join(dir, 'loose.jpg'), 1_000_000_000, 1_000_000_000);
  });

  test('a dry run says what would be done, and does none of it', async () => {
    const { code, out } = await runLightwell(gallery, ['import', dir, '--user', 'ines', '--dry-run']);
    assert.equal(code, 1);
    assert.match(out, /^5 would be imported, 1 already present, 3 not imported\.\n0 sidecars, 7 ignored\.$/m);
    assert.deepEqual([await readPhotos(ines), await readAlbums(ines)], [[], []]);
  });

  test('becomes albums and photos; what is none is named at the end', async () => {
    const { code, out, error } = await runLightwellProcess(gallery, [
      'import',
      dir,
      '--user',
      'ines',
      '--jobs',
      '3',
    ]);
    assert.equal(code, 1, error);
    assert.match(
      out,
      /^5 imported into \d new albums, 1 already present, 3 not imported\.\n0 sidecars, 7 ignored\.$/m,
    );
    assert.match(out, /^Trips\/notes\.txt: Only JPEG/m);
    assert.match(out, /^Trips\/broken\.jpg: .*damaged/m);
    assert.match(out, /^Trips\/empty\.jpg: The file is empty$/m);
    assert.match(out, /^Ignored: 2 \(A link, which is not followed\)$/m);
    assert.doesNotMatch(out, /hidden|eaDir|Thumbs|DS_Store|outside|Loop/);

    const albums = await readAlbums(ines);
    const [alps, trips] = [
      albums.find(({ name }) => name === 'Alps 2021')!,
      albums.find(({ name }) => name === 'Trips')!,
    ];
    assert.equal(alps.parent_id, trips.id);
    const photos = await readPhotos(ines);
    assert.equal(photos.find(({ title }) => title === 'loose')!.album, null);
    assert.equal(photos.find(({ title }) => title === 'camera')!.exif.camera, 'Canon EOS 500D');
    assert.equal(await takenTime('camera'), '2021-05-06T07:08:09.000Z');
    assert.equal(
      await takenTime('loose'),
      '2001-09-09T01:46:40.000Z',
      'of the file, where nothing else says',
    );
    const { list } = assertRead(await ines.get(`/api/albums/${alps.id}/photos`));
    const titles = list.map(({ title }: { title: string }) => title);
    // The file of the summit lies in two folders. It is one photo in both albums, named after the file found first.
    const isSummit = (title: string) => title === '10 summit' || title === 'summit again';
    assert.deepEqual(
      titles.map((title: string) => (isSummit(title) ? 'summit' : title)),
      ['2 lake', 'summit', 'camera', 'dance'],
    );
    const { bytes } = await ines.get(`/api/photos/${list.at(-1).id}/download`);
    assert.ok(bytes.equals(await createAnimation()));
    await assertAlbumsConsistent(gallery);
  });

  test('run again, it finds everything there and changes nothing', async () => {
    const before = await readPhotos(ines);
    const { out } = await runLightwell(gallery, ['import', dir, '--user', 'ines']);
    assert.match(out, /^0 imported into 0 new albums, 6 already present, 3 not imported/m);
    assert.deepEqual(
      (await readPhotos(ines)).map(({ id, album }) => [id, album]),
      before.map(({ id, album }) => [id, album]),
    );
  });

  test('another user gets photos of their own, private and below an album where they ask for it', async () => {
    const jan = await register(gallery, 'jan');
    const flags = ['--user', 'jan@example.org', '--album-root', 'From disk/Old'];
    const { out } = await runLightwell(gallery, ['import', dir, ...flags]);
    assert.match(out, /^5 imported into/m);
    const albums = await readAlbums(jan);
    const old = albums.find(({ name }) => name === 'Old')!;
    assert.equal(albums.find(({ name }) => name === 'From disk')!.id, old.parent_id);
    assert.equal(albums.find(({ name }) => name === 'Trips')!.parent_id, old.id);
    assert.ok(albums.every(({ visibility }) => visibility === 'private'));
    const photos = await readPhotos(jan);
    assert.equal(photos.find(({ title }) => title === 'loose')!.album.id, old.id);
    assert.ok(photos.every(({ visibility }) => visibility === 'private'));
    const seen = await asVisitor(gallery).get(`/api/users/${jan.id}/photos`);
    assert.equal(assertRead(seen).pagination.total, 0);
    await assertAlbumsConsistent(gallery);
  });

  test('folders deeper than eight albums end in the eighth', async () => {
    const kai = await register(gallery, 'kai');
    const deep = await folder('deep', { 'a/b/c/d/e/f/g/h/i/j/deep.jpg': await makePicture() });
    assert.equal((await runLightwell(gallery, ['import', deep, '--user', 'kai'])).code, 0);
    const [photo] = await readPhotos(kai);
    assert.equal(photo!.album.name, 'h');
    assert.equal((await readAlbums(kai)).length, 8);
  });
});

test('sidecars tell title, description and date', async () => {
  const lea = await register(gallery, 'lea');
  const takeout = (title: string, timestamp: string) =>
    JSON.stringify({ title, description: 'By the \u0007sea', photoTakenTime: { timestamp } });
  const xmp = createXmp('xmp:CreateDate="2015-07-01T12:00:00+02:00"');
  const described = createXmp(
    'photoshop:DateCreated="2001-05-06T07:08:09"',
    createXmpList('dc:title', ['Ridge'], 'Alt') + createXmpList('dc:subject', ['alps']),
  );
  const dir = await folder('takeout', {
    'one.jpg': await createJpegWithExif(),
    'one.jpg.json': takeout('one.jpg', '1500000000'),
    'two.jpg': await makePicture(),
    'two.jpg.supplemental-metadata.json': takeout('Title of two', '1500000001'),
    'three(1).jpg': await makePicture(),
    'three.jpg(1).json': takeout('Title of three', '1500000002'),
    'four.jpg': await makePicture(),
    'four.jpg.json': 'not { json',
    'four.xmp': xmp,
    'five.jpg': await makePicture(),
    'five.jpg.json': JSON.stringify({ title: `x${'y'.repeat(300)}`, photoTakenTime: { timestamp: 'soon' } }),
    'moved.jpg': await createPhoto({ IFD2: { OffsetTimeOriginal: '+09:00' } }),
    'moved.jpg.json': takeout('moved.jpg', '1500000003'),
    'IMG-20190405-WA0001.jpg': await createPhoto(),
    'ridge.jpg': await createPhoto({ xmp: described }),
    'metadata.json': '{"title": "An album"}',
  });
  const { code, out } = await runLightwell(gallery, ['import', dir, '--user', 'lea']);
  assert.equal(code, 0, out);
  assert.match(
    out,
    /^8 imported into 0 new albums, 0 already present, 0 not imported\.\n8 sidecars, 0 ignored\.$/m,
  );
  assert.equal(await takenTime('one'), '2021-05-06T07:08:09.000Z', 'the file knows the place');
  assert.equal(await takenTime('Title of two'), '2017-07-14T02:40:01.000Z');
  assert.equal(await takenTime('Title of three'), '2017-07-14T02:40:02.000Z');
  assert.equal(await takenTime('four'), '2015-07-01T12:00:00.000Z', 'the clock of the place');
  assert.equal(await takenTime('moved'), '2017-07-14T11:40:03.000Z', 'the offset of the file');
  assert.equal(await takenTime('IMG-20190405-WA0001'), '2019-04-05T00:00:00.000Z');
  assert.equal(await takenTime('Ridge'), '2001-05-06T07:08:09.000Z');
  const photos = await readPhotos(lea);
  assert.equal(photos.find(({ title }) => title === 'one')!.description, 'By the  sea');
  assert.deepEqual(photos.find(({ title }) => title === 'Ridge')!.tags, ['alps']);
  assert.equal(photos.find(({ title }) => title.startsWith('xy'))!.title.length, 200);
});

test('HEIC of a phone is imported as it is uploaded', { skip: withoutCorpus }, async () => {
  const pia = await register(gallery, 'pia');
  const heic = await readFile(corpusFile('photos/formats/iphone_13_pro_max_o6.heic'));
  const dir = await folder('phone', { 'IMG_0001.HEIC': heic, 'IMG_0001.MOV': 'a film' });
  const { out } = await runLightwell(gallery, ['import', dir, '--user', 'pia']);
  assert.match(out, /^Ignored: 1 \(The film of a live photo\)$/m);
  const [photo] = await readPhotos(pia);
  assert.equal(photo!.title, 'IMG_0001');
  assert.match(photo!.exif.camera, /iPhone 13 Pro Max/);
  assert.equal((await pia.get(photo!.path)).status, 200);
});

test('reports an impossible import in one line with exit code 1', async () => {
  await register(gallery, 'olaf');
  const refusals: [string[], RegExp][] = [
    [['import', folders.root, '--user', 'nobody-here'], /^error: the user "nobody-here" does not exist$/],
    [['import', join(folders.root, 'none'), '--user', 'olaf'], /is not a readable folder or ZIP$/],
    [['import', folders.root], /required option '--user <name>'/],
    [['import', folders.root, '--user', 'olaf', '--jobs', '99'], /from 1 to 32/],
  ];
  for (const [args, expected] of refusals) {
    const { code, error } = await runLightwell(gallery, args);
    assert.equal(code, 1);
    assert.match(error.split('\n')[0]!, expected);
  }
});
