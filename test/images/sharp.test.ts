import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runByWeight } from '../../server/imaging/heavy.ts';
import { HEAVY_BYTES } from '../../server/imaging/limits.ts';
import { sharp } from '../../server/imaging/sharp.ts';
import { createFolder } from './pictures.ts';

const write = createFolder();

suite('sharp', () => {
  test('is 0.35.5 or newer', () => {
    const [major, minor, patch] = sharp.versions.sharp!.split('.').map(Number) as [number, number, number];
    assert.ok(major > 0 || minor > 35 || (minor === 35 && patch >= 5), sharp.versions.sharp);
  });

  test('loads no SVG, neither from memory nor from a file called otherwise', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    );
    await assert.rejects(sharp(svg).metadata());
    await assert.rejects(sharp(write('picture.png', svg)).png().toBuffer());
  });

  test("loads none of libvips' own files, which skip every check", async () => {
    const file = write('picture.v', Buffer.alloc(0));
    await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } }).toFile(file);
    await assert.rejects(sharp(file).metadata());
  });

  test('keeps no cache of files', () => {
    assert.equal(sharp.cache().files.max, 0);
  });
});

test('what is heavy runs alone, what is light does not wait for it', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = runByWeight(HEAVY_BYTES + 1, async () => {
    await gate;
    order.push('first');
  });
  const second = runByWeight(HEAVY_BYTES + 1, async () => order.push('second'));
  await runByWeight(1_000, async () => order.push('light'));
  open();
  await Promise.all([first, second]);
  assert.deepEqual(order, ['light', 'first', 'second']);
});
