/**
 * Tests STORAGE_REDIRECT: which clients are redirected to a URL of the store, how long the URL is valid, and
 * which clients are not redirected.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import sharp from 'sharp';
import type { Config } from '../../../server/config.ts';
import { startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, register } from '../../support/people.ts';
import { createJpeg, createJpegWithExif, createLandmarks } from '../../support/pictures.ts';
import { makeBucket, s3Keys } from '../../support/s3.ts';

async function makeGallery(context: TestContext, url?: string, more: Partial<Config> = {}) {
  const storageUrl = url ?? (await makeBucket());
  const gallery = await startGallery({ storageUrl, storageKeys: s3Keys, storageRedirect: true, ...more });
  context.after(() => gallery.close());
  return { gallery, owner: await register(gallery, 'owner'), anybody: asVisitor(gallery) };
}

const readMaxAge = (headers: Headers) =>
  Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1]);

async function follow(answer: { status: number; headers: Headers; bytes: Buffer }) {
  assert.equal(answer.status, 302, answer.bytes.toString());
  assert.equal(answer.bytes.length, 0);
  const location = answer.headers.get('location')!;
  const response = await fetch(location);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { location: new URL(location), response, bytes };
}

test('public images are fetched from the store, for five minutes at most', async (context) => {
  const { gallery, owner, anybody } = await makeGallery(context);
  const photo = await addPhoto(owner, {}, await createLandmarks());
  const edited = await owner.post(`/api/photos/${photo.id}/edit`, {
    action: 'flip',
    params: { direction: 'h' },
  });
  assert.equal(edited.status, 200, edited.bytes.toString());
  const { path, thumb, preview } = (await anybody.get(`/api/photos/${photo.id}`)).body.data;

  for (const image of [path, thumb, preview].filter(Boolean)) {
    const answer = await anybody.get(image);
    assert.match(answer.headers.get('cache-control')!, /^public, max-age=\d+, s-maxage=0, proxy-revalidate$/);
    const { location, response, bytes } = await follow(answer);
    assert.equal(location.origin, process.env.TEST_S3_URL);
    assert.equal(response.status, 200);
    assert.equal((await sharp(bytes).metadata()).format, image.split('.').at(-1).replace('jpg', 'jpeg'));
    assert.match(response.headers.get('content-type')!, /^image\//);
    assert.equal(response.headers.get('cache-control'), 'private, max-age=300');
    const seconds = Number(location.searchParams.get('X-Amz-Expires'));
    const [, date] = /^(\d{8}T\d{6})Z$/.exec(location.searchParams.get('X-Amz-Date')!)!;
    const iso = date!.replace(/(....)(..)(..)T(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z');
    const left = Date.parse(iso) / 1000 + seconds - Date.now() / 1000;
    assert.ok(left > 149 - 5 && left <= 300, `${left}`);
    assert.ok(readMaxAge(answer.headers) < left, 'kept for less than it holds');
  }
  const [first, second] = [await anybody.get(thumb), await anybody.get(thumb)];
  gallery.travel(300);
  const later = await anybody.get(thumb);
  assert.ok(
    [first, second].some(({ headers }) => headers.get('location') !== later.headers.get('location')),
    'the address changes with time',
  );
});

test('private images are authorized as ever, and an earlier path opens nothing once the photo is private', async (context) => {
  const { gallery, owner, anybody } = await makeGallery(context);
  const stranger = await register(gallery, 'stranger');
  const photo = await addPhoto(owner, {}, await createLandmarks());
  const open = photo.thumb;
  assert.equal((await anybody.get(open)).status, 302);

  await owner.put(`/api/photos/${photo.id}`, { is_public: 0 });
  const refused = await anybody.get(open);
  assert.equal(refused.status, 403);
  assert.equal(refused.headers.get('location'), null);
  assert.equal((await stranger.get(open)).status, 403);

  const signed: string = (await owner.get(`/api/photos/${photo.id}`)).body.data.thumb;
  assert.match(signed, /\?g=/);
  const answer = await anybody.get(signed);
  assert.match(answer.headers.get('cache-control')!, /^private, max-age=\d+$/);
  assert.ok(readMaxAge(answer.headers) <= 300);
  const { response, location } = await follow(answer);
  assert.equal(response.status, 200);
  assert.ok(!location.href.includes('g=u'), 'the path and its proof stay here');
  assert.equal((await anybody.get(`${signed}x`)).status, 403);
});

test('the gallery itself sends clean copies, the raw original, requests with a token, and HEAD', async (context) => {
  const { gallery, owner, anybody } = await makeGallery(context);
  const picture = await createJpegWithExif();
  const photo = await addPhoto(owner, {}, picture);
  const clean = await anybody.get(photo.path);
  assert.equal(clean.status, 200);
  assert.ok(!clean.bytes.includes('SERIAL-12345'));
  const raw = await owner.get(photo.path);
  assert.deepEqual([raw.status, raw.headers.get('cache-control')], [200, 'private, no-store']);
  assert.ok(picture.equals(raw.bytes));
  assert.equal((await owner.get(photo.thumb)).status, 200);
  assert.ok(picture.equals((await owner.get(`/api/photos/${photo.id}/download`)).bytes));
  const head = await fetch(gallery.url + photo.thumb, { method: 'HEAD', redirect: 'manual' });
  assert.equal(head.status, 200);
  const kept = await anybody.get(photo.thumb, { 'if-none-match': head.headers.get('etag')! });
  assert.equal(kept.status, 304);
});

test('browsers may be given another address of the store, and the page of a share lets them use it', async (context) => {
  const bucket = await makeBucket();
  const { anybody, owner } = await makeGallery(context, `${bucket}&public=https://images.example.org`);
  const { id, thumb } = await addPhoto(owner, {}, await createJpeg());
  const location = (await anybody.get(thumb)).headers.get('location')!;
  assert.match(location, /^https:\/\/images\.example\.org\/test-[0-9a-f]+\/[0-9a-f]{32}\.thumb\.webp\?/);

  const { url } = (await owner.post(`/api/photos/${id}/share`, { type: 'link' })).body.data;
  const page = await fetch(url);
  assert.equal(page.status, 200);
  const policy = page.headers.get('content-security-policy')!;
  assert.match(policy, /img-src 'self' https:\/\/images\.example\.org;/);
});

test('a redirect to a private image differs by origin and by who asks, and says both', async (context) => {
  const origin = 'https://app.example.org';
  const { owner, anybody } = await makeGallery(context, undefined, { corsOrigins: [origin] });
  const { thumb } = await addPhoto(owner, { is_public: '0' });
  const answer = await anybody.get(thumb, { origin });
  assert.equal(answer.status, 302);
  assert.equal(answer.headers.get('access-control-allow-origin'), origin);
  assert.equal(answer.headers.get('vary'), 'Origin, Authorization, Cookie');
});
