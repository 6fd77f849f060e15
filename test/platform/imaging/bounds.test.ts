/** The memory limit of a job is at least as high as the measured growth of the peak resident memory. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { estimateEditBytes, estimateUploadBytes } from '../../../server/platform/imaging/bounds.ts';
import { readPictureStructure } from '../../../server/platform/imaging/structure/read.ts';
import type { PictureStructure } from '../../../server/platform/imaging/structure/structure.ts';
import { createFolder, pngHeader, rgb8 } from './pictures.ts';

const MB = 1_000_000;

/** Returns the structure of an animated WebP with noise and transparency. */
function createAnimation(width: number, height: number, frames: number): PictureStructure {
  const decodedPixels = width * height;
  const samples = { sampleBytes: 4, isProgressive: false, hasAlpha: true };
  return { format: 'webp', width, height, frames, decodedPixels, ...samples };
}

suite('the bounds of animations', () => {
  const measured: [PictureStructure, { upload: number; full: number; edit: number }][] = [
    [createAnimation(3000, 2000, 6), { upload: 321, full: 822, edit: 661 }],
    [createAnimation(400, 300, 100), { upload: 169, full: 201, edit: 124 }],
  ];
  for (const [picture, { upload, full, edit }] of measured) {
    test(`${picture.width} by ${picture.height}, ${picture.frames} frames`, () => {
      assert.ok(estimateUploadBytes(picture, false) > upload * MB);
      assert.ok(estimateUploadBytes(picture, true) > full * MB);
      const turn = { action: 'rotate', params: { angle: 90 } } as const;
      assert.ok(estimateEditBytes(picture, picture, [turn]) > edit * 1.05 * MB);
    });
  }
});

suite('the bounds of long pictures include their rows', () => {
  const write = createFolder();
  /** Megabytes by which a server process grew during an upload, measured earlier. */
  const measured: [width: number, height: number, upload: number][] = [
    [65_535, 1_600, 187],
    [1_048_592, 80, 848],
    [2_097_168, 48, 1_533],
    [6_291_472, 16, 4_087],
    [50_000_000, 2, 5_209],
  ];
  for (const [width, height, upload] of measured) {
    test(`${width} by ${height}, also where a step turns it`, async () => {
      const wide = await readPictureStructure(write('wide.png', pngHeader(width, height, 0, rgb8)));
      const tall = await readPictureStructure(write('tall.png', pngHeader(height, width, 0, rgb8)));
      assert.ok(estimateUploadBytes(wide, false) > upload * MB);
      assert.ok(estimateUploadBytes(tall, false) > upload * MB);
    });
  }
});
