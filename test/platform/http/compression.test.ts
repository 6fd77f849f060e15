import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, register } from '../../support/people.ts';

/** Title of a photo. A list with six such titles is large enough to be compressed. */
const words = 'The old harbour in the evening light. '.repeat(5).trim();

describe('answers in JSON', () => {
  let gallery: Gallery;
  let plainGallery: Gallery;
  let ann: Person;

  before(async () => {
    gallery = await startGallery();
    plainGallery = await startGallery({ compression: false });
    ann = await register(gallery, 'ann');
    for (let n = 0; n < 6; n++) await addPhoto(ann, { title: `${n} ${words}` });
  });
  after(async () => {
    await gallery?.close();
    await plainGallery?.close();
  });

  /** Requests a path and returns the response bytes as sent, without decompressing them. */
  async function ask(path: string, accepted?: string, { place = gallery, method = 'GET' } = {}) {
    const { url } = place;
    const { promise, resolve, reject } = Promise.withResolvers<{
      headers: IncomingHttpHeaders;
      bytes: Buffer;
    }>();
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    request(url + path, { method, headers }, async (answer) => {
      resolve({ headers: answer.headers, bytes: Buffer.concat(await answer.toArray()) });
    })
      .on('error', reject)
      .end();
    return promise;
  }

  test('are compressed for who asks, and the same for all', async () => {
    const plain = await ask('/api/photos');
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.match(plain.headers.vary!, /\bAccept-Encoding\b/);
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
      ['gzip, deflate, br', 'gzip', gunzipSync],
      ['gzip, deflate', 'gzip', gunzipSync],
      ['zstd;q=0.5, br', 'zstd', zstdDecompressSync],
      ['gzip;q=1.0, zstd;q=0.5', 'gzip', gunzipSync],
      ['zstd;q=0, gzip', 'gzip', gunzipSync],
      ['*', 'zstd', zstdDecompressSync],
      ['zstd;q=0, *', 'gzip', gunzipSync],
      ['*, zstd;q=0.000', 'gzip', gunzipSync],
      ['ZSTD ; q=0, , GZip\t; Q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const { headers, bytes } = await ask('/api/photos', accepted);
      assert.equal(headers['content-encoding'], encoding, accepted);
      assert.match(headers.vary!, /Authorization, Cookie, Accept-Encoding$/);
      assert.equal(Number(headers['content-length']), bytes.length);
      assert.ok(bytes.length < plain.bytes.length / 2);
      assert.deepEqual(decode(bytes), plain.bytes);
      const { headers: onlyHead } = await ask('/api/photos', accepted, { method: 'HEAD' });
      assert.equal(onlyHead['content-encoding'], encoding);
    }
  });

  test('are each a whole of its own', async () => {
    const paths = ['', '?limit=5', '?order=asc', '?limit=4&page=1', '?sort=title'].map(
      (query) => `/api/photos${query}`,
    );
    for (const [encoding, decode] of [
      ['zstd', zstdDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const answers = await Promise.all(paths.map((path) => ask(path, encoding)));
      for (const [index, { headers, bytes }] of answers.entries()) {
        assert.equal(headers['content-encoding'], encoding);
        assert.deepEqual(decode(bytes), (await ask(paths[index]!)).bytes);
      }
    }
  });

  test('are not compressed for who does not ask, or asks for what there is not', async () => {
    const plain = await ask('/api/photos');
    for (const accepted of [
      '',
      'identity',
      'deflate',
      'br',
      'zstd;q=0',
      '*, gzip;q=0, zstd;q=0',
      'gzip;q=none',
      'gzip;q=2',
      'gzip br',
      'gzip;q=0, *;q=0',
      'x',
      `${'x, '.repeat(100)}gzip`,
    ]) {
      const { headers, bytes } = await ask('/api/photos', accepted);
      assert.equal(headers['content-encoding'], undefined, accepted);
      assert.deepEqual(bytes, plain.bytes);
    }
  });

  test('stay as they are where they are small, or no JSON', async () => {
    const small = await ask('/api/photos?limit=1', 'gzip, br');
    assert.equal(small.headers['content-encoding'], undefined);
    const { thumb } = (await ann.get('/api/photos')).body.data.list[0];
    const image = await ask(thumb, 'gzip, br');
    assert.equal(image.headers['content-encoding'], undefined);
    assert.equal(image.headers['content-type'], 'image/webp');
  });

  test('are compressed as the client accepts, as are the pages about the API', async () => {
    for (const path of ['/openapi.json', '/docs']) {
      const plain = await ask(path);
      for (const accepted of ['gzip', '*', 'br, gzip;q=0.1', 'br;q=0, *']) {
        const { headers, bytes } = await ask(path, accepted);
        assert.equal(headers['content-encoding'], 'gzip', accepted);
        assert.deepEqual(gunzipSync(bytes), plain.bytes);
      }
      for (const accepted of ['gzip;q=0', 'gzip;q=0, br', '*, gzip;q=0.0', 'br', 'not-gzip']) {
        const { headers, bytes } = await ask(path, accepted);
        assert.equal(headers['content-encoding'], undefined, accepted);
        assert.equal(headers.vary, 'Accept-Encoding');
        assert.deepEqual(bytes, plain.bytes);
      }
    }
  });

  test('are never compressed with COMPRESSION=0', async () => {
    const bea = await register(plainGallery, 'bea');
    for (let n = 0; n < 6; n++) await addPhoto(bea, { title: words });
    const { headers, bytes } = await ask('/api/photos', 'gzip, br', { place: plainGallery });
    assert.ok(bytes.length > 2048);
    assert.equal(headers['content-encoding'], undefined);
    assert.equal(JSON.parse(bytes.toString()).data.pagination.total, 6);
  });
});
