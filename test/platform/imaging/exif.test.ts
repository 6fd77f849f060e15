import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { trimTags } from '../../../server/gallery/library/tags.ts';
import {
  formatAperture,
  formatCamera,
  formatLens,
  formatShutterTime,
  readIsoSpeed,
  roundFocalLength,
} from '../../../server/platform/imaging/metadata/exif-text.ts';
import { readPictureMetadata } from '../../../server/platform/imaging/worker/metadata/read.ts';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import { readThreadMs } from '../../support/thread-time.ts';
import { corpus, corpusFile, withoutCorpus } from './corpus.ts';
import { readings } from './exif-readings.ts';
import { createFolder, createQuarters, startImaging } from './pictures.ts';
import { textReadings } from './text-readings.ts';

const write = createFolder();
const imaging = startImaging();
const readFileExif = (file: string) => imaging.exif(file, {});

const taken = {
  IFD0: { Make: 'Acme Co., Ltd.', Model: 'One' },
  IFD2: {
    FNumber: '28/10',
    ExposureTime: '1/125',
    ISOSpeedRatings: '200',
    DateTimeOriginal: '2020:01:02 03:04:05',
    OffsetTimeOriginal: '+02:00',
    FocalLength: '425/100',
    LensModel: 'Acme 4.25mm f/1.8',
  },
  IFD3: {
    GPSLatitudeRef: 'S',
    GPSLatitude: '33/1 51/1 2500/100',
    GPSLongitudeRef: 'E',
    GPSLongitude: '151/1 12/1 3999/100',
  },
};
const expected = {
  camera: 'Acme One',
  aperture: 'f/2.8',
  shutter: '1/125',
  iso: 200,
  takenTime: Date.UTC(2020, 0, 2, 3, 4, 5) / 1000,
  timeOffset: 7200,
  rating: 0,
  lens: 'Acme 4.25mm f/1.8',
  focalLength: 4.25,
  location: { latitude: -33.8569444, longitude: 151.2111083 },
  placeNames: '',
  title: '',
  description: '',
  tags: [],
};
const nothing = {
  camera: '',
  aperture: '',
  shutter: '',
  iso: 0,
  placeNames: '',
  takenTime: null,
  timeOffset: null,
  rating: 0,
  lens: '',
  focalLength: 0,
  location: null,
  title: '',
  description: '',
  tags: [],
};

suite('the metadata reader', () => {
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
    test(`reads ${format}`, async () => {
      const picture = createQuarters(60, 40).removeAlpha().withExif(taken).toFormat(format, { effort: 1 });
      assert.deepEqual(await readFileExif(write(`a.${format}`, await picture.toBuffer())), expected);
    });
  }

  test('reads tiff, wherever its tags lie', async () => {
    // Reads the files in this process: they have tags but no picture, so the server refuses them before a
    // worker opens them.
    const readTiff = (file: string) => readPictureMetadata(file, 'tiff', {}, {});
    assert.deepEqual(await readTiff(write('a.tif', tiffWithExif(200))), expected);
    assert.deepEqual(await readTiff(write('b.tif', tiffWithExif(5_000_000))), expected);
  });

  test('says nothing where there is nothing', async () => {
    for (const format of ['jpeg', 'tiff', 'gif'] as const) {
      const data = await createQuarters(60, 40).removeAlpha().toFormat(format).toBuffer();
      assert.deepEqual(await readFileExif(write(`n.${format}`, data)), nothing);
    }
  });

  test('agrees with the manifest on every photo', { skip: withoutCorpus }, async () => {
    for (const { file, path, exif } of corpus.filter(({ kind }) => kind === 'photo')) {
      const read = await readFileExif(file);
      assert.equal(read.iso, exif?.ISO ?? 0, path);
      assert.equal(read.shutter, String(exif?.ExposureTimeText ?? ''), path);
      assert.equal(read.aperture, exif?.FNumber ? `f/${Number(exif.FNumber.toFixed(2))}` : '', path);
      assert.ok(read.camera.endsWith(exif?.Model ?? ''), `${path}: ${read.camera}`);
      const maker = exif?.Make?.split(/[\s,]/)[0] ?? '';
      // The maker EASTMAN KODAK is left out, because its models begin with KODAK.
      const isMaker = read.camera.startsWith(maker) || path.includes('Kodak');
      assert.ok(isMaker, `${path}: ${read.camera}`);
    }
  });

  test('agrees with exiftool on lens, focal length and place of every photo', {
    skip: withoutCorpus,
  }, async () => {
    for (const { file, path } of corpus.filter(({ kind }) => kind === 'photo')) {
      const { lens, focalLength, location } = await readFileExif(file);
      const [expectedFocal = 0, expectedLens = '', latitude, longitude] = readings[path] ?? [];
      assert.deepEqual([lens, focalLength], [expectedLens, Number(expectedFocal.toFixed(2))], path);
      assert.equal(location === null, latitude === undefined, path);
      if (!location) continue;
      assert.ok(Math.abs(location.latitude - latitude!) < 1e-6, `${path}: ${location.latitude}`);
      assert.ok(Math.abs(location.longitude - longitude!) < 1e-6, `${path}: ${location.longitude}`);
    }
    assert.ok(Object.keys(readings).every((path) => corpus.some((photo) => photo.path === path)));
  });

  test('agrees with exiftool on time, title, description and tags of every photo', {
    skip: withoutCorpus,
  }, async () => {
    for (const { file, path } of corpus.filter(({ kind }) => kind === 'photo')) {
      const { takenTime, title, description, tags } = await readFileExif(file);
      const [expectedTime = '', ...texts] = textReadings[path] ?? [];
      const [expectedTitle = '', expectedDescription = '', expectedTags = []] = texts;
      const time = takenTime === null ? '' : new Date(takenTime * 1000).toISOString().slice(0, 19);
      assert.equal(time.replace('T', ' '), expectedTime, path);
      assert.deepEqual([title, description], [expectedTitle, expectedDescription], path);
      // The server removes tags that differ only in case.
      assert.deepEqual(trimTags(tags), expectedTags, path);
    }
  });

  test('withstands what is hostile', { skip: withoutCorpus }, async () => {
    const names = ['exif_count_overflow', 'exif_ifd_loop', 'exif_offset_past_end', 'exif_truncated_header'];
    names.push('huge_rationals', 'invalid_utf8_strings', 'long_model_60k', 'xss_strings');
    for (const name of names) {
      const file = corpusFile(`bad/gen/meta/${name}.jpg`);
      const { exif } = await sharp(file).metadata();
      // Reads the tags in this process, because the test measures its CPU time.
      const start = readThreadMs();
      const read = await readPictureMetadata(file, 'jpeg', { exif }, {});
      assert.ok(readThreadMs() - start < 200, name);
      assert.deepEqual(await readFileExif(file), read, name);
      for (const text of [read.camera, read.lens]) {
        assert.ok(text.length <= 100 && text.isWellFormed(), name);
        assert.doesNotMatch(text, /\p{Cc}/u, name);
      }
      assert.ok(read.iso <= 2_147_483_647, name);
      assert.doesNotMatch(JSON.stringify(read), /NaN|Infinity|4294967295/, name);
    }
  });
});

suite('the wording of', () => {
  test('lenses', () => {
    assert.equal(formatLens(' EF-S17-55mm\u0000  f/2.8\u202e '), 'EF-S17-55mm f/2.8');
    assert.equal(formatLens(['XF23mm']), 'XF23mm');
    assert.equal(formatLens('L'.repeat(10_000)), 'L'.repeat(100));
    assert.equal(Array.from(formatLens('😀'.repeat(5000))).length, 100);
    for (const none of [undefined, 12, [], '\u0000\u0001', '<faulty value>'])
      assert.equal(formatLens(none), '');
  });

  test('focal lengths', () => {
    const given = [
      [23, 1],
      [5_701_900, 100_000],
      [1, 0],
      [0, 0],
      [0, 5],
      [4_294_967_295, 1],
      [-5, 1],
    ];
    assert.deepEqual(
      [...given.map(roundFocalLength), roundFocalLength('long')],
      [23, 57.02, 0, 0, 0, 0, 0, 0],
    );
  });

  test('cameras', () => {
    assert.equal(formatCamera('Canon', 'Canon EOS 500D'), 'Canon EOS 500D');
    assert.equal(formatCamera('NIKON CORPORATION', 'NIKON D70'), 'NIKON D70');
    assert.equal(formatCamera('FUJIFILM', 'FinePix S3Pro'), 'FUJIFILM FinePix S3Pro');
    assert.equal(formatCamera('OLYMPUS IMAGING CORP.', 'E-P3'), 'OLYMPUS IMAGING E-P3');
    assert.equal(formatCamera('EASTMAN KODAK COMPANY', 'KODAK DX4330'), 'KODAK DX4330');
    assert.equal(formatCamera('Jolla', 'Jolla'), 'Jolla');
    assert.equal(formatCamera(['Apple'], ['iPhone 6']), 'Apple iPhone 6');
    assert.equal(formatCamera(undefined, ' A\u0000B\u001b[31m '), 'A B [31m');
    assert.equal(formatCamera('Acme', undefined), 'Acme');
    assert.equal(formatCamera('华为', 'P40'), '华为 P40');
    assert.equal(Array.from(formatCamera('😀'.repeat(200), 'X')).length, 100);
  });

  test('apertures', () => {
    const written = [
      [28, 10],
      [11, 1],
      [2, 1],
      [1, 0],
      [0, 0],
      [0, 5],
      [4_294_967_295, 1],
    ].map(formatAperture);
    assert.deepEqual(written, ['f/2.8', 'f/11', 'f/2', '', '', '', '']);
    assert.equal(formatAperture('wide'), '');
  });

  test('shutter times', () => {
    const written = [
      [1, 125],
      [2, 1],
      [10, 40],
      [3, 10],
      [13, 10],
      [2, 1305],
      [1, 0],
      [0, 1],
    ].map(formatShutterTime);
    assert.deepEqual(written, ['1/125', '2', '1/4', '0.3', '1.3', '1/652', '', '']);
  });

  test('sensitivities', () => {
    const values = [200, [400, 0], 4_294_967_295, -1, Number.NaN, 'fast', undefined];
    const read = values.map((value) => readIsoSpeed(value));
    assert.deepEqual(read, [200, 400, 2_147_483_647, 0, 0, 0, 0]);
  });
});

/** Creates a big-endian TIFF with one strip, and `gap` bytes between the header and its directories. */
function tiffWithExif(gap: number): Buffer {
  const at = 8 + gap;
  const exifAt = at + 2 + 4 * 12 + 4;
  const gpsAt = exifAt + 2 + 7 * 12 + 4;
  const textAt = gpsAt + 2 + 4 * 12 + 4;
  const tiff = Buffer.alloc(textAt + 200);
  tiff.write('MM\0*', 'latin1');
  tiff.writeUInt32BE(at, 4);
  let nextText = textAt;
  const text = (value: Buffer) => {
    value.copy(tiff, nextText);
    nextText += value.length;
    return nextText - value.length;
  };
  const entry = (position: number, tag: number, type: number, count: number, value: number) => {
    tiff.writeUInt16BE(tag, position);
    tiff.writeUInt16BE(type, position + 2);
    tiff.writeUInt32BE(count, position + 4);
    if (type === 3) tiff.writeUInt16BE(value, position + 8);
    else tiff.writeUInt32BE(value, position + 8);
  };
  const ratio = (...numbers: number[]) => {
    const value = Buffer.alloc(numbers.length * 4);
    for (const [index, number] of numbers.entries()) value.writeUInt32BE(number, index * 4);
    return text(value);
  };
  const letter = (value: string) => Buffer.from(`${value}\0\0\0`).readUInt32BE();
  tiff.writeUInt16BE(4, at);
  entry(at + 2, 271, 2, 15, text(Buffer.from('Acme Co., Ltd.\0')));
  entry(at + 14, 272, 2, 4, Buffer.from('One\0').readUInt32BE());
  entry(at + 26, 0x8769, 4, 1, exifAt);
  entry(at + 38, 0x8825, 4, 1, gpsAt);
  tiff.writeUInt16BE(7, exifAt);
  entry(exifAt + 2, 0x829a, 5, 1, ratio(1, 125));
  entry(exifAt + 14, 0x829d, 5, 1, ratio(28, 10));
  entry(exifAt + 26, 0x8827, 3, 1, 200);
  entry(exifAt + 38, 0x9003, 2, 20, text(Buffer.from('2020:01:02 03:04:05\0')));
  entry(exifAt + 50, 0x9011, 2, 7, text(Buffer.from('+02:00\0')));
  entry(exifAt + 62, 0x920a, 5, 1, ratio(425, 100));
  entry(exifAt + 74, 0xa434, 2, 18, text(Buffer.from('Acme 4.25mm f/1.8\0')));
  tiff.writeUInt16BE(4, gpsAt);
  entry(gpsAt + 2, 1, 2, 2, letter('S'));
  entry(gpsAt + 14, 2, 5, 3, ratio(33, 1, 51, 1, 2500, 100));
  entry(gpsAt + 26, 3, 2, 2, letter('E'));
  entry(gpsAt + 38, 4, 5, 3, ratio(151, 1, 12, 1, 3999, 100));
  return tiff;
}
