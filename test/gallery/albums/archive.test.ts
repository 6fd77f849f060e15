/** Tests an album as ZIP: its files and file names, for each role. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import ExifReader from 'exifreader';
import sharp from 'sharp';
import { assertRead, assertRefused } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createAnimation, createJpeg, createJpegWithExif, createLandmarks } from '../../support/pictures.ts';
import { unzip } from '../../support/zip.ts';

describe("an album's ZIP", () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;
  let album: number;
  let located: Buffer;
  const ids: Record<string, number> = {};

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
    located = await createJpegWithExif();
    album = await addAlbum(owner, 'Évenings: "two"/three');
    const inner = await addAlbum(owner, 'Inner', { parentId: album });
    const deepest = await addAlbum(owner, 'Deepest', { parentId: inner });
    const hidden = await addAlbum(owner, 'Hidden', { isPublic: false, parentId: album });
    await addAlbum(owner, 'inner', { parentId: album });
    await put(album, 'Sea', located);
    await put(album, 'sea', await createLandmarks());
    await put(album, 'Secret', await createAnimation(), '0');
    await put(album, 'SEA', await createJpeg());
    const club = await addAlbum(owner, 'Club', { visibility: 'members', parentId: album });
    await put(club, 'For members', await createJpeg({ colour: '#222' }));
    await put(
      inner,
      'Below',
      await sharp(await createLandmarks())
        .avif()
        .toBuffer(),
    );
    await put(deepest, 'Bottom', await createJpeg({ colour: '#123' }));
    await put(hidden, 'Not for all', await createJpeg({ colour: '#321' }));
    await put(album, 'Trashed', await createJpeg({ colour: '#111' }));
    await owner.delete(`/api/photos/${ids.Trashed}`);
  });
  after(() => gallery.close());

  async function put(into: number, title: string, file: Buffer, isPublic = '1'): Promise<void> {
    const { id } = await addPhoto(owner, { title, album_id: String(into), is_public: isPublic }, file);
    ids[title] = id;
  }

  const download = (who: Person, id: number, query = '') => who.get(`/api/albums/${id}/download${query}`);

  async function filesFor(who: Person, query = '') {
    const answer = await download(who, album, query);
    assert.equal(answer.status, 200, answer.bytes.toString('latin1').slice(0, 200));
    return unzip(answer.bytes);
  }

  test("an album's ZIP contains the photos that the album shows to the viewer", async () => {
    const names = async (who: Person) => [...(await filesFor(who)).files.keys()].sort();
    const all = await names(owner);
    const open = await names(stranger);
    assert.deepEqual(
      all.map((name) => name.replace(/\.\w+$/, '')),
      [
        'Club/',
        'Club/For members',
        'Hidden/',
        'Hidden/Not for all',
        'Inner/',
        'Inner/Below',
        'Inner/Deepest/',
        'Inner/Deepest/Bottom',
        'SEA (2)',
        'Sea',
        'Secret',
        'inner (2)/',
        'sea',
      ].sort(),
    );
    assert.deepEqual(
      open.map((name) => name.replace(/\.\w+$/, '')),
      all.map((name) => name.replace(/\.\w+$/, '')).filter((name) => !/Hidden|Secret/.test(name)),
    );
    assert.deepEqual(
      await names(asVisitor(gallery)),
      open.filter((name) => !name.startsWith('Club/')),
    );
    assert.deepEqual((await names(admin)).length, all.length);
  });

  test("an album's ZIP gives the owner the uploaded bytes, and others files without metadata", async () => {
    const own = await filesFor(owner);
    assert.deepEqual(own.files.get('Sea.jpg'), located);
    const photo = await owner.get(`/api/photos/${ids.Below}/download`);
    assert.deepEqual(own.files.get('Inner/Below.avif'), photo.bytes);
    for (const who of [stranger, admin]) {
      const { files } = await filesFor(who);
      const sea = files.get('Sea.jpg')!;
      assert.doesNotMatch(Object.keys(ExifReader.load(sea)).join(' '), /GPS|Serial|Copyright|DateTime/);
      for (const bytes of files.values()) assert.ok(!bytes.includes('SERIAL-12345'));
      assert.deepEqual(sea, (await who.get(`/api/photos/${ids.Sea}/download`)).bytes);
      const below = await who.get(`/api/photos/${ids.Below}/download`);
      const [, bytes] = [...files].find(([name]) => name.startsWith('Inner/Below'))!;
      assert.deepEqual(bytes, below.bytes);
    }
  });

  test("an album's ZIP contains previews on request", async () => {
    const { files } = await filesFor(stranger, '?kind=preview');
    const { preview } = assertRead(await stranger.get(`/api/photos/${ids.Sea}`));
    const [name, bytes] = [...files].find(([, content]) => content.length > 0)!;
    assert.match(name, /^Sea\.\w+$/);
    assert.deepEqual(bytes, (await stranger.get(preview)).bytes);
  });

  test("an album's ZIP has its type and its name in the headers", async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, bytes } = await owner.send(method, `/api/albums/${album}/download`);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/zip');
      assert.match(headers.get('content-disposition') ?? '', /^attachment; filename=/);
      assert.match(decodeURIComponent(headers.get('content-disposition')!), /Évenings_ _two__three\.zip/);
      assert.match(headers.get('cache-control') ?? '', /private.*no-store/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(bytes.length === 0, method === 'HEAD');
    }
  });

  test("an album's ZIP contains the capture time of each picture, and names in UTF-8", async () => {
    const entry = (await filesFor(owner)).entries.get('Sea.jpg')!;
    assert.equal(entry.getLastModDate({ timezone: 'UTC' }).toISOString(), '2021-05-06T07:08:09.000Z');
    assert.ok(entry.generalPurposeBitFlag & (1 << 11));
    assert.equal(entry.compressionMethod, 0);
  });

  test("an album's ZIP counts one download for each original, and none for previews", async () => {
    const downloads = async (title: string) => {
      await gallery.deps.db.counters.flush();
      return assertRead(await owner.get(`/api/photos/${ids[title]}`)).downloads;
    };
    const before = [await downloads('Sea'), await downloads('Secret')];
    await filesFor(stranger);
    await filesFor(stranger, '?kind=preview');
    await eventually(async () =>
      assert.deepEqual([await downloads('Sea'), await downloads('Secret')], [before[0] + 1, before[1]]),
    );
  });

  test('the ZIP of an album without photos is valid and empty', async () => {
    const empty = await addAlbum(owner, 'Empty');
    const { bytes } = await download(stranger, empty);
    assert.equal((await unzip(bytes)).files.size, 0);
  });

  test("an album's ZIP is refused like the album", async () => {
    const hidden = await addAlbum(owner, 'Own');
    await owner.put(`/api/albums/${hidden}`, { is_public: 0 });
    for (const who of [asVisitor(gallery), stranger]) assertRefused(await download(who, hidden), 403, 30002);
    assertRefused(await download(owner, 987_654_321), 404, 30001);
    assertRefused(await download(owner, album, '?kind=raw'), 400, 400, ['kind']);
    assert.equal((await download(admin, hidden)).status, 200);
  });

  test("an album's ZIP has file names that are safe on every system", async () => {
    const strange = await addAlbum(owner, 'Strange');
    const titles = [
      '../../etc/passwd',
      'CON',
      'com1.x',
      'dots...',
      'a\u202eb',
      'tab\there',
      'nul.',
      ' ',
      'x'.repeat(200),
      '💥'.repeat(200),
      'IMG_1.jpg',
    ];
    for (const title of titles) {
      const { status, body } = await owner.upload(
        await createJpeg(),
        { title, album_id: String(strange) },
        'c:\\temp\\..\\file.name.jpeg',
      );
      assert.equal(status, 200, JSON.stringify(body));
    }
    const { files } = await unzip((await download(owner, strange)).bytes);
    assert.equal(files.size, titles.length);
    for (const name of files.keys()) {
      assert.match(name, /^[^\\/:*?"<>|\p{Cc}\p{Cf}]+\.jpg$/u);
      assert.doesNotMatch(name, /^(con|prn|aux|nul|com\d|lpt\d)\b|^[. ]|[. ]\.jpg$/i);
      assert.ok(Buffer.byteLength(name) <= 255);
    }
    for (const name of ['_CON.jpg', 'file.name.jpg', 'IMG_1.jpg', 'dots.jpg', 'ab.jpg'])
      assert.ok(files.has(name), name);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
