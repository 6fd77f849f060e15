import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { EditStep } from '../../../server/platform/imaging/edits/actions.ts';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import {
  createAnimation,
  createFolder,
  createQuarters,
  edit as editWith,
  isNear,
  pixelAt,
  type Rgba,
  red,
  startImaging,
} from './pictures.ts';

const write = createFolder();
const imaging = startImaging();
const edit = (file: string, steps: EditStep[]) => editWith(imaging, file, steps, {});

suite('straightening', () => {
  const plain: Rgba = [200, 220, 240, 255];
  for (const [width, height] of [
    [60, 40],
    [401, 299],
    [30, 200],
    [300, 7],
    [3, 5],
  ] as const) {
    test(`crops ${width} by ${height} pixels to a rectangle without empty corners, at any angle`, async () => {
      const file = write(
        's.png',
        await createQuarters(width, height, [plain, plain, plain, plain]).png().toBuffer(),
      );
      for (const angle of [-45, -10, -0.3, 0, 0.01, 1, 20.5, 44.9, 45]) {
        const { image } = await edit(file, [{ action: 'straighten', params: { angle } }]);
        const { data, info } = await sharp(image.data)
          .removeAlpha()
          .raw()
          .toBuffer({ resolveWithObject: true });
        assert.deepEqual([info.width, info.height], [image.width, image.height]);
        const darkest = data.reduce((one, other) => Math.min(one, other));
        assert.ok(darkest >= 198, `${angle}: darkest value ${darkest}`);
      }
    });
  }

  test('turns clockwise, and keeps most of the picture', async () => {
    const file = write('s.png', await createQuarters(200, 200).png().toBuffer());
    const { image } = await edit(file, [{ action: 'straighten', params: { angle: 45 } }]);
    // The largest square inside a square that is turned by 45 degrees has 0.707 of the side.
    assert.deepEqual([image.width, image.height], [139, 139]);
    const top = await pixelAt(image.data, 0.5, 0.1);
    assert.ok(isNear(top, red, 3), `the upper left quarter is at the top, not ${top}`);
  });

  test('turns every frame of an animation alike', async () => {
    const file = write('s.webp', await createAnimation('webp', 60, 40, 3));
    const { image } = await edit(file, [{ action: 'straighten', params: { angle: 10 } }]);
    assert.equal((await sharp(image.data).metadata()).pages, 3);
    assert.deepEqual([image.width, image.height], [53, 28]);
  });
});
