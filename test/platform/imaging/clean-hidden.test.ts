/**
 * Tests that a clean copy contains no private data, also if the original hides it in a color profile or
 * another needed part.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import { createCopies, decodePixels, withSegment } from './copies.ts';
import { createAnimation, createQuarters } from './pictures.ts';

const { write, findCleanParts, createCleanCopy } = createCopies();

suite('a clean copy', () => {
  test('rewrites an unknown profile with the same colors and without its texts', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const plain = await createQuarters(60, 40)
        .removeAlpha()
        .withIccProfile('p3')
        .toFormat(format)
        .toBuffer();
      const { icc } = await sharp(plain).metadata();
      const own = Buffer.from(icc!);
      own.write('ACME', 48, 'latin1');
      const profile = write('own.icc', withWords(own, 'Secret 4711'));
      const original = await createQuarters(60, 40)
        .removeAlpha()
        .withIccProfile(profile, { attach: true })
        .toFormat(format)
        .toBuffer();
      assert.ok((await sharp(original).metadata()).icc?.includes('Secret'), 'the original tells');
      const copy = await createCleanCopy(original, format, 1);
      const cleaned = (await sharp(copy).metadata()).icc!;
      assert.ok(cleaned.length > 100 && cleaned.length < 8192);
      assert.ok(!cleaned.includes('Secret') && !cleaned.includes('ACME'), format);
      assert.deepEqual(await inSrgb(copy), await inSrgb(original), `${format}: the same colours`);
    }
  });

  test('does not exist for a profile of tables, or of what is none', async () => {
    const jpeg = await createQuarters(60, 40).removeAlpha().jpeg().toBuffer();
    const { icc } = await sharp(
      await createQuarters(60, 40)
        .removeAlpha()
        .toColourspace('cmyk')
        .withIccProfile('cmyk')
        .jpeg()
        .toBuffer(),
    ).metadata();
    assert.ok(icc);
    for (const profile of [icc.subarray(0, 60_000), Buffer.from('no profile at all')]) {
      const segment = withSegment(jpeg, 0xe2, `ICC_PROFILE\0\x01\x01${profile.toString('latin1')}`);
      assert.equal(await findCleanParts(segment, 'jpeg'), null);
    }
  });

  test('does not exist for a JPEG with hundreds of profiles, nor with more bytes of our own than a row holds', async () => {
    const plain = await createQuarters(60, 40).removeAlpha().withIccProfile('p3').jpeg().toBuffer();
    const at = plain.indexOf('ICC_PROFILE') - 4;
    const profile = plain.subarray(at, at + 2 + plain.readUInt16BE(at + 2));
    assert.ok(await findCleanParts(plain, 'jpeg'));
    for (const count of [1, 250]) {
      const more = Array<Buffer>(count).fill(profile);
      const flood = Buffer.concat([plain.subarray(0, at), ...more, plain.subarray(at)]);
      assert.equal(await findCleanParts(flood, 'jpeg'), null);
    }

    const webp = await createQuarters(60, 40).removeAlpha().webp().toBuffer();
    const head = Buffer.from('VP8X\x0a\0\0\0\x20\0\0\0\x3b\0\0\x27\0\0', 'latin1');
    const curves = withLongCurves((await sharp(plain).metadata()).icc!);
    const chunk = Buffer.concat([
      Buffer.from('ICCP\0\0\0\0', 'latin1'),
      curves,
      Buffer.alloc(curves.length & 1),
    ]);
    chunk.writeUInt32LE(curves.length, 4);
    const profiles = (count: number) => {
      const all = Buffer.concat([
        webp.subarray(0, 12),
        head,
        ...Array<Buffer>(count).fill(chunk),
        webp.subarray(12),
      ]);
      all.writeUInt32LE(all.length - 8, 4);
      return all;
    };
    assert.ok(await findCleanParts(profiles(2), 'webp'));
    assert.equal(await findCleanParts(profiles(20), 'webp'), null);
  });

  test('drops what follows in chunks and segments that are kept', async () => {
    const secret = Buffer.from('Secret');
    const jpeg = await createQuarters(60, 40).removeAlpha().jpeg().toBuffer();
    const adobe = withSegment(jpeg, 0xee, 'Adobe\0\x64\0\0\0\0\x01Secret');
    assert.ok(adobe.includes(secret));
    const cleanAdobe = await createCleanCopy(adobe, 'jpeg', 1);
    assert.ok(!cleanAdobe.includes(secret) && cleanAdobe.includes('Adobe'));
    assert.deepEqual(await decodePixels(cleanAdobe), await decodePixels(adobe));
    assert.equal(await findCleanParts(withSegment(jpeg, 0xf3, 'Secret'), 'jpeg'), null, 'an unknown marker');

    const png = await createQuarters(60, 40).png().toBuffer();
    const chunks = ['sPLT', 'gAMA', 'pHYs', 'fdAT', 'fcTL', 'tIME'].map((type) =>
      pngChunk(type, `Secret${'\0'.repeat(600)}`),
    );
    const told = Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
    assert.ok(!(await createCleanCopy(told, 'png', 1)).includes(secret));

    const gif = await createAnimation('gif', 60, 40, 3);
    const control = gif.indexOf(Buffer.from('21f904', 'hex'));
    const more = Buffer.concat([
      gif.subarray(0, control + 7),
      Buffer.from('\x06Secret\0', 'latin1'),
      gif.subarray(control + 8),
    ]);
    const cleanGif = await createCleanCopy(more, 'gif', 1);
    assert.ok(more.includes(secret) && !cleanGif.includes(secret));
    assert.deepEqual(cleanGif, gif);
  });

  test('does not exist for a WebP with a second picture, which nothing shows', async () => {
    for (const picture of [createQuarters(60, 40), createQuarters(60, 40).removeAlpha()]) {
      const webp = await picture.webp().toBuffer();
      assert.ok(await findCleanParts(webp, 'webp'));
      for (const type of ['VP8 ', 'VP8L', 'ALPH', 'ANMF']) {
        const more = Buffer.concat([webp, Buffer.from(`${type}\x06\0\0\0Secret`, 'latin1')]);
        more.writeUInt32LE(more.length - 8, 4);
        assert.equal(await findCleanParts(more, 'webp'), null, type);
      }
    }
    assert.ok(await findCleanParts(await createAnimation('webp', 60, 40, 3), 'webp'));
  });
});

/** Creates a color profile with three primaries whose curve has 3,000 points. */
function withLongCurves(space: Buffer): Buffer {
  const names = ['wtpt', 'rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'];
  const point = Buffer.concat([Buffer.from('XYZ '), Buffer.alloc(16)]);
  const curve = Buffer.concat([Buffer.from('curv'), Buffer.alloc(8 + 3_000 * 2)]);
  curve.writeUInt32BE(3_000, 8);
  const table = Buffer.alloc(4 + names.length * 12);
  table.writeUInt32BE(names.length, 0);
  const start = 128 + table.length;
  names.forEach((name, index) => {
    const isCurve = name.endsWith('TRC');
    table.write(name, 4 + index * 12, 'latin1');
    table.writeUInt32BE(isCurve ? start + point.length : start, 8 + index * 12);
    table.writeUInt32BE(isCurve ? curve.length : point.length, 12 + index * 12);
  });
  return Buffer.concat([space.subarray(0, 128), table, point, curve]);
}

/** Converts the picture to sRGB, as a browser shows it. */
async function inSrgb(data: Buffer): Promise<Buffer> {
  return sharp(data).toColourspace('srgb').raw().toBuffer();
}

/**
 * Adds an extra tag to a color profile, like displays that write their serial number, and words as its name.
 */
function withWords(profile: Buffer, words: string): Buffer {
  const count = profile.readUInt32BE(128);
  const table = profile.subarray(132, 132 + count * 12);
  const moved = Buffer.from(table);
  for (let index = 0; index < count; index++)
    moved.writeUInt32BE(table.readUInt32BE(index * 12 + 4) + 12, index * 12 + 4);
  const data = Buffer.from(`mmod\0\0\0\0${words.padEnd(32, '\0')}`, 'latin1');
  const entry = Buffer.alloc(12);
  entry.write('mmod', 'latin1');
  entry.writeUInt32BE(profile.length + 12, 4);
  entry.writeUInt32BE(data.length, 8);
  const head = Buffer.from(profile.subarray(0, 132));
  head.writeUInt32BE(count + 1, 128);
  head.fill(0, 84, 100);
  const whole = Buffer.concat([head, moved, entry, profile.subarray(132 + count * 12), data]);
  whole.writeUInt32BE(whole.length, 0);
  return whole;
}

function pngChunk(type: string, data: string): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type + data, 'latin1'), Buffer.alloc(4)]);
  chunk.writeUInt32BE(data.length, 0);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}
