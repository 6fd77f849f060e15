/** Small files with many segments are refused early, because a decoder stores or rescans each segment. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ImageError } from '../../../../server/platform/imaging/errors.ts';
import { sharp } from '../../../../server/platform/imaging/worker/sharp.ts';
import { createFolder, inspect } from '../pictures.ts';

const write = createFolder();
const dot = () => sharp({ create: { width: 1, height: 1, channels: 3, background: '#123456' } });

/** Creates a JPEG with many segments, before the picture or between the picture and its end. */
async function createJpeg(segments: number, { isLate = false, between = '' } = {}): Promise<Buffer> {
  const picture = await dot().jpeg().toBuffer();
  const at = isLate ? picture.length - 2 : 2;
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 2]), Buffer.from(between, 'latin1')]);
  return Buffer.concat([
    picture.subarray(0, at),
    Buffer.alloc(segments * segment.length, segment),
    picture.subarray(at),
  ]);
}

async function createWebp(frames: number): Promise<Buffer> {
  const picture = (await dot().webp({ lossless: true }).toBuffer()).subarray(12);
  const frame = chunk(
    'ANMF',
    Buffer.concat([Buffer.from('00000000000000000000000028000000', 'hex'), picture]),
  );
  const head = [chunk('VP8X', Buffer.from('02000000000000000000', 'hex')), chunk('ANIM', Buffer.alloc(6))];
  const body = [Buffer.from('WEBP'), ...head, Buffer.alloc(frames * frame.length, frame)];
  return chunk('RIFF', Buffer.concat(body));
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
}

function createGif(frames: number): Buffer {
  const frame = Buffer.from('2c0000000001000100000202440100', 'hex');
  const screen = Buffer.from('47494638396101000100800000000000ffffff', 'hex');
  return Buffer.concat([screen, Buffer.alloc(frames * frame.length, frame), Buffer.from(';')]);
}

suite('a file of more pieces than any camera or editor makes', () => {
  const FLOODS: [name: string, data: () => Promise<Buffer> | Buffer][] = [
    ['empty segments of a JPEG', () => createJpeg(2_000_000)],
    ['segments after its picture', () => createJpeg(1_000_000, { isLate: true })],
    ['segments with rubbish between them', () => createJpeg(1_000_000, { between: 'xx' })],
    ['frames of a WebP', () => createWebp(40_000)],
    ['frames of a GIF', () => createGif(1_000_000)],
  ];
  for (const [name, data] of FLOODS) {
    test(`${name}: refused before its decoder sees them`, async () => {
      const file = write('flood', await data());
      const memory = process.memoryUsage().rss;
      const start = process.cpuUsage();
      await assert.rejects(inspect(file), isTooLarge);
      const { user, system } = process.cpuUsage(start);
      assert.ok((user + system) / 1000 < 1000, `${(user + system) / 1000} ms of CPU`);
      // Limits the growth in memory to half of what a stored list of two million segments would need.
      const kept = process.memoryUsage().rss - memory;
      assert.ok(kept < 80e6, `${kept} bytes are kept`);
    });
  }

  test('is accepted when an editor may make it', async () => {
    assert.equal((await inspect(write('many.jpg', await createJpeg(9_000)))).format, 'jpeg');
    assert.equal((await inspect(write('many.webp', await createWebp(1_000)))).frames, 1_000);
    assert.equal((await inspect(write('many.gif', createGif(1_000)))).frames, 1_000);
  });
});

function isTooLarge(error: unknown): true {
  assert.ok(error instanceof ImageError, String(error));
  assert.equal(error.reason, 'too-large');
  return true;
}
