import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { EditStep } from '../../../server/platform/imaging/edits/actions.ts';
import {
  AbandonedJobError,
  EditError,
  ImageError,
  QueueFullError,
} from '../../../server/platform/imaging/errors.ts';
import type { EditJobOptions } from '../../../server/platform/imaging/imaging.ts';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import {
  blue,
  createAnimation,
  createFolder,
  createQuarters,
  edit as editWith,
  green,
  isNear,
  pixelAt,
  type Rgba,
  readQuarters,
  red,
  startImaging,
  yellow,
} from './pictures.ts';

const write = createFolder();
const imaging = startImaging();
const edit = (file: string, steps: EditStep[], options: Partial<EditJobOptions> = {}) =>
  editWith(imaging, file, steps, options);

/** The expected result of each edit step on a 60 by 40 image with red, green, blue and yellow quarters. */
const geometry: { name: string; step: EditStep; size: [number, number]; quarters: Rgba[] }[] = [
  {
    name: 'rotate 90 turns clockwise',
    step: { action: 'rotate', params: { angle: 90 } },
    size: [40, 60],
    quarters: [blue, red, yellow, green],
  },
  {
    name: 'rotate 180',
    step: { action: 'rotate', params: { angle: 180 } },
    size: [60, 40],
    quarters: [yellow, blue, green, red],
  },
  {
    name: 'rotate 270',
    step: { action: 'rotate', params: { angle: 270 } },
    size: [40, 60],
    quarters: [green, yellow, red, blue],
  },
  {
    name: 'flip h swaps left and right',
    step: { action: 'flip', params: { direction: 'h' } },
    size: [60, 40],
    quarters: [green, red, yellow, blue],
  },
  {
    name: 'flip v swaps top and bottom',
    step: { action: 'flip', params: { direction: 'v' } },
    size: [60, 40],
    quarters: [blue, yellow, red, green],
  },
  {
    name: 'crop keeps the part asked for',
    step: { action: 'crop', params: { x: 30, y: 0, width: 30, height: 20 } },
    size: [30, 20],
    quarters: [green, green, green, green],
  },
  {
    name: 'resize to both sides',
    step: { action: 'resize', params: { width: 120, height: 40 } },
    size: [120, 40],
    quarters: [red, green, blue, yellow],
  },
  {
    name: 'resize by one side keeps the ratio',
    step: { action: 'resize', params: { height: 20 } },
    size: [30, 20],
    quarters: [red, green, blue, yellow],
  },
];

suite('steps of geometry', () => {
  for (const { name, step, size, quarters: expected } of geometry) {
    test(name, async () => {
      const file = write('g.png', await createQuarters(60, 40).png().toBuffer());
      const { image } = await edit(file, [step]);
      assert.deepEqual([image.width, image.height, image.format], [...size, 'png']);
      assertQuarters(await readQuarters(image.data), expected, 1);
    });

    test(`${name}, frame by frame`, async () => {
      for (const format of ['gif', 'webp'] as const) {
        const file = write(`g.${format}`, await createAnimation(format, 60, 40, 3));
        const { image, thumb, preview } = await edit(file, [step]);
        const editStill = async (page: number) => {
          const still = write('still.png', await sharp(file, { page }).png().toBuffer());
          return readQuarters((await edit(still, [step])).image.data);
        };
        for (const rendition of [image, thumb, preview]) {
          const { pages, delay, loop } = await sharp(rendition.data).metadata();
          assert.deepEqual([pages, delay, loop], [3, [100, 120, 140], 2], rendition.format);
        }
        assert.deepEqual([image.width, image.height], size);
        for (const page of [0, 1, 2])
          assertQuarters(await readQuarters(image.data, page), await editStill(page));
      }
    });
  }
});

suite('filters', () => {
  const GREY: Rgba = [100, 150, 200, 255];
  const FILTERED: { type: string; value?: number; from?: Rgba; expected: Rgba }[] = [
    { type: 'grayscale', expected: [143, 143, 143, 255] },
    { type: 'sepia', expected: [192, 171, 133, 255] },
    { type: 'invert', expected: [155, 105, 55, 255] },
    { type: 'brightness', value: 20, expected: [120, 180, 240, 255] },
    { type: 'brightness', value: -100, expected: [0, 0, 0, 255] },
    { type: 'contrast', value: 100, expected: [72, 172, 255, 255] },
    { type: 'contrast', value: -100, expected: [127, 127, 127, 255] },
    { type: 'saturation', value: -100, expected: [143, 143, 143, 255] },
    { type: 'saturation', value: 0, expected: GREY },
    { type: 'hue', value: 0, expected: GREY },
    { type: 'hue', value: 180, expected: [186, 136, 86, 255] },
    { type: 'temperature', value: 0, expected: GREY },
    { type: 'temperature', value: 100, expected: [125, 150, 150, 255] },
    { type: 'temperature', value: -100, from: [100, 150, 200, 128], expected: [75, 150, 250, 128] },
    { type: 'shadows', value: 0, expected: GREY },
    { type: 'shadows', value: 100, expected: [137, 175, 209, 255] },
    { type: 'shadows', value: -100, from: [0, 30, 255, 255], expected: [0, 7, 255, 255] },
    { type: 'highlights', value: 100, expected: [124, 186, 234, 255] },
    { type: 'highlights', value: -50, from: [100, 150, 200, 128], expected: [88, 132, 183, 128] },
    { type: 'blur', value: 3, expected: GREY },
    { type: 'sharpen', value: 2, expected: GREY },
    { type: 'invert', from: [100, 150, 200, 128], expected: [155, 105, 55, 128] },
    { type: 'sepia', from: [100, 150, 200, 128], expected: [192, 171, 133, 128] },
    { type: 'contrast', value: 100, from: [100, 150, 200, 128], expected: [72, 172, 255, 128] },
  ];

  for (const { type, value, from = GREY, expected } of FILTERED) {
    test(`${type} ${value ?? ''} of ${from}`, async () => {
      const file = write('f.png', await createQuarters(20, 20, [from, from, from, from]).png().toBuffer());
      const params = value === undefined ? { type } : { type, value };
      const { image } = await edit(file, [{ action: 'filter', params }]);
      const actual = await pixelAt(image.data, 0.5, 0.5);
      assert.ok(isNear(actual, expected, 2), `${actual} is not ${expected}`);
    });
  }

  test('blur mixes and sharpen parts what lies beside an edge', async () => {
    const dark: Rgba = [80, 80, 80, 255];
    const light: Rgba = [160, 160, 160, 255];
    const file = write('e.png', await createQuarters(40, 40, [dark, light, dark, light]).png().toBuffer());
    const edge = async (type: string, value: number) => {
      const { image } = await edit(file, [{ action: 'filter', params: { type, value } }]);
      return (await pixelAt(image.data, 0.49, 0.5))[0];
    };
    assert.ok((await edge('blur', 5)) > 95);
    assert.ok((await edge('sharpen', 2)) < 75);
  });

  test('reach every frame of an animation', async () => {
    const file = write('f.gif', await createAnimation('gif', 40, 40, 3));
    const step: EditStep = { action: 'filter', params: { type: 'invert' } };
    const { image } = await edit(file, [step]);
    for (const page of [0, 1, 2]) {
      const [was, is] = [
        await pixelAt(await sharp(file, { page }).png().toBuffer(), 0.2, 0.2),
        await pixelAt(image.data, 0.2, 0.2, page),
      ];
      assert.ok(isNear(is, [255 - was[0], 255 - was[1], 255 - was[2], 255]), `${page}: ${was} became ${is}`);
    }
  });
});

suite('histories', () => {
  const hasty = startImaging({}, { seconds: { edit: 1 } });

  test('are replayed in their order', async () => {
    const file = write('h.png', await createQuarters(60, 40).png().toBuffer());
    const steps: EditStep[] = [
      { action: 'rotate', params: { angle: 90 } }, // After this step, blue and red are above yellow and green.
      { action: 'crop', params: { x: 0, y: 0, width: 40, height: 30 } }, // After this step, blue is left of red.
      { action: 'flip', params: { direction: 'h' } }, // After this step, red is left of blue.
      { action: 'resize', params: { width: 80 } },
      { action: 'filter', params: { type: 'invert' } },
    ];
    const { image } = await edit(file, steps);
    assert.deepEqual([image.width, image.height], [80, 60]);
    assert.ok(isNear(await pixelAt(image.data, 0.2, 0.5), [35, 225, 225, 255], 2));
    assert.ok(isNear(await pixelAt(image.data, 0.8, 0.5), [225, 225, 35, 255], 2));
  });

  test('start from the upright image', async () => {
    const turned = await createQuarters(60, 40)
      .removeAlpha()
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { image } = await edit(write('o.jpg', turned), [{ action: 'flip', params: { direction: 'h' } }]);
    assert.deepEqual([image.width, image.height, image.format], [40, 60, 'jpeg']);
    assertQuarters(await readQuarters(image.data), [red, blue, green, yellow]);
    assert.equal((await sharp(image.data).metadata()).exif, undefined);
  });

  test('lose no more by ten steps than by one', async () => {
    const file = write('t.jpg', await createQuarters(64, 64).removeAlpha().jpeg({ quality: 95 }).toBuffer());
    const flip: EditStep = { action: 'flip', params: { direction: 'h' } };
    const once = await edit(file, []);
    const tenTimes = await edit(file, Array(10).fill(flip));
    assert.deepEqual(tenTimes.image.data, once.image.data);
  });

  test('write what browsers show', async () => {
    const flip: EditStep = { action: 'flip', params: { direction: 'v' } };
    const picture = createQuarters(40, 40);
    const editFormat = async (name: string, data: Buffer) =>
      (await edit(write(name, data), [flip])).image.format;
    assert.equal(await editFormat('a.webp', await picture.clone().webp().toBuffer()), 'webp');
    assert.equal(await editFormat('a.tif', await picture.clone().removeAlpha().tiff().toBuffer()), 'jpeg');
    assert.equal(
      await editFormat('b.tif', await picture.clone().tiff({ compression: 'lzw' }).toBuffer()),
      'webp',
    );
    assert.equal(
      await editFormat('a.avif', await picture.clone().removeAlpha().avif({ effort: 0 }).toBuffer()),
      'jpeg',
    );
    const long = await sharp({ create: { width: 17_000, height: 4, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    assert.equal(await editFormat('long.jpg', long), 'png');
  });

  test('end when their time is over, however short each step is', async () => {
    const source = write('long.png', await createQuarters(1500, 1000).png().toBuffer());
    const blur: EditStep = { action: 'filter', params: { type: 'blur', value: 20 } };
    await edit(source, [blur]);
    await assert.rejects(
      unlessBusy(() => editWith(hasty, source, Array<EditStep>(200).fill(blur))),
      (error) => error instanceof ImageError && error.reason === 'too-large',
    );
    await assert.rejects(edit(source, [blur], { signal: AbortSignal.abort() }), AbandonedJobError);
  });

  test('are refused for an animation that is larger than WebP, its storage format, allows', async () => {
    const source = write('long.gif', await createAnimation('gif', 17_000, 8, 2));
    await assert.rejects(
      edit(source, [{ action: 'rotate', params: { angle: 90 } }]),
      (error) => error instanceof ImageError && error.reason === 'too-large',
    );
    const crop: EditStep = { action: 'crop', params: { x: 0, y: 0, width: 500, height: 8 } };
    const { image } = await edit(source, [crop, { action: 'rotate', params: { angle: 90 } }]);
    assert.deepEqual([image.width, image.height], [8, 500]);
  });

  test('are refused by field when they fit no longer', async () => {
    const file = write('s.png', await createQuarters(60, 40).png().toBuffer());
    const crop: EditStep = { action: 'crop', params: { x: 0, y: 0, width: 50, height: 40 } };
    await assert.rejects(
      edit(file, [{ action: 'rotate', params: { angle: 90 } }, crop]),
      (error) => error instanceof EditError && 'params.width' in error.errors,
    );
  });
});

/**
 * Repeats the work while the queue is full. On a busy machine, a worker may reach its deadline with too little CPU
 * time to blame the picture.
 */
async function unlessBusy<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
    }
  }
}

function assertQuarters(actual: Rgba[], expected: Rgba[], tolerance?: number): void {
  actual.forEach((colour, index) => {
    assert.ok(
      isNear(colour, expected[index]!, tolerance),
      `quarter ${index}: ${colour} is not ${expected[index]}`,
    );
  });
}
