/** What jobs are said to hold is no less than what was measured of them, as growth of the largest resident memory. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Inspection } from '../../../server/platform/imaging/inspect.ts';
import { editBytes, uploadBytes } from '../../../server/platform/imaging/queue/weights.ts';
import { createFolder, inspect, pngHeader, rgb8 } from './pictures.ts';

const MB = 1_000_000;

/** A WebP of noise, transparency included. */
function animationOf(width: number, height: number, frames: number): Inspection {
  const heldBytes = Math.round(width * height * 4.5);
  const size = { width, height, frames, heldBytes, channels: 4, hasAlpha: true, orientation: 1 };
  return { ...size, format: 'webp', mime: 'image/webp', extension: 'webp' };
}

suite('the weights of animations', () => {
  const measured: [Inspection, { upload: number; full: number; edit: number }][] = [
    [animationOf(3000, 2000, 6), { upload: 321, full: 822, edit: 661 }],
    [animationOf(400, 300, 100), { upload: 169, full: 201, edit: 124 }],
  ];
  for (const [picture, { upload, full, edit }] of measured) {
    test(`${picture.width} by ${picture.height}, ${picture.frames} frames`, () => {
      assert.ok(uploadBytes(picture) > upload * MB);
      assert.ok(uploadBytes(picture, true) > full * MB);
      const turn = { action: 'rotate', params: { angle: 90 } } as const;
      assert.ok(editBytes(picture, [turn]) > edit * 1.05 * MB);
    });
  }
});

suite('the weights of long pictures have their rows', () => {
  const write = createFolder();
  /** Megabytes by which a server grew during its upload. */
  const measured: [width: number, height: number, upload: number][] = [
    [65_535, 1_600, 187],
    [1_048_592, 80, 848],
    [2_097_168, 48, 1_533],
    [6_291_472, 16, 4_087],
    [50_000_000, 2, 5_209],
  ];
  for (const [width, height, upload] of measured) {
    test(`${width} by ${height}, also where a step turns it`, async () => {
      const wide = await inspect(write('wide.png', pngHeader(width, height, 0, rgb8)));
      const tall = await inspect(write('tall.png', pngHeader(height, width, 0, rgb8)));
      assert.ok(uploadBytes(wide) > upload * MB);
      assert.ok(uploadBytes(tall) > upload * MB);
    });
  }
});
