import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PathGrant, signedPath } from '../../../server/gallery/delivery/signatures.ts';
import { asLibraryWriter } from '../../../server/gallery/library/tables.ts';
import { Visibility } from '../../../server/platform/db/states.ts';
import { createObjectKey, objectName } from '../../../server/platform/storage/keys.ts';
import type { Gallery } from '../../support/harness.ts';
import { addPhoto, addUser, addVersion, clean, makeGallery, original } from './gallery.ts';

test('image bytes go only to viewers who may see the public, private or trashed photo', async (context) => {
  const gallery = await makeGallery(context);
  const [owner, stranger, admin] = [
    await addUser(gallery, 'owner'),
    await addUser(gallery, 'stranger'),
    await addUser(gallery, 'admin', true),
  ];
  const status = (path: string, headers = {}) => fetchStatus(gallery.url + path, headers);
  const bad = { authorization: 'Bearer nonsense' };

  const shown = await addPhoto(gallery, owner.id, 2);
  for (const headers of [{}, owner.headers, stranger.headers]) {
    for (const name of ['thumb.webp', 'preview.jpg', 'original.jpg']) {
      assert.equal(await status(`/storage/${shown.key}.${name}`, headers), 200);
    }
  }
  assert.equal(await status(`/storage/${shown.key}.thumb.webp`, bad), 401);

  const hidden = await addPhoto(gallery, owner.id, 1);
  for (const kind of ['thumb.webp', 'preview.jpg', 'original.jpg']) {
    const name = `${hidden.key}.${kind}`;
    const signed = (grant: PathGrant) => signedPath(name, grant, gallery.deps.clock(), gallery.deps.secret);
    assert.equal(await status(`/storage/${name}`), 403);
    assert.equal(await status(`/storage/${name}`, stranger.headers), 403);
    assert.equal(await status(`/storage/${name}`, bad), 401);
    assert.equal(await status(`/storage/${name}`, owner.headers), 200);
    assert.equal(await status(`/storage/${name}`, admin.headers), 200);
    assert.equal(await status(signed(`u${owner.id}`)), 200);
    assert.equal(await status(signed(`u${admin.id}`)), 200);
    assert.equal(await status(signed(`u${owner.id}`), stranger.headers), 200);
    assert.equal(await status(signed(`u${stranger.id}`)), 403);
    assert.equal(await status(signed('u999')), 403);
    assert.equal(await status(`${signed(`u${owner.id}`)}&g=u${owner.id}`), 403);
    assert.equal(await status(signed(`u${owner.id}`).replace(hidden.key, shown.key)), 200);
  }

  const club = await addPhoto(gallery, owner.id, Visibility.members);
  for (const kind of ['thumb.webp', 'preview.jpg', 'original.jpg']) {
    const name = `${club.key}.${kind}`;
    const signed = (grant: PathGrant) => signedPath(name, grant, gallery.deps.clock(), gallery.deps.secret);
    assert.equal(await status(`/storage/${name}`), 403);
    assert.equal(await status(`/storage/${name}`, bad), 401);
    for (const { id, headers } of [owner, stranger, admin]) {
      assert.equal(await status(`/storage/${name}`, headers), 200);
      assert.equal(await status(signed(`u${id}`)), 200);
    }
    assert.equal(await status(signed('u999')), 403);
  }

  const trashed = await addPhoto(gallery, owner.id, 0);
  const name = `${trashed.key}.thumb.webp`;
  const signedFor = (grant: `u${number}`, of = name) =>
    signedPath(of, grant, gallery.deps.clock(), gallery.deps.secret);
  for (const headers of [{}, stranger.headers, admin.headers])
    assert.equal(await status(`/storage/${name}`, headers), 404);
  for (const { id } of [stranger, admin]) assert.equal(await status(signedFor(`u${id}`)), 404);
  // The owner sees thumbnails of trashed photos only, and can no longer get the original.
  assert.equal(await status(`/storage/${name}`, owner.headers), 200);
  assert.equal(await status(signedFor(`u${owner.id}`)), 200);
  const original = `${trashed.key}.original.jpg`;
  assert.equal(await status(`/storage/${original}`, owner.headers), 404);
  assert.equal(await status(signedFor(`u${owner.id}`, original)), 404);
  await gallery.deps.db.kysely.updateTable('users').set({ status: 0 }).where('id', '=', owner.id).execute();
  assert.equal(await status(signedFor(`u${owner.id}`)), 404);
  // The photos of a disabled account are private, so the photo for members is hidden from other members.
  const ofClub = (id: number) => signedFor(`u${id}`, `${club.key}.thumb.webp`);
  assert.equal(await status(`/storage/${club.key}.thumb.webp`, stranger.headers), 403);
  assert.equal(await status(ofClub(stranger.id)), 403);
  assert.equal(await status(ofClub(admin.id)), 200);
  const users = gallery.deps.db.kysely.updateTable('users');
  await users.set({ status: 1 }).where('id', '=', owner.id).execute();
  assert.equal(await status(ofClub(stranger.id)), 200);
  await users.set({ status: 0 }).where('id', '=', stranger.id).execute();
  assert.equal(await status(ofClub(stranger.id)), 403);
});

test('a path from before obeys the current rows', async (context) => {
  const gallery = await makeGallery(context);
  const { deps } = gallery;
  const owner = await addUser(gallery, 'owner');
  const admin = await addUser(gallery, 'admin', true);
  const photo = await addPhoto(gallery, owner.id, 2);
  const name = `${photo.key}.thumb.webp`;
  const status = (path: string) => fetchStatus(gallery.url + path);
  const signed = (id: number) => signedPath(name, `u${id}`, deps.clock(), deps.secret);
  const photos = asLibraryWriter(deps.db.kysely).updateTable('photos').where('id', '=', photo.id);
  const users = deps.db.kysely.updateTable('users');

  assert.equal(await status(`/storage/${name}`), 200);
  await photos.set({ visibility: 1 }).execute();
  assert.equal(await status(`/storage/${name}`), 403);

  const [ofOwner, ofAdmin] = [signed(owner.id), signed(admin.id)];
  assert.equal(await status(ofAdmin), 200);
  await users.set({ is_admin: 0 }).where('id', '=', admin.id).execute();
  assert.equal(await status(ofAdmin), 403);

  await users.set({ status: 0 }).where('id', '=', owner.id).execute();
  assert.equal(await status(ofOwner), 403);
  await users.set({ status: 1 }).where('id', '=', owner.id).execute();
  gallery.travel(7200);
  assert.equal(await status(ofOwner), 403);
  assert.equal(await status(signed(owner.id)), 200);

  await photos.set({ visibility: 0 }).execute();
  assert.equal(await status(signed(admin.id)), 404);
  assert.equal(await status(signed(owner.id)), 200);
});

test('holders of a share see its photo as long as the share lives', async (context) => {
  const gallery = await makeGallery(context);
  const { deps } = gallery;
  const [owner, stranger] = [await addUser(gallery, 'owner'), await addUser(gallery, 'stranger')];
  const [photo, other] = [await addPhoto(gallery, owner.id, 1), await addPhoto(gallery, owner.id, 1)];
  const share = (userId: number, expire_time: number | null) =>
    addShare(gallery, userId, photo.id, expire_time);
  const status = (key: string, grant: PathGrant) => {
    const name = objectName(key, 'thumb', 'webp');
    return fetchStatus(gallery.url + signedPath(name, grant, deps.clock(), deps.secret));
  };

  const lasting = await share(owner.id, null);
  assert.equal(await status(photo.key, `s${lasting}`), 200);
  assert.equal(await status(other.key, `s${lasting}`), 403);

  // A share link that another user created while the photo was public no longer shows the photo.
  assert.equal(await status(photo.key, `s${await share(stranger.id, null)}`), 403);

  const ending = await share(owner.id, deps.clock() + 100);
  assert.equal(await status(photo.key, `s${ending}`), 200);
  gallery.travel(101);
  assert.equal(await status(photo.key, `s${ending}`), 403);

  await deps.db.kysely.deleteFrom('shares').where('id', '=', lasting).execute();
  assert.equal(await status(photo.key, `s${lasting}`), 403);
});

test('the raw original is its owner’s, everybody else gets the clean copy', async (context) => {
  const gallery = await makeGallery(context);
  const owner = await addUser(gallery, 'owner');
  const admin = await addUser(gallery, 'admin', true);
  const photo = await addPhoto(gallery, owner.id, 2);
  const path = `/storage/${photo.key}.original.jpg`;
  const get = (headers = {}) => fetch(gallery.url + path, { headers });

  const raw = await get(owner.headers);
  assert.equal(await raw.text(), original);
  assert.equal(raw.headers.get('cache-control'), 'private, no-store');
  for (const headers of [{}, admin.headers]) {
    const cleaned = await get(headers);
    assert.equal(await cleaned.text(), clean);
    assert.equal(cleaned.headers.get('content-length'), String(clean.length));
    assert.match(cleaned.headers.get('vary') ?? '', /Authorization/);
    assert.notEqual(cleaned.headers.get('etag'), raw.headers.get('etag'));
  }
  const part = await get({ range: 'bytes=6-12' });
  assert.equal(await part.text(), clean.slice(6, 13));

  const heic = await addPhoto(gallery, owner.id, 2, {
    extension: 'heic',
    mime: 'image/heic',
    full_extension: 'jpg',
    clean_parts: null,
  });
  const heicPath = `${gallery.url}/storage/${heic.key}.original.heic`;
  assert.equal(await fetchStatus(heicPath), 403);
  assert.equal(await fetchStatus(heicPath, owner.headers), 200);
  assert.equal(await (await fetch(`${gallery.url}/storage/${heic.key}.full.jpg`)).text(), 'full');
});

test('invalid names and deleted versions answer 404 in the envelope', async (context) => {
  const gallery = await makeGallery(context);
  const owner = await addUser(gallery, 'owner');
  const photo = await addPhoto(gallery, owner.id, 2);
  const old = await addVersion(gallery, photo.id, { kind: 'edit', expire_time: gallery.deps.clock() + 60 });
  const get = (name: string) => fetch(`${gallery.url}/storage/${name}`);

  assert.equal(await fetchStatus(`${gallery.url}/storage/${old.key}.edit.jpg`), 200);
  gallery.travel(61);
  const odd = [
    `${old.key}.edit.jpg`,
    `${photo.key}.thumb.jpg`,
    `${photo.key}.preview.webp`,
    `${photo.key}.original.png`,
    `${photo.key}.edit.jpg`,
    `${photo.key}.full.jpg`,
    `${photo.key}.avatar.webp`,
    `${photo.key.toUpperCase()}.thumb.webp`,
    `${createObjectKey()}.thumb.webp`,
    `${photo.key}.thumb.webp%00`,
    `..%2f..%2flightwell.db`,
    `%2e%2e%2flightwell.db`,
    `..%5c..%5clightwell.db`,
    'x'.repeat(150),
    '',
    '.lightwell',
    '.ping',
    `${photo.key.slice(0, 2)}/${photo.key}.thumb.webp`,
  ];
  for (const name of odd) {
    const response = await get(name);
    assert.equal(response.status, 404, name);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.ok([404, 20003].includes(((await response.json()) as { code: number }).code), name);
  }
});

test('an avatar is for everybody while it is in use', async (context) => {
  const gallery = await makeGallery(context);
  const user = await addUser(gallery, 'owner');
  const avatar = objectName(createObjectKey(), 'avatar', 'webp');
  await gallery.deps.storage.put([{ name: avatar, source: Buffer.from('face') }]);
  const path = `${gallery.url}/storage/${avatar}`;
  assert.equal(await fetchStatus(path), 404);
  await gallery.deps.db.kysely.updateTable('users').set({ avatar }).where('id', '=', user.id).execute();
  const response = await fetch(path);
  assert.equal(await response.text(), 'face');
  assert.equal(response.headers.get('content-type'), 'image/webp');
  await gallery.deps.db.kysely.updateTable('users').set({ avatar: '' }).where('id', '=', user.id).execute();
  assert.equal(await fetchStatus(path), 404);
});

/**
 * Returns the status of a request. Reads the body, too, because an unread response keeps the server from
 * stopping.
 */
async function fetchStatus(url: string, headers = {}): Promise<number> {
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return response.status;
}

async function addShare({ deps }: Gallery, userId: number, photoId: number, expireTime: number | null) {
  const { id } = await deps.db.kysely
    .insertInto('shares')
    .values({
      token: createObjectKey(),
      user_id: userId,
      type: 'photo',
      photo_id: photoId,
      album_id: null,
      password_hash: '',
      expire_time: expireTime,
      views: 0,
      create_time: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
