import assert from 'node:assert/strict';
import { parse } from 'node:querystring';
import { test } from 'node:test';
import {
  buildImagePath,
  createPathSigner,
  readPathGrant,
  signedPath,
} from '../../../server/gallery/delivery/signatures.ts';
import { createGallerySecret } from '../../../server/platform/db/secret.ts';
import { Visibility } from '../../../server/platform/db/states.ts';
import { buildObjectPath, createObjectKey, objectName } from '../../../server/platform/storage/keys.ts';

const secret = createGallerySecret('s'.repeat(64));
const now = 1_750_000_000;
const name = objectName(createObjectKey(), 'thumb', 'webp');

function parseQuery(path: string): Record<string, unknown> {
  return { ...parse(path.split('?')[1] ?? '') };
}

test('a signed path is read back, and repeats within its hour', () => {
  const path = signedPath(name, 'u42', now, secret);
  assert.ok(path.startsWith(`/storage/${name}?g=u42&e=`));
  const grant = readPathGrant(name, parseQuery(path), now, secret);
  assert.equal(grant?.kind, 'user');
  assert.equal(grant.id, 42);
  assert.ok(grant.expires - now >= 3600 && grant.expires - now <= 7200);

  const hour = Math.floor(now / 3600) * 3600;
  assert.equal(signedPath(name, 'u42', hour, secret), signedPath(name, 'u42', hour + 3599, secret));
  assert.notEqual(signedPath(name, 'u42', hour, secret), signedPath(name, 'u42', hour + 3600, secret));
  assert.ok(
    readPathGrant(name, parseQuery(signedPath(name, 's7', hour + 3599, secret)), hour + 7198, secret),
  );
  assert.equal(
    readPathGrant(name, parseQuery(signedPath(name, 's7', now, secret)), now, secret)?.kind,
    'share',
  );
});

test('public images have plain paths, others are signed for the viewer', () => {
  const signer = createPathSigner({ clock: () => now, secret }, 'u1', false);
  assert.equal(buildImagePath({ name, visibility_now: 2 }, signer), buildObjectPath(name));
  for (const visibility_now of [Visibility.private, Visibility.members, Visibility.trash]) {
    assert.equal(buildImagePath({ name, visibility_now }, signer), signedPath(name, 'u1', now, secret));
    assert.equal(buildImagePath({ name, visibility_now }, undefined), buildObjectPath(name));
  }
});

test('in a gallery for members, the paths of public images and avatars are signed too', () => {
  const signer = createPathSigner({ clock: () => now, secret }, 'u1', true);
  const signed = signedPath(name, 'u1', now, secret);
  assert.equal(buildImagePath({ name, visibility_now: 2 }, signer), signed);
  assert.equal(signer.signAvatar?.(name), signed);
  assert.equal(createPathSigner({ clock: () => now, secret }, 'u1', false).signAvatar, undefined);
});

test('anything but a valid signature grants nothing', () => {
  const path = signedPath(name, 'u42', now, secret);
  const good = parseQuery(path);
  const s = good.s as string;
  const refused: Record<string, unknown>[] = [
    {},
    { ...good, s: undefined },
    { ...good, s: '' },
    { ...good, s: s.slice(0, -1) },
    { ...good, s: `${s}A` },
    { ...good, s: (s[0] === 'A' ? 'B' : 'A') + s.slice(1) },
    { ...good, s: s.slice(0, -1) + (s.at(-1) === 'A' ? 'B' : 'A') },
    { ...good, s: 'é'.repeat(11) },
    { ...good, g: 'u43' },
    { ...good, g: 's42' },
    { ...good, g: 'u042' },
    { ...good, g: 'u42 ' },
    { ...good, e: String(Number(good.e) + 1) },
    { ...good, e: `0${good.e}` },
    { ...good, e: `${good.e}.0` },
    { ...good, e: '1e99' },
    // Repeats each parameter, which the query string parser returns as an array.
    parseQuery(`${path}&s=${s}`),
    parseQuery(`${path}&g=u42`),
    parseQuery(`${path}&e=${good.e}`),
  ];
  for (const query of refused)
    assert.equal(readPathGrant(name, query, now, secret), undefined, JSON.stringify(query));
});

test('a signature holds for one object, one secret, and its time', () => {
  const query = parseQuery(signedPath(name, 'u42', now, secret));
  assert.ok(readPathGrant(name, query, now, secret));
  assert.equal(readPathGrant(name.replace('thumb', 'preview'), query, now, secret), undefined);
  assert.equal(readPathGrant(objectName(createObjectKey(), 'thumb', 'webp'), query, now, secret), undefined);
  assert.equal(readPathGrant(name, query, now, createGallerySecret('t'.repeat(64))), undefined);
  assert.ok(readPathGrant(name, query, Number(query.e) - 1, secret));
  assert.equal(readPathGrant(name, query, Number(query.e), secret), undefined);
});
