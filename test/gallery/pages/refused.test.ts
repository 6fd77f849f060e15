/** Browsers get an HTML page for every error, never JSON. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { readBuiltAssets } from '../../../server/gallery/pages/built-assets.ts';
import { DatabaseUnavailable } from '../../../server/platform/db/dialect.ts';
import { webBuildFolder } from '../../../server/platform/http/web-build.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createRequestHead, exchangeRaw } from '../../support/raw.ts';

const skip = readBuiltAssets(webBuildFolder) ? false : 'the pages are not built: npm run build:web';

describe('a page', { skip }, () => {
  let gallery: Gallery;
  let ann: Person;
  let photo: number;
  let link: string;
  let reads: Pick<Gallery['deps']['db'], 'slow' | 'kysely'>;

  before(async () => {
    gallery = await startGallery();
    const { slow, kysely } = gallery.deps.db;
    reads = { slow, kysely };
    ann = await register(gallery, 'ann');
    photo = (await addPhoto(ann)).id;
    link = new URL((await ann.post(`/api/photos/${photo}/share`, { type: 'link' })).body.data.url).pathname;
  });
  afterEach(() => void Object.assign(gallery.deps.db, reads));
  after(() => gallery?.close());

  /** Breaks all later reads of the database, until the end of the test. */
  function breakReads(error: Error): void {
    const fail = () => {
      throw error;
    };
    const broken = new Proxy({}, { get: () => fail });
    Object.assign(gallery.deps.db, { slow: fail, kysely: broken });
  }

  async function load(path: string) {
    const { status, headers, bytes } = await asVisitor(gallery).get(path, { accept: 'text/html' });
    assert.match(headers.get('content-type')!, /^text\/html/, path);
    return { status, headers, html: bytes.toString() };
  }

  for (const [status, error] of [
    [503, new DatabaseUnavailable('away')],
    [500, new TypeError('a mistake of ours')],
  ] as const) {
    test(`is one while its reads fail, with status ${status}`, async () => {
      breakReads(error);
      for (const path of ['/', `/photos/${photo}`, '/albums/1', '/sign-in', '/admin', link, '/nowhere']) {
        const answer = await load(path);
        assert.equal(answer.status, status, path);
        if (path !== link) assert.match(answer.html, /<script type="module"/, 'it asks again by itself');
        assert.doesNotMatch(answer.html, /away|mistake|id="data"/);
        if (status === 503) assert.ok(Number(answer.headers.get('retry-after')) > 0, path);
      }
      assert.ok(gallery.complaints().splice(0).length > 0);
    });
  }

  test('is one where its address cannot be read', async () => {
    for (const path of ['/photos/%ff', `${link}%ff`, `${link}?page=x`]) {
      assert.equal((await load(path)).status, 400, path);
    }
    const answer = await exchangeRaw(
      gallery,
      createRequestHead('GET', '/api/photos/%ff', { Accept: 'application/json' }),
    );
    assert.deepEqual([answer.status, answer.body.code], [400, 400]);
  });

  test('causes no other error', () => assert.deepEqual(gallery.complaints(), []));
});
