import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import { createFolder } from './pictures.ts';

const write = createFolder();

suite('sharp', () => {
  test('is 0.35.5 or newer', () => {
    const [major, minor, patch] = sharp.versions.sharp!.split('.').map(Number) as [number, number, number];
    assert.ok(major > 0 || minor > 35 || (minor === 35 && patch >= 5), sharp.versions.sharp);
  });

  test('loads no SVG, neither from memory nor from a file with another name', async () => {
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
