/**
 * Tests `lightwell import` of a ZIP: an export by a user, a ZIP packed by an operating system, and malicious
 * ZIPs.
 */
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { runLightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createHostileZip, type HostileEntry } from '../../support/hostile-zip.ts';
import {
  type ImportFolders,
  makeFolders,
  makePicture,
  readAlbums,
  readPhotos,
} from '../../support/import-folders.ts';
import { addAlbum, addPhoto, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { unzip } from '../../support/zip.ts';

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

async function importZip(name: string, zip: Buffer, ...options: string[]) {
  const path = join(folders.root, `${name}.zip`);
  await writeFile(path, zip);
  return runLightwell(gallery, ['import', path, '--user', name, ...options]);
}

const titles = async (who: Person) => (await readPhotos(who)).map(({ title }) => title).sort();

/** Asserts that no unpacked file is left. */
async function assertNothingLeft(): Promise<void> {
  const { dataDir } = gallery.deps.config;
  const names = await readdir(dataDir, { recursive: true });
  assert.deepEqual(
    names.filter((name) => /^tmp[\\/]./.test(name)),
    [],
  );
}

test('the ZIP that a person takes along is imported as it is, and once', async () => {
  const owner = await register(gallery, 'olga');
  const album = await addAlbum(owner, 'Trips: a/b');
  const { id } = await addPhoto(
    owner,
    { title: 'camera', tags: 'snow', album_id: String(album) },
    await createJpeg({ width: 300, height: 200 }),
  );
  assertWritten(
    await owner.post(`/api/photos/${id}/edit`, {
      action: 'crop',
      params: { x: 0, y: 0, width: 50, height: 40 },
    }),
  );
  await addPhoto(owner, { title: 'loose', visibility: 'members' }, await makePicture());
  assertWritten(await owner.put('/api/auth/profile', { bio: 'So long' }));
  const { bytes } = await owner.get('/api/auth/export');
  const heir = await register(gallery, 'heir');
  const dry = await importZip('heir', bytes, '--dry-run');
  assert.match(dry.out, /^2 would be imported, 0 already present, 0 not imported\.$/m, dry.err);
  const first = await importZip('heir', bytes);
  assert.match(first.out, /^2 imported into 1 new albums, 0 already present, 0 not imported\.$/m, first.err);
  assert.equal(first.code, 0);
  const facts = async (who: Person) =>
    (await readPhotos(who))
      .map(({ title, tags, visibility, width, height, taken_time }) =>
        JSON.stringify({ title, tags, visibility, width, height, taken_time }),
      )
      .sort();
  assert.deepEqual(await facts(heir), await facts(owner));
  assert.deepEqual(
    (await readAlbums(heir)).map(({ name, photo_count }) => [name, photo_count]),
    [['Trips: a/b', 1]],
  );
  const again = await importZip('heir', bytes);
  assert.match(again.out, /^0 imported into 0 new albums, 2 already present, 0 not imported\.$/m);
  await assertNothingLeft();
});

test('imports trashed photos into the trash, whole and hidden from others on the way', async () => {
  const owner = await register(gallery, 'tara');
  const album = String(await addAlbum(owner, 'Trash'));
  const bytes = await createJpeg({ width: 301, height: 200 });
  // Uploads the same picture twice, and deletes one of them.
  await addPhoto(owner, { title: 'kept', album_id: album }, bytes);
  const fields = { title: 'deleted', tags: 'sea', album_id: album, visibility: 'members' };
  const { id } = await addPhoto(owner, fields, bytes);
  const { id: hidden } = await addPhoto(owner, { title: 'hidden', is_public: '0' }, await makePicture());
  const crop = { action: 'crop', params: { x: 0, y: 0, width: 50, height: 40 } };
  assertWritten(await owner.post(`/api/photos/${id}/edit`, crop));
  assertWritten(await owner.post(`/api/photos/${id}/like`));
  for (const one of [id, hidden]) assertDone(await owner.delete(`/api/photos/${one}`));
  const { bytes: zip } = await owner.get('/api/auth/export');
  const { files } = await unzip(zip);
  const inTrash = [...files.keys()].filter((name) => name.startsWith('Trash/') && name.endsWith('.jpg'));
  assert.deepEqual(inTrash, [`Trash/Trash-${album}/photo-${id}.jpg`, `Trash/photo-${hidden}.jpg`]);
  const { photos, trashed } = JSON.parse(files.get('lightwell.json')!.toString());
  assert.deepEqual([photos, trashed], [3, 2]);

  const finder = await register(gallery, 'finder');
  for (const [imported, present] of [
    [3, 0],
    [0, 3],
  ]) {
    const { code, out, err } = await importZip('finder', zip);
    assert.equal(code, 0, out + err);
    assert.match(
      out,
      new RegExp(`^${imported} imported into . new albums, ${present} already present, 0 not`),
    );
  }
  assert.deepEqual(await titles(finder), ['kept']);
  assert.deepEqual(
    (await readAlbums(finder)).map(({ name, photo_count }) => [name, photo_count]),
    [['Trash', 1]],
  );
  const { list } = assertRead(await finder.get('/api/trash'));
  const days = (await gallery.deps.clock()) - Date.parse(`${list[0].delete_time.replace(' ', 'T')}Z`) / 1000;
  assert.ok(days < 3600, `its thirty days begin anew: ${list[0].delete_time}`);
  const byTitle = new Map<string, number>(
    list.map(({ title, id: at }: { title: string; id: number }) => [title, at]),
  );
  assert.deepEqual([...byTitle.keys()].sort(), ['deleted', 'hidden']);
  for (const at of byTitle.values()) {
    assertRefused(await owner.get(`/api/photos/${at}`), 404, 20003);
    assertDone(await finder.post(`/api/photos/${at}/restore`));
  }
  const back = assertRead(await finder.get(`/api/photos/${byTitle.get('deleted')}`));
  assert.deepEqual(
    [back.visibility, back.tags, back.width, back.is_liked, back.album?.name],
    ['members', ['sea'], 50, true, 'Trash'],
  );
  assert.equal((await owner.get(`/api/photos/${byTitle.get('deleted')}`)).status, 200);
  assertRefused(await owner.get(`/api/photos/${byTitle.get('hidden')}`), 403, 20004);
  // After all photos are restored from the trash, all three count as already present.
  const { out } = await importZip('finder', zip);
  assert.match(out, /^0 imported into 0 new albums, 3 already present, 0 not imported\.$/m);
  assert.match(out, /^Already present: 2 \(In the trash of the source, but in the library here\)$/m);
  await assertNothingLeft();
});

test('imports a ZIP of a computer: compressed, with folders, litter and sidecars', async () => {
  const packed = await register(gallery, 'packed');
  const takeout = JSON.stringify({ title: 'From Takeout', photoTakenTime: { timestamp: '1000000000' } });
  const zip = createHostileZip([
    { name: 'Trip/', mode: 0o040755 },
    { name: 'Trip/10.jpg', content: await makePicture(), isDeflated: true },
    { name: 'Trip/2.jpg', content: await makePicture(), isDeflated: true },
    { name: 'Trip/2.jpg.json', content: takeout, isDeflated: true },
    { name: 'Trip/.DS_Store', content: 'x' },
    { name: '__MACOSX/Trip/._2.jpg', content: 'x' },
  ]);
  const { code, out, err } = await importZip('packed', zip);
  assert.equal(code, 0, out + err);
  assert.deepEqual(await titles(packed), ['10', 'From Takeout']);
  assert.deepEqual(
    (await readAlbums(packed)).map(({ name, photo_count }) => [name, photo_count]),
    [['Trip', 2]],
  );
});

test('a file that is not what the archive says is told, and the others are imported', async () => {
  const mixed = await register(gallery, 'mixed');
  const good = await makePicture();
  const big = Buffer.alloc(2_000_000);
  const zip = createHostileZip([
    { name: 'more.jpg', content: big, isDeflated: true, size: 1000 },
    { name: 'less.jpg', content: await makePicture(), isDeflated: true, size: 1_000_000 },
    { name: 'sum.jpg', content: await makePicture(), crc: 7 },
    { name: 'secret.jpg', content: await makePicture(), isDeflated: true, isEncrypted: true },
    { name: 'huge.jpg', content: big, isDeflated: true, size: 3_000_000_000 },
    { name: 'empty.jpg' },
    { name: 'text.txt', content: 'no picture' },
    { name: 'link.jpg', content: '/etc/passwd', mode: 0o120777 },
    { name: 'pipe.jpg', content: 'x', mode: 0o010644 },
    { name: 'good.jpg', content: good },
  ]);
  const { code, out } = await importZip('mixed', zip);
  assert.equal(code, 1);
  for (const told of [
    /^more\.jpg: The file cannot be unpacked \(too many bytes/m,
    /^less\.jpg: The file cannot be unpacked \(not enough bytes/m,
    /^sum\.jpg: The file cannot be unpacked \(its checksum is wrong\)$/m,
    /^secret\.jpg: The file is encrypted$/m,
    /^huge\.jpg: The file is too large: this server accepts up to \d+ MB \(MAX_UPLOAD_MB\)$/m,
    /^empty\.jpg: The file is empty$/m,
    /^text\.txt: /m,
    /^1 imported into 0 new albums, 0 already present, 7 not imported\.$/m,
  ]) {
    assert.match(out, told);
  }
  assert.deepEqual(await titles(mixed), ['good']);
  await assertNothingLeft();
});

const refused: [string, () => Promise<HostileEntry[]>, RegExp, number?][] = [
  [
    'a name that climbs out',
    async () => [{ name: '../../out.jpg', content: await makePicture() }],
    /relative path/,
  ],
  ['an absolute name', async () => [{ name: '/etc/out.jpg', content: await makePicture() }], /absolute path/],
  [
    'a name that climbs out by backslashes',
    async () => [{ name: '..\\out.jpg', content: await makePicture() }],
    /relative path/,
  ],
  [
    'a name twice',
    async () => [
      { name: 'a.jpg', content: await makePicture() },
      { name: './a.jpg', content: await makePicture() },
    ],
    /contains a\.jpg twice/,
  ],
  [
    'files that lie over each other',
    async () => {
      const content = await makePicture();
      return [0, 1, 2].map((n) => ({ name: `${n}.jpg`, content, ...(n > 0 && { bytesOf: 0 }) }));
    },
    /files in the ZIP overlap/,
  ],
  [
    'a stored file whose sizes differ',
    async () => [{ name: 'a.jpg', content: await makePicture(), size: 12 }],
    /size mismatch/,
  ],
  [
    'folders without end',
    async () => [{ name: `${'a/'.repeat(1000)}b.jpg`, content: await makePicture() }],
    /deeper than 64/,
  ],
  [
    'a list that is shorter than it says',
    async () => [{ name: 'a.jpg', content: await makePicture() }],
    /no complete ZIP \(1 of 9 files/,
    9,
  ],
];

for (const [index, [what, entries, reason, count]] of refused.entries()) {
  test(`an archive with ${what} is refused as a whole`, async () => {
    const name = `refused${index}`;
    const person = await register(gallery, name);
    const { code, out, err } = await importZip(name, createHostileZip(await entries(), count));
    assert.equal(code, 1, out);
    assert.match(err, reason);
    assert.deepEqual(await titles(person), []);
    assert.ok(!(await readdir(join(folders.root, '..'))).includes('out.jpg'));
  });
}

test('an archive of more entries than are read is refused before its list is', async () => {
  await register(gallery, 'many');
  const zip = createHostileZip([{ name: 'a.jpg', content: await makePicture() }]);
  // Creates a ZIP64 record, which stores the number of entries in eight bytes.
  const end = zip.subarray(-22);
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(50_000_000n, 24);
  record.writeBigUInt64LE(50_000_000n, 32);
  record.writeBigUInt64LE(BigInt(end.readUInt32LE(12)), 40);
  record.writeBigUInt64LE(BigInt(end.readUInt32LE(16)), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(zip.length - 22), 8);
  locator.writeUInt32LE(1, 16);
  const { code, err } = await importZip('many', Buffer.concat([zip.subarray(0, -22), record, locator, end]));
  assert.equal(code, 1);
  assert.match(err, /The ZIP has 50000000 entries, but at most 1000000 are allowed/);
});

test('an archive that was cut off, and what is none, say so', async () => {
  await register(gallery, 'cut');
  const zip = createHostileZip([{ name: 'a.jpg', content: await makePicture() }]);
  for (const bytes of [zip.subarray(0, -30), Buffer.alloc(0), Buffer.from('PK'), await makePicture()]) {
    const { code, err } = await importZip('cut', bytes);
    assert.equal(code, 1);
    assert.match(err, /cut\.zip: The file is no complete ZIP/);
  }
  const missing = await runLightwell(gallery, ['import', join(folders.root, 'none.zip'), '--user', 'cut']);
  assert.match(missing.err, /none\.zip is not a readable folder or ZIP/);
  assert.deepEqual(gallery.complaints(), []);
});
