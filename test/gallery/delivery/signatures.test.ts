import assert from 'node:assert/strict';
import { parse } from 'node:querystring';
import { test } from 'node:test';
import { createSigner, pathFor, readGrant, signedPath } from '../../../server/gallery/delivery/signatures.ts';
import { createSecret } from '../../../server/platform/db/secret.ts';
import { newKey, objectName, objectPath } from '../../../server/platform/storage/keys.ts';

const secret = createSecret('s'.repeat(64));
const now = 1_750_000_000;
const name = objectName(newKey(), 'thumb', 'webp');

function parseQuery(path: string): Record<string, unknown> {
  return { ...parse(path.split('?')[1] ?? '') };
}

test('a signed path is read back, and repeats within its hour', () => {
  const path = signedPath(name, 'u42', now, secret);
  assert.ok(path.startsWith(`/storage/${name}?g=u42&e=`));
  const grant = readGrant(name, parseQuery(path), now, secret);
  assert.equal(grant?.kind, 'user');
  assert.equal(grant.id, 42);
  assert.ok(grant.expires - now >= 3600 && grant.expires - now <= 7200);

  const hour = Math.floor(now / 3600) * 3600;
  assert.equal(signedPath(name, 'u42', hour, secret), signedPath(name, 'u42', hour + 3599, secret));
  assert.notEqual(signedPath(name, 'u42', hour, secret), signedPath(name, 'u42', hour + 3600, secret));
  assert.ok(readGrant(name, parseQuery(signedPath(name, 's7', hour + 3599, secret)), hour + 7198, secret));
  assert.equal(readGrant(name, parseQuery(signedPath(name, 's7', now, secret)), now, secret)?.kind, 'share');
});

test('public images have plain paths, others are signed for the viewer', () => {
  const signer = createSigner({ clock: () => now, secret }, 'u1', false);
  assert.equal(pathFor({ name, visibility_now: 2 }, signer), objectPath(name));
  assert.equal(pathFor({ name, visibility_now: 1 }, signer), signedPath(name, 'u1', now, secret));
  assert.equal(pathFor({ name, visibility_now: 1 }, undefined), objectPath(name));
});

test('in a gallery for members, the paths of public images and avatars are signed too', () => {
  const signer = createSigner({ clock: () => now, secret }, 'u1', true);
  const signed = signedPath(name, 'u1', now, secret);
  assert.equal(pathFor({ name, visibility_now: 2 }, signer), signed);
  assert.equal(signer.signAvatar?.(name), signed);
  assert.equal(createSigner({ clock: () => now, secret }, 'u1', false).signAvatar, undefined);
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
    assert.equal(readGrant(name, query, now, secret), undefined, JSON.stringify(query));
});

test('a signature holds for one object, one secret, and its time', () => {
  const query = parseQuery(signedPath(name, 'u42', now, secret));
  assert.ok(readGrant(name, query, now, secret));
  assert.equal(readGrant(name.replace('thumb', 'preview'), query, now, secret), undefined);
  assert.equal(readGrant(objectName(newKey(), 'thumb', 'webp'), query, now, secret), undefined);
  assert.equal(readGrant(name, query, now, createSecret('t'.repeat(64))), undefined);
  assert.ok(readGrant(name, query, Number(query.e) - 1, secret));
  assert.equal(readGrant(name, query, Number(query.e), secret), undefined);
});
