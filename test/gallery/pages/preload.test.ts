/** The document preloads some of the first photos before all others. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readBuiltAssets } from '../../../server/gallery/pages/built-assets.ts';
import { webBuildFolder } from '../../../server/platform/http/web-build.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

const skip = readBuiltAssets(webBuildFolder) ? false : 'the pages are not built: npm run build:web';

describe('the preload of the document', { skip }, () => {
  let gallery: Gallery;
  let ann: Person;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
  });
  after(() => gallery.close());

  const loadDocument = async (path: string) => (await fetch(gallery.url + path)).text();
  const preloads = (html: string) => [...html.matchAll(/<link rel="preload" as="image"[^>]*>/g)].map(String);
  const attribute = (tag: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1];

  test('is empty where there are no photos', async () => {
    assert.deepEqual(preloads(await loadDocument('/')), []);
  });

  test('names the image that a telephone shows largest, in the very file that its tile uses', async () => {
    const add = async (width: number, height: number) =>
      (await addPhoto(ann, {}, await createJpeg({ width, height, colour: '#678' }))).id;
    // The page shows the newest first: three squares fill a row, and the wide photo starts the next row.
    await add(500, 500);
    await add(500, 500);
    const wide = await add(1000, 500);
    for (let n = 0; n < 3; n++) await add(500, 500);
    const html = await loadDocument('/');
    const tile = new RegExp(`data-id="${wide}"><img[^>]*>`).exec(html)![0];
    const found = preloads(html);
    assert.equal(found.length, 1);
    assert.equal(attribute(found[0]!, 'imagesrcset'), attribute(tile, 'srcset'));
    assert.equal(attribute(found[0]!, 'imagesizes'), attribute(tile, 'sizes'));
    assert.equal(attribute(found[0]!, 'media'), '(max-width: 700px)');
    assert.ok(html.indexOf(found[0]!) < html.indexOf('<body>'));
  });
});
