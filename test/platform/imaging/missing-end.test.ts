/** A JPEG whose end marker is missing is complete if all its pixels are there, and truncated otherwise. */
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { suite, test } from 'node:test';
import type { JpegOptions } from 'sharp';
import { computeCleanParts } from '../../../server/platform/imaging/clean/clean.ts';
import { ImageError } from '../../../server/platform/imaging/errors.ts';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import { createRepeatedJpeg } from '../../support/huge-jpeg.ts';
import { createFolder, edit, startImaging } from './pictures.ts';

const write = createFolder();
const imaging = startImaging();
const endMarker = Buffer.from([0xff, 0xd9]);
const startOfScan = Buffer.from([0xff, 0xda]);

/** Creates a JPEG of noise, in which each missing bit changes pixels, without its end marker. */
async function createEndless(options: JpegOptions = {}, height = 203): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const create = { width: 310, height, channels: 3, background: 'grey', noise } as const;
  const jpeg = await sharp({ create }).jpeg(options).toBuffer();
  assert.ok(jpeg.subarray(-2).equals(endMarker));
  return jpeg.subarray(0, -2);
}

const KINDS: [kind: string, options: JpegOptions][] = [
  ['a baseline JPEG', {}],
  ['a baseline JPEG in full color', { chromaSubsampling: '4:4:4' }],
  ['a progressive JPEG', { progressive: true }],
];

type Ending = (endless: Buffer) => Buffer;

const COMPLETE: [ending: string, Ending][] = [
  ['nothing', (endless) => endless],
  ['half an end marker', (endless) => Buffer.concat([endless, Buffer.from([0xff])])],
  ['several bytes of a cut marker', (endless) => Buffer.concat([endless, Buffer.from([0xff, 0xff, 0xff])])],
  ['two other bytes', (endless) => Buffer.concat([endless, Buffer.from('XY')])],
  ['forty other bytes', (endless) => Buffer.concat([endless, Buffer.alloc(40, 'XY')])],
  ['one zero', (endless) => Buffer.concat([endless, Buffer.alloc(1)])],
  ['a sector of zeros', (endless) => Buffer.concat([endless, Buffer.alloc(512)])],
  ['40,000 zeros', (endless) => Buffer.concat([endless, Buffer.alloc(40_000)])],
  ['half an end marker and zeros', (endless) => Buffer.concat([endless, Buffer.from([0xff, 0, 0, 0])])],
];

const cut = (endless: Buffer, bytes: number) => endless.subarray(0, -bytes);

const TRUNCATED: [ending: string, Ending][] = [
  ['three bytes', (endless) => cut(endless, 3)],
  ['ten bytes', (endless) => cut(endless, 10)],
  ['ten bytes, replaced by zeros', (endless) => Buffer.concat([cut(endless, 10), Buffer.alloc(10)])],
  ['ten bytes, and half an end marker', (endless) => Buffer.concat([cut(endless, 10), Buffer.from([0xff])])],
  ['the last row', (endless) => cut(endless, Math.round(endless.length / 27))],
  ['a tenth', (endless) => cut(endless, Math.round(endless.length / 10))],
  ['half', (endless) => cut(endless, Math.round(endless.length / 2))],
  ['half, replaced by zeros', replaceHalf],
  ['all pixels', (endless) => endless.subarray(0, endless.indexOf(startOfScan) + 14)],
  ['all scans', (endless) => endless.subarray(0, endless.indexOf(startOfScan))],
];

function replaceHalf(endless: Buffer): Buffer {
  const half = Math.round(endless.length / 2);
  return Buffer.concat([endless.subarray(0, half), Buffer.alloc(endless.length - half)]);
}

suite('a JPEG without an end marker', () => {
  for (const [kind, options] of KINDS) {
    for (const [ending, end] of COMPLETE) {
      test(`is accepted if all pixels are there: ${kind} that ends with ${ending}`, async () => {
        const endless = await createEndless(options);
        const { inspection, renditions } = await imaging.upload(write('complete.jpg', end(endless)));
        assert.deepEqual([inspection.width, inspection.height], [310, 203]);
        const whole = await imaging.upload(write('whole.jpg', Buffer.concat([endless, endMarker])));
        assert.deepEqual(renditions.preview.data, whole.renditions.preview.data);
      });
    }
    for (const [ending, end] of TRUNCATED) {
      test(`is refused if pixels are missing: ${kind} that lacks ${ending}`, async () => {
        const file = write('truncated.jpg', end(await createEndless(options)));
        await assert.rejects(imaging.upload(file), isDamaged);
      });
    }
  }

  test('is refused if the last scan of a progressive JPEG is missing', async () => {
    const endless = await createEndless({ progressive: true });
    for (let scans = 1; scans <= 3; scans++) {
      const shorter = endless.subarray(0, startOfLastScan(endless, scans));
      await assert.rejects(imaging.upload(write('scans.jpg', shorter)), isDamaged, `${scans} scans`);
      await assert.rejects(
        imaging.upload(write('scans.jpg', Buffer.concat([shorter, Buffer.alloc(300)]))),
        isDamaged,
      );
    }
  });

  test('is refused if one row of blocks is missing at any height', async () => {
    for (const height of [8, 9, 16, 24, 25, 32, 33, 48]) {
      const options = { chromaSubsampling: '4:4:4', quality: 95 };
      const [more, fewer] = [await createEndless(options, height + 8), await createEndless(options, height)];
      const rows = more.length - fewer.length;
      await assert.rejects(
        imaging.upload(write('row.jpg', cut(more, Math.round(rows * 0.9)))),
        isDamaged,
        `${height} rows`,
      );
      await imaging.upload(write('row.jpg', more));
    }
  });

  test('is accepted if its last coded byte is 0xff, with the zero that belongs to it', async () => {
    let tried = 0;
    for (let height = 8; tried < 2; height++) {
      const endless = await createEndless({ chromaSubsampling: '4:4:4' }, height);
      if (endless.at(-2) !== 0xff) continue;
      tried++;
      for (const [, end] of COMPLETE) await imaging.upload(write('coded.jpg', end(endless)));
      for (const [, end] of TRUNCATED)
        await assert.rejects(imaging.upload(write('coded.jpg', end(endless))), isDamaged);
    }
  });

  test('is refused if the part after a restart marker is missing', async () => {
    const restarting = (await createRepeatedJpeg({ width: 64, height: 112 })).subarray(0, -2);
    const at = restarting.lastIndexOf(Buffer.from([0xff, 0xd0 + 4]));
    assert.ok(at > restarting.length / 2);
    await imaging.upload(write('restart.jpg', restarting));
    for (const end of [at, at + 2]) {
      await assert.rejects(imaging.upload(write('restart.jpg', restarting.subarray(0, end))), isDamaged);
    }
  });

  test('is accepted from a read-only file', async () => {
    const file = write('read-only.jpg', await createEndless());
    chmodSync(file, 0o444);
    await imaging.upload(file);
  });

  test('has an edit, a size and an avatar', async () => {
    const file = write('endless.jpg', await createEndless());
    const { image } = await edit(imaging, file, [{ action: 'resize', params: { width: 100 } }]);
    assert.deepEqual([image.width, image.height], [100, 65]);
    const size = { width: 310, height: 203, to: 155, isAnimated: false, format: 'webp' } as const;
    assert.equal((await sharp(await imaging.size(file, size, {})).metadata()).width, 155);
    assert.equal((await sharp(await imaging.avatar(file, {})).metadata()).width, 256);
  });

  test('is rendered for others, because hidden data could follow its pixels', async () => {
    const file = write('endless.jpg', Buffer.concat([await createEndless(), Buffer.from('a secret')]));
    assert.equal(await computeCleanParts(file, 'jpeg', 1), null);
    const { full } = (await imaging.upload(file, { full: true })).renditions;
    assert.deepEqual([full!.width, full!.height, full!.data.includes('secret')], [310, 203, false]);
  });
});

const isDamaged = (error: unknown) => error instanceof ImageError && error.reason === 'format';

/** Returns the position of the last scan, or of an earlier one. */
function startOfLastScan(jpeg: Buffer, scans: number): number {
  let at = jpeg.length;
  for (let count = 0; count < scans; count++) at = jpeg.lastIndexOf(startOfScan, at - 1);
  return at;
}
