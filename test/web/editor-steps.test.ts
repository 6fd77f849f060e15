/** Compares the edit steps in the editor with the steps on the server. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EditStep } from '../../server/platform/imaging/edits/actions.ts';
import { checkEditStep } from '../../server/platform/imaging/edits/check.ts';
import {
  addTurnStep,
  computeSizeAfterStep,
  fitCropsToPicture,
  setFilterStep,
  toPixelCrop,
} from '../../web/editor/steps.ts';

describe('steps of an edit', () => {
  test('the editor computes the same sizes as the server, to the pixel', () => {
    const sizes = [
      { width: 950, height: 634 },
      { width: 333, height: 1000 },
      { width: 1, height: 3 },
    ];
    const steps: EditStep[] = [
      { action: 'crop', params: { x: 0, y: 0, width: 1, height: 1 } },
      ...([90, 180, 270] as const).map((angle) => ({ action: 'rotate' as const, params: { angle } })),
      { action: 'flip', params: { direction: 'h' } },
      ...[-45, -0.1, 0, 3.7, 45].map((angle) => ({ action: 'straighten' as const, params: { angle } })),
      ...[1, 7, 100, 999].flatMap((side) => [
        { action: 'resize' as const, params: { width: side } },
        { action: 'resize' as const, params: { height: side } },
      ]),
      { action: 'filter', params: { type: 'hue', value: 30 } },
    ];
    for (const size of sizes)
      for (const step of steps)
        assert.deepEqual(
          computeSizeAfterStep(size, step),
          checkEditStep(size, step),
          JSON.stringify([size, step]),
        );
  });

  test('a crop of any part has whole pixels inside the picture', () => {
    const size = { width: 7, height: 5 };
    for (let x = 0; x <= 1; x += 0.09) {
      for (let width = 0; x + width <= 1.0001; width += 0.07) {
        const params = toPixelCrop(size, { x, y: x, width, height: width });
        assert.deepEqual(checkEditStep(size, { action: 'crop', params }), {
          width: params.width,
          height: params.height,
        });
      }
    }
  });

  test('the remaining edit steps fit when a step in the middle is removed', () => {
    const turn: EditStep = { action: 'rotate', params: { angle: 90 } };
    const low: EditStep = { action: 'crop', params: { x: 10, y: 60, width: 40, height: 30 } };
    const size = { width: 100, height: 50 };
    assert.deepEqual(fitCropsToPicture(size, [turn, low]), [turn, low]);
    assert.deepEqual(fitCropsToPicture(size, [low]), []);
    const wide: EditStep = { action: 'crop', params: { x: 10, y: 20, width: 40, height: 80 } };
    assert.deepEqual(fitCropsToPicture(size, [wide]), [
      { action: 'crop', params: { x: 10, y: 20, width: 40, height: 30 } },
    ]);
  });

  test('four turns cancel out, and each filter appears once', () => {
    let steps: EditStep[] = [];
    for (let n = 0; n < 4; n++) steps = addTurnStep(steps, 90);
    assert.deepEqual(steps, []);
    steps = setFilterStep(setFilterStep(addTurnStep([], 270), 'contrast', 20), 'contrast', 30);
    assert.deepEqual(steps, [
      { action: 'rotate', params: { angle: 270 } },
      { action: 'filter', params: { type: 'contrast', value: 30 } },
    ]);
    assert.deepEqual(setFilterStep(steps, 'contrast', undefined), addTurnStep([], 270));
  });
});
