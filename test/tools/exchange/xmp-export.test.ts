/** Tests that an export tells other programs what is known about photos, and that an import gets it back. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chooseMetadataFields } from '../../../server/platform/imaging/metadata/sources.ts';
import { readXmpProperties } from '../../../server/platform/imaging/worker/metadata/xmp.ts';
import { assertDone, assertRead, assertWritten } from '../../support/assert-answers.ts';
import { runLightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type Person, register } from '../../support/people.ts';
import { createPhoto, createXmp, createXmpList } from '../../support/photo-metadata.ts';

const withoutExiftool = spawnSync('exiftool', ['-ver']).status !== 0 && 'exiftool is not installed';

let gallery: Gallery;
let owner: Person;
let folder: string;

/** Photos by the name of their file: fields of the upload, an update, and what the XMP file must say. */
const title = 'Ridge & <Peak> "at" dawn';
const photos: Record<string, { fields?: object; update?: object; says: object | undefined }> = {
  'nothing.jpg': { update: {}, says: undefined },
  'named.jpg': { fields: { title: 'Lake' }, says: { title: 'Lake' } },
  'texts.jpg': {
    fields: { title, description: 'Two\nlines \u{1f3d4} ü', tags: 'alps, <b>, Schnee & Eis' },
    says: {
      title,
      description: 'Two\nlines \u{1f3d4} ü',
      tags: ['alps', '<b>', 'Schnee & Eis'],
    },
  },
  'dated.jpg': {
    update: { taken_time: '1936-02-29 23:59:59' },
    says: { takenTime: Date.UTC(1936, 1, 29, 23, 59, 59) / 1000 },
  },
  'south.jpg': {
    update: { location: { latitude: -33.8569444, longitude: -70.0000001 } },
    says: { location: { latitude: -33.8569444, longitude: -70.0000001 } },
  },
  'edge.jpg': {
    update: { location: { latitude: 89.9999999, longitude: 180 } },
    says: { location: { latitude: 89.9999999, longitude: 180 } },
  },
  'stars.jpg': { update: { rating: 5 }, says: { rating: 5 } },
  'client.jpg': {
    fields: { file_time: '2012-03-04 05:06:07' },
    says: { takenTime: Date.UTC(2012, 2, 4, 5, 6, 7) / 1000 },
  },
  'IMG-20190405-WA0001.jpg': { says: { takenTime: Date.UTC(2019, 3, 5) / 1000 } },
};

const fullXmp = createXmp('xmp:Rating="4"', createXmpList('dc:title', ['Of the file'], 'Alt'));
const full = {
  IFD2: { DateTimeOriginal: '2024:01:01 08:30:00', OffsetTimeOriginal: '+09:00' },
  xmp: fullXmp,
};

before(async () => {
  gallery = await startGallery();
  folder = await mkdtemp(join(tmpdir(), 'lightwell-xmp-'));
  owner = await register(gallery, 'paula');
  for (const [name, { fields = {}, update }] of Object.entries(photos)) {
    const { id } = assertWritten(await owner.upload(await createPhoto(), { ...fields }, name));
    if (update) assertDone(await owner.put(`/api/photos/${id}`, update));
  }
  const corrected = assertWritten(await owner.upload(await createPhoto(full), {}, 'corrected.jpg')).id;
  assertWritten(await owner.upload(await createPhoto(full), {}, 'uncorrected.jpg'));
  const correction = { taken_time: '2024-01-01 09:30:00', rating: 0, title: '' };
  assertDone(await owner.put(`/api/photos/${corrected}`, correction));
  assert.equal((await runLightwell(gallery, ['export', '--user', 'paula', folder])).code, 0);
});
after(async () => {
  await gallery.close();
  await rm(folder, { recursive: true, force: true });
});

test('writes an XMP file beside each photo about which something is known, and reads it back', async () => {
  for (const [name, { says }] of Object.entries(photos)) {
    const xmp = await readFile(join(folder, `${name}.xmp`)).catch(() => undefined);
    assert.equal(xmp === undefined, says === undefined, name);
    if (!xmp || !says) continue;
    const found = { exif: {}, xmp: readXmpProperties(xmp), iptc: {}, png: {}, facts: {} };
    const read = chooseMetadataFields(found) as Record<string, unknown>;
    const fields = ['title', 'description', 'tags', 'takenTime', 'location', 'rating'] as const;
    const nothing = { title: '', description: '', tags: [], takenTime: null, location: null, rating: 0 };
    const told = Object.fromEntries(fields.map((field) => [field, read[field]]));
    assert.deepEqual(told, { ...nothing, ...says }, name);
  }
  const xmp = await readFile(join(folder, 'corrected.jpg.xmp'), 'utf8');
  assert.match(
    xmp,
    /<photoshop:DateCreated>2024-01-01T09:30:00</,
    'the offset of a corrected date is unknown',
  );
  assert.match(xmp, /<xmp:Rating>0</, 'the owner has removed the stars of the file');
  const other = await readFile(join(folder, 'uncorrected.jpg.xmp'), 'utf8');
  assert.match(other, /<exif:DateTimeOriginal>2024-01-01T08:30:00\+09:00</);
});

test('exiftool reads the XMP files', { skip: withoutExiftool }, async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.xmp'));
  const tags = ['-Title', '-Description', '-Subject', '-XMP:DateCreated', '-XMP:DateTimeOriginal'];
  const more = ['-XMP:GPSLatitude', '-XMP:GPSLongitude', '-XMP:Rating', '-Warning', '-Error', '-validate'];
  const args = ['-j', '-n', '-charset', 'utf8', ...tags, ...more, ...names];
  const read = JSON.parse(execFileSync('exiftool', args, { cwd: folder, encoding: 'utf8' })) as Record<
    string,
    unknown
  >[];
  const of = (name: string) => read.find(({ SourceFile }) => SourceFile === `${name}.xmp`)!;
  assert.equal(read.length, names.length);
  for (const one of read) assert.equal(one.Warning ?? one.Error, undefined, JSON.stringify(one));
  const texts = of('texts.jpg');
  assert.deepEqual([texts.Title, texts.Subject], [title, ['alps', '<b>', 'Schnee & Eis']]);
  assert.equal(String(texts.Description).replace('\r', ''), 'Two\nlines \u{1f3d4} ü');
  const south = of('south.jpg');
  assert.ok(Math.abs(Number(south.GPSLatitude) + 33.8569444) < 1e-7);
  assert.ok(Math.abs(Number(south.GPSLongitude) + 70.0000001) < 1e-7);
  assert.equal(of('stars.jpg').Rating, 5);
  assert.equal(of('dated.jpg').DateTimeOriginal, '1936:02:29 23:59:59');
  assert.equal(of('uncorrected.jpg').DateCreated, '2024:01:01 08:30:00+09:00');
});

test('an import of the export gives the same photos, and corrections stay corrections', async () => {
  const other = await register(gallery, 'quirin');
  const { code, error } = await runLightwell(gallery, ['import', '--user', 'quirin', folder]);
  assert.equal(code, 0, error);
  const read = async (who: Person) => {
    const { list } = assertRead(await who.get(`/api/photos?user_id=${who.id}&limit=100`));
    const details = await Promise.all(
      list.map(async ({ id }: { id: number }) => assertRead(await who.get(`/api/photos/${id}`))),
    );
    const fields = ['title', 'description', 'tags', 'taken_time', 'location', 'rating', 'file'];
    return Object.fromEntries(
      details.map((photo) => [photo.file_name, fields.map((field) => JSON.stringify(photo[field]))]),
    );
  };
  const [exported, imported] = [await read(owner), await read(other)];
  assert.equal(Object.keys(imported).length, Object.keys(photos).length + 2);
  assert.deepEqual(imported, exported);
  const { kysely } = gallery.deps.db;
  const rows = await kysely
    .selectFrom('photo_metadata')
    .innerJoin('photos', 'photos.id', 'photo_id')
    .selectAll('photo_metadata')
    .select('photos.file_name')
    .orderBy('photos.file_name')
    .orderBy('photo_id')
    .execute();
  const metadata = rows.map(({ photo_id: _, ...row }) => row);
  for (let at = 0; at < metadata.length; at += 2) assert.deepEqual(metadata[at], metadata[at + 1]);
});
