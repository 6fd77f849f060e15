/** The pixel check detects a picture that does not show its edit steps, in every size and format. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import type { Step } from '../../torture/load/ledger.ts';
import { afterSteps, difference } from '../../torture/load/pixels.ts';
import { makePictures } from '../../torture/load/uploads.ts';

const steps: Step[][] = [
  [],
  ...[90, 180, 270].map((angle) => [{ action: 'rotate', params: { angle } }]),
  ...['h', 'v'].map((direction) => [{ action: 'flip', params: { direction } }]),
  [{ action: 'filter', params: { type: 'invert' } }],
  [
    { action: 'flip', params: { direction: 'h' } },
    { action: 'rotate', params: { angle: 90 } },
    { action: 'crop', params: { x: 0, y: 0, width: 110, height: 110 } },
  ],
];

test('a turn that was not made is told from one that was, and what lossy formats lose is not told', async () => {
  const [small, , tall] = await makePictures();
  for (const { bytes, width } of [small!, tall!]) {
    const all = await Promise.all(steps.map((one) => afterSteps(bytes, one)));
    for (const [made, one] of steps.entries()) {
      const expected = all[made]!;
      const shown = [
        sharp(expected).jpeg({ quality: 60 }),
        sharp(expected).resize({ width: 120 }).webp({ quality: 60 }),
      ];
      for (const image of shown) {
        const served = await image.toBuffer();
        assert.equal(await difference(served, expected), undefined, `${width} ${JSON.stringify(one)}`);
        for (const [told, other] of steps.entries()) {
          if (told === made) continue;
          assert.match(
            (await difference(served, all[told]!)) ?? 'taken for the same',
            /^differs by/,
            `${width} ${JSON.stringify([one, other])}`,
          );
        }
      }
    }
  }
});
