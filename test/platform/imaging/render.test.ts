import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { thumbHashToRGBA } from 'thumbhash';
import { ImageError } from '../../../server/platform/imaging/errors.ts';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import { corpusFile, withoutCorpus } from './corpus.ts';
import {
  createAnimation,
  createFolder,
  createQuarters,
  green,
  isNear,
  pixelAt,
  readQuarters,
  red,
  startImaging,
} from './pictures.ts';

const write = createFolder();
const imaging = startImaging();

async function renderFile(file: string, options?: { full?: boolean }) {
  return (await imaging.upload(file, options)).renditions;
}

async function render(name: string, data: Buffer, options?: { full?: boolean }) {
  return await renderFile(write(name, data), options);
}

const isOfFormat = (error: unknown) => error instanceof ImageError && error.reason === 'format';

suite('renditions of a still', () => {
  test('have the sizes and formats promised', async () => {
    const data = await createQuarters(2000, 1500).removeAlpha().jpeg().toBuffer();
    const { thumb, preview, full } = await render('a.jpg', data);
    assert.partialDeepStrictEqual(thumb, { format: 'webp', mime: 'image/webp', width: 400, height: 300 });
    assert.partialDeepStrictEqual(preview, { format: 'jpeg', extension: 'jpg', width: 1600, height: 1200 });
    assert.equal(full, undefined);
    for (const rendition of [thumb, preview]) {
      const { width, height, format, space } = await sharp(rendition.data).metadata();
      assert.deepEqual(
        [width, height, format, space],
        [rendition.width, rendition.height, rendition.format, 'srgb'],
      );
    }
  });

  test('are never larger than the original', async () => {
    const { thumb, preview } = await render('s.png', await createQuarters(30, 20).png().toBuffer());
    assert.deepEqual([thumb.width, thumb.height, preview.width, preview.height], [30, 20, 30, 20]);
  });

  test('are upright for every orientation', async () => {
    for (let orientation = 1; orientation <= 8; orientation++) {
      const upright = createQuarters(60, 40).removeAlpha();
      // Creates the stored picture that becomes upright when turned according to the tag.
      const stored = await turnedBack(await upright.png().toBuffer(), orientation);
      const { thumb, preview } = await render(
        'o.jpg',
        await stored.withMetadata({ orientation }).jpeg().toBuffer(),
      );
      for (const rendition of [thumb, preview]) {
        assert.deepEqual([rendition.width, rendition.height], [60, 40], `orientation ${orientation}`);
        const [topLeft, topRight] = await readQuarters(rendition.data);
        assert.ok(isNear(topLeft!, red, 30) && isNear(topRight!, green, 30), `orientation ${orientation}`);
      }
    }
  });

  test('hold no metadata', async () => {
    const exif = {
      IFD0: { Make: 'Acme', Copyright: 'Secret' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    };
    const data = await createQuarters(60, 40)
      .removeAlpha()
      .withExif(exif)
      .withXmp('<x:xmpmeta>Secret</x:xmpmeta>')
      .jpeg()
      .toBuffer();
    for (const rendition of Object.values(await render('m.jpg', data, { full: true }))) {
      if (typeof rendition === 'string') continue;
      const { exif, xmp, iptc, icc, comments } = await sharp(rendition.data).metadata();
      assert.deepEqual(
        [exif, xmp, iptc, icc, comments],
        [undefined, undefined, undefined, undefined, undefined],
      );
      assert.ok(!rendition.data.includes('Secret') && !rendition.data.includes('Acme'));
    }
  });

  test('keep transparency, in WebP', async () => {
    const colour: [number, number, number, number] = [200, 100, 50, 128];
    const data = await createQuarters(2000, 1000, Array(4).fill(colour)).png().toBuffer();
    const { thumb, preview } = await render('t.png', data);
    assert.equal(preview.format, 'webp');
    for (const rendition of [thumb, preview])
      assert.ok(isNear(await pixelAt(rendition.data, 0.5, 0.5), colour, 6));
  });

  test('are sRGB whatever the original was', async () => {
    const wide = await createQuarters(60, 40).removeAlpha().withIccProfile('p3').png().toBuffer();
    const cmyk = await createQuarters(60, 40)
      .removeAlpha()
      .toColourspace('cmyk')
      .jpeg({ quality: 95 })
      .toBuffer();
    const deep = await createQuarters(60, 40).toColourspace('rgb16').png().toBuffer();
    const grey = await createQuarters(60, 40).removeAlpha().toColourspace('b-w').jpeg().toBuffer();
    for (const [name, data] of Object.entries({ wide, cmyk, deep })) {
      const { thumb, preview } = await render(name, data);
      const [r, g, b] = await pixelAt(thumb.data, 0.75, 0.25);
      assert.ok(g > r + 50 && g > b + 50, `${name}: ${r}, ${g}, ${b}`);
      assert.equal((await sharp(preview.data).metadata()).space, 'srgb', name);
    }
    assert.ok(isNear(await pixelAt((await render('wide', wide)).thumb.data, 0.75, 0.25), green));
    const [r, g, b] = await pixelAt((await render('grey', grey)).thumb.data, 0.75, 0.25);
    assert.ok(r === g && g === b);
  });

  test('work for extreme shapes', async () => {
    for (const [width, height] of [
      [1, 1],
      [1, 8000],
      [100_000, 1],
      [20_000, 300],
    ] as const) {
      const flat = sharp({ create: { width, height, channels: 3, background: '#00ff00' } });
      const { thumb, preview, full } = await render('x.png', await flat.png().toBuffer(), { full: true });
      assert.ok(Math.max(thumb.width, thumb.height) <= 400 && Math.min(thumb.width, thumb.height) >= 1);
      assert.ok(Math.max(preview.width, preview.height) <= 1600);
      assert.deepEqual([full?.width, full?.height], [width, height]);
    }
  });

  test('come with a placeholder in their colours', async () => {
    const { placeholder } = await render('p.png', await createQuarters(300, 200).png().toBuffer());
    assert.ok(placeholder.length < 50);
    const { w, h, rgba } = thumbHashToRGBA(Buffer.from(placeholder, 'base64'));
    assert.ok(w > h);
    assert.ok(rgba[0]! > rgba[2]! + 40, 'red at the top left');
  });

  test('include the full size where browsers need it', async () => {
    const picture = createQuarters(500, 400);
    const tiff = await render('a.tif', await picture.clone().removeAlpha().tiff().toBuffer());
    const avif = await render('a.avif', await picture.clone().avif({ effort: 0 }).toBuffer());
    assert.partialDeepStrictEqual(tiff.full, { format: 'jpeg', width: 500, height: 400 });
    assert.partialDeepStrictEqual(avif.full, { format: 'webp', width: 500, height: 400 });
    assert.ok(isNear(await pixelAt(tiff.thumb.data, 0.25, 0.25), red));
  });

  test('are refused for a damaged picture, also one so long that its copy is a PNG', async () => {
    const whole = await sharp({ create: { width: 1, height: 70_000, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    for (const share of [0.2, 0.5, 0.9]) {
      const cut = write(`cut-${share}.png`, whole.subarray(0, whole.length * share));
      await assert.rejects(renderFile(cut, { full: true }), isOfFormat);
    }
  });
});

suite('renditions of an animation', () => {
  for (const format of ['gif', 'webp'] as const) {
    test(`keep its frames and their times (${format})`, async () => {
      const original = await createAnimation(format, 900, 600, 5);
      const { thumb, preview, full } = await render(`a.${format}`, original, { full: true });
      assert.deepEqual([thumb.width, thumb.height], [400, 267]);
      for (const rendition of [thumb, preview, full!]) {
        const { pages, delay, loop } = await sharp(rendition.data).metadata();
        assert.deepEqual([pages, delay, loop], [5, [100, 120, 140, 160, 180], 2]);
        for (const page of [0, 3]) {
          const [is, was] = [
            await pixelAt(rendition.data, 0.2, 0.2, page),
            await pixelAt(original, 0.2, 0.2, page),
          ];
          assert.ok(isNear(is, was, 20), `frame ${page}: ${is} is not ${was}`);
        }
      }
    });
  }

  test('have smaller frames when there are very many', async () => {
    const { thumb, preview } = await render('long.gif', await createAnimation('gif', 400, 300, 400));
    const { pages } = await sharp(preview.data).metadata();
    assert.equal(pages, 400);
    assert.ok(preview.width * preview.height * 400 <= 40_500_000 && preview.width < 400);
    assert.ok(thumb.width * thumb.height * 400 <= 10_500_000);
  });
});

suite('an undecodable picture is refused:', () => {
  const PICTURES = {
    jpeg: () => createQuarters(800, 600).removeAlpha().jpeg(),
    'progressive jpeg': () => createQuarters(800, 600).removeAlpha().jpeg({ progressive: true }),
    png: () => createQuarters(800, 600).png({ compressionLevel: 0 }),
    webp: () => createQuarters(800, 600).webp({ lossless: true }),
    tiff: () => createQuarters(800, 600).tiff({ compression: 'lzw' }),
    avif: () => createQuarters(800, 600).avif({ effort: 0 }),
  };
  for (const [name, picture] of Object.entries(PICTURES)) {
    test(`half a ${name}`, async () => {
      const data = await picture().toBuffer();
      await assert.rejects(
        () => render('half', data.subarray(0, data.length / 2)),
        (error) => error instanceof ImageError && error.reason === 'format',
      );
    });
  }

  test('a photo that ends a little early', { skip: withoutCorpus }, async () => {
    await assert.rejects(renderFile(corpusFile('bad/gen/trunc/jpg_99.jpg')), ImageError);
  });
});

/** Returns the picture in the form in which it must be stored, so that `orientation` turns it upright. */
async function turnedBack(upright: Buffer, orientation: number) {
  const turns = [0, 0, 0, 180, 180, 90, 270, 270, 90][orientation]!;
  const isMirrored = [2, 4, 5, 7].includes(orientation);
  const turned = await sharp(upright).rotate(turns).png().toBuffer();
  return isMirrored ? sharp(await sharp(turned).flop().png().toBuffer()) : sharp(turned);
}
