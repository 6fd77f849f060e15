/** Uploads and downloads real photographs of many cameras and formats. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { after, before, describe, test } from 'node:test';
import ExifReader from 'exifreader';
import sharp from 'sharp';
import type { Photo } from '../../../server/gallery/photos/schema.ts';
import { countHoldings, listReferencedObjects, listStoredObjects } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, type Person, register } from '../../support/people.ts';
import { type CorpusFile, corpus, withoutCorpus } from './corpus.ts';
import { readings } from './exif-readings.ts';
import { textReadings } from './text-readings.ts';

const photos = corpus.filter(({ kind }) => kind === 'photo');
const unsupported = corpus.filter(({ kind }) => kind === 'unsupported');

describe('a photograph of the corpus', { skip: withoutCorpus }, () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  const ids = new Map<string, number>();

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
  });
  after(() => gallery?.close());

  describe('is taken whole and tells nothing', { concurrency: 4 }, () => {
    for (const [number, photo] of photos.entries()) {
      test(photo.path, async () => {
        const file = await readFile(photo.file);
        // Sets a title, because the file name may contain the very words that must not appear.
        const uploaded = await owner.upload(file, { title: `picture ${number}` }, basename(photo.path));
        assert.equal(uploaded.status, 200, JSON.stringify(uploaded.body));
        const { id } = uploaded.body.data;
        ids.set(photo.path, id);

        const { body } = await asVisitor(gallery).get(`/api/photos/${id}`);
        const { width, height, exif, size } = body.data;
        assert.deepEqual({ width, height }, photo.display);
        assert.equal(size, file.length);
        assert.deepEqual(exif, expectedExif(photo));

        const secrets = findSecrets(file);
        const inList = await asVisitor(gallery).get('/api/photos?limit=20');
        assert.ok(inList.body.data.list.some((item: { id: number }) => item.id === id));
        for (const text of [uploaded.bytes, JSON.stringify(body), inList.bytes].map(String)) {
          assert.doesNotMatch(text, /gps|latitude|longitude|serial/i);
          for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in ${text}`);
        }
        for (const path of [body.data.thumb, body.data.preview]) {
          await assertRendition(await fetched(asVisitor(gallery), path), photo);
        }
        for (const path of [body.data.path, `/api/photos/${id}/download`]) {
          const bytes = await fetched(stranger, path);
          assertTellsNothing(bytes, secrets);
          const { autoOrient } = await sharp(bytes).metadata();
          assert.deepEqual({ width: autoOrient.width, height: autoOrient.height }, photo.display, path);
        }
        const own = await fetched(owner, `/api/photos/${id}/download`);
        assert.equal(sha256(own), sha256(file), 'the owner gets the very bytes');
      });
    }
  });

  test('shows what exiftool reads, in 99 of 100 values', async (context) => {
    const wrong: string[] = [];
    let values = 0;
    for (const photo of photos) {
      const { body } = await owner.get(`/api/photos/${ids.get(photo.path)}`);
      const shown = describeShown(body.data);
      for (const [name, expected] of Object.entries(expectedFields(photo))) {
        if (expected === '') continue;
        values++;
        if (shown[name] !== expected) wrong.push(`${photo.path}: ${name} is ${shown[name]}, not ${expected}`);
      }
    }
    const share = 1 - wrong.length / values;
    context.diagnostic(`${values - wrong.length} of ${values} values: ${(share * 100).toFixed(1)} in 100`);
    for (const line of wrong) context.diagnostic(line);
    assert.ok(values > 350 && share >= 0.99, wrong.join('\n'));
  });

  test('shows the same upright picture in all nine orientations', async () => {
    for (const group of ['Landscape', 'Portrait']) {
      const same = photos.filter(({ path }) => basename(path).startsWith(`${group}_`));
      assert.ok(same.length >= 9, `${same.length} of ${group}`);
      const looks = await Promise.all(same.map(({ path }) => renderThumbnail(ids.get(path)!)));
      for (const [index, look] of looks.entries()) {
        assert.ok(difference(look, looks[0]!) < 4, `${same[index]!.path} looks different`);
      }
    }
  });

  /** Returns the thumbnail as 16 by 16 gray values, which differ for an upside-down picture. */
  async function renderThumbnail(id: number): Promise<Buffer> {
    const { body } = await owner.get(`/api/photos/${id}`);
    const thumb = await fetched(owner, body.data.thumb);
    return sharp(thumb).resize(16, 16, { fit: 'fill' }).greyscale().raw().toBuffer();
  }

  for (const file of unsupported) {
    test(`is refused as ${basename(file.path)}, and leaves nothing`, async () => {
      const place = gallery.deps;
      const before = await countHoldings(place);
      const answer = await owner.upload(await readFile(file.file), {}, basename(file.path));
      assert.deepEqual([answer.status, answer.body.code], [415, 20001], JSON.stringify(answer.body));
      assert.deepEqual(await countHoldings(place), before);
    });
  }

  test('has all its objects, and no object is without a row', async () => {
    assert.deepEqual(await listStoredObjects(gallery.deps), await listReferencedObjects(gallery.deps));
    assert.deepEqual(gallery.complaints(), []);
  });
});

/**
 * Returns the expected values. `iso` is the tag, or 0 without a tag. `shutter` is the manifest's text, from
 * exiftool. `aperture` is `f/` and the number with at most two decimals. `camera` is the maker's usual name
 * and the model, or the model alone if it begins with a word of the maker's name.
 */
function expectedExif({ exif }: CorpusFile) {
  return {
    camera: expectedCamera(exif?.Make ?? '', exif?.Model ?? ''),
    aperture: exif?.FNumber ? `f/${Number(exif.FNumber.toFixed(2))}` : '',
    shutter: String(exif?.ExposureTimeText ?? ''),
    iso: exif?.ISO ?? 0,
  };
}

/** Returns the values that exiftool reads as texts, '' without a value. */
function expectedFields(photo: CorpusFile): Record<string, string> {
  const { camera, aperture, shutter, iso } = expectedExif(photo);
  const [takenTime = '', _title, description = '', tags = []] = textReadings[photo.path] ?? [];
  const [focalLength = 0, lens = '', latitude, longitude] = readings[photo.path] ?? [];
  return {
    camera,
    aperture,
    shutter,
    iso: String(iso || ''),
    takenTime,
    description,
    tags: tags.join(),
    focalLength: String(Number(focalLength.toFixed(2)) || ''),
    lens,
    location: latitude === undefined ? '' : `${latitude.toFixed(6)}, ${longitude!.toFixed(6)}`,
  };
}

function describeShown(photo: Photo): Record<string, string> {
  const { exif, location } = photo;
  return {
    camera: exif.camera,
    aperture: exif.aperture,
    shutter: exif.shutter,
    iso: String(exif.iso),
    takenTime: photo.taken_time,
    description: photo.description,
    tags: photo.tags.join(),
    focalLength: String(photo.focal_length),
    lens: photo.lens,
    location: location ? `${location.latitude.toFixed(6)}, ${location.longitude.toFixed(6)}` : '',
  };
}

/** Usual names of makers whose tag has the company's name. */
const makerNames: Record<string, string> = {
  'Asahi Optical Co.,Ltd': 'Asahi Optical',
  'CASIO COMPUTER CO.,LTD': 'CASIO COMPUTER',
  'EASTMAN KODAK COMPANY': 'EASTMAN KODAK',
  'General Imaging Co.': 'General Imaging',
  'JK Imaging, Ltd.': 'JK Imaging',
  'Minolta Co., Ltd.': 'Minolta',
  'NIKON CORPORATION': 'NIKON',
  'OLYMPUS CORPORATION': 'OLYMPUS',
  'OLYMPUS IMAGING CORP.': 'OLYMPUS IMAGING',
  'OLYMPUS OPTICAL CO.,LTD': 'OLYMPUS OPTICAL',
  'PENTAX Corporation': 'PENTAX',
  'SANYO Electric Co.,Ltd': 'SANYO Electric',
  'SANYO Electric Co.,Ltd.': 'SANYO Electric',
  'Trust.': 'Trust.',
};

function expectedCamera(make: string, model: string): string {
  const maker = makerNames[make] ?? make;
  const firstOfModel = model.split(' ')[0]!.toLowerCase();
  const isSaidTwice = firstOfModel !== '' && maker.toLowerCase().split(' ').includes(firstOfModel);
  return isSaidTwice ? model : `${maker} ${model}`.trim();
}

/** Returns the coordinates and serial numbers in a file, as texts that must not appear in copies. */
function findSecrets(file: Buffer): string[] {
  const tags = readTags(file);
  const texts = Object.entries(tags)
    .filter(([name]) => /^GPS(Latitude|Longitude)$|Serial/.test(name))
    .map(([, tag]) => String(tag?.description ?? ''));
  return texts.filter((text) => text.length >= 5);
}

function assertTellsNothing(bytes: Buffer, secrets: string[]): void {
  const names = Object.keys(readTags(bytes)).filter((name) => /^GPS|Serial/.test(name));
  assert.deepEqual(names, []);
  const serials = secrets.filter((secret) => !/^\d+\.\d+$/.test(secret));
  for (const serial of serials) assert.ok(!bytes.includes(serial), `${serial} is in the bytes`);
}

function readTags(file: Buffer): Record<string, { description?: unknown } | undefined> {
  try {
    return ExifReader.load(file) as unknown as Record<string, { description?: unknown }>;
  } catch {
    return {};
  }
}

async function assertRendition(bytes: Buffer, { display, path }: CorpusFile): Promise<void> {
  const { data, info } = await sharp(bytes, { failOn: 'warning' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.equal(data.length, info.width * info.height * info.channels);
  const { exif, xmp, iptc, orientation, space } = await sharp(bytes).metadata();
  assert.deepEqual([exif, xmp, iptc, orientation ?? 1], [undefined, undefined, undefined, 1], path);
  assert.ok(['srgb', 'b-w'].includes(space!), `${path} is ${space}`);
  const { width, height } = display!;
  const scale = width > height ? info.width / width : info.height / height;
  assert.ok(Math.abs(info.width - Math.max(1, width * scale)) <= 1, `${path} is ${info.width} wide`);
  assert.ok(Math.abs(info.height - Math.max(1, height * scale)) <= 1, `${path} is ${info.height} high`);
  assert.deepEqual(
    Object.keys(readTags(bytes)).filter((name) => /^GPS|Serial/.test(name)),
    [],
  );
}

async function fetched(person: Person, path: string): Promise<Buffer> {
  const { status, bytes } = await person.get(path);
  assert.equal(status, 200, path);
  return bytes;
}

function difference(one: Buffer, other: Buffer): number {
  return one.reduce((sum, value, index) => sum + Math.abs(value - other[index]!), 0) / one.length;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
