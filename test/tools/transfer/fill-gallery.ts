/** Fills a gallery over HTTP with data of every kind. */

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Gallery } from '../../support/harness.ts';
import {
  addAlbum,
  addPhoto,
  disableAccount,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';
import { createJpeg, createJpegWithExif } from '../../support/pictures.ts';
import { beginUpload, type OpenUpload } from './open-upload.ts';

export interface Contents {
  owner: Person;
  stranger: Person;
  admin: Person;
  /** Tokens of two share links: `locked` has a password, `open` has none. */
  locked: string;
  open: string;
  /** Id of a permanently deleted photo, which must never be used again. */
  ended: number;
  /** A resumable upload that the owner has begun. */
  upload: OpenUpload;
}

export const sharePassword = 'open sesame';

export async function fillGallery(gallery: Gallery): Promise<Contents> {
  const owner = await register(gallery, 'ansel');
  const stranger = await register(gallery, 'dora');
  const admin = await registerAdmin(gallery, 'root');
  await disableAccount(gallery, await register(gallery, 'gone'));
  const photos = await addPhotos(owner);
  await addPhoto(stranger, { title: 'Dora’s own', tags: 'hills' });
  const [first, second, third] = photos as [number, number, number];
  await organise(owner, photos);
  await talk({ owner, stranger, admin }, first);
  await edit(owner, second);
  await makeSizes(owner, photos);
  for (let n = 0; n < 2; n++) await setAvatar(owner);
  await done(owner.delete(`/api/photos/${third}`));
  const ended = (await addPhoto(owner, { title: 'Ended' })).id;
  await done(owner.delete(`/api/photos/${ended}`));
  await done(owner.delete(`/api/trash/${ended}`));
  await done(owner.post('/api/auth/tokens', { name: 'script', scopes: ['read'] }));
  const locked = await share(owner, first, { password: sharePassword, expires: 7 });
  const open = await share(owner, second, {});
  const upload = await beginUpload(owner);
  await settle(gallery);
  return { owner, stranger, admin, locked, open, ended, upload };
}

async function addPhotos(owner: Person): Promise<number[]> {
  const texts: Record<string, string>[] = [
    { title: 'Half "Dome"\\', description: 'tab\tand\nline', tags: 'hills, "quoted", back\\slash' },
    { title: '日落 über dem See', description: 'emoji 🏔', tags: '夕日, Hills', visibility: 'members' },
    { title: 'Into the trash', tags: 'hills' },
    { title: 'Kept to myself', is_public: '0', tags: 'secret' },
  ];
  const ids: number[] = [];
  for (const [at, fields] of texts.entries()) {
    const picture =
      at === 0 ? await createJpegWithExif() : await createJpeg({ width: 300 + at, height: 200 });
    ids.push((await addPhoto(owner, fields, picture)).id);
  }
  // Adds a photo larger than a megabyte, because the transfer handles large files separately.
  ids.push((await addPhoto(owner, { title: 'Large' }, Buffer.concat([await createJpeg(), noise]))).id);
  return ids;
}

/**
 * Requests sizes of a public photo, a private photo and a replaced version, so that the server renders the
 * sizes.
 */
async function makeSizes(owner: Person, photos: number[]): Promise<void> {
  for (const id of [photos[0], photos[1], photos[3]]) {
    const { image } = (await owner.get(`/api/photos/${id}`)).body.data;
    for (const width of ['320', '640']) await done(owner.get(image.replace('{width}', width)));
  }
}

/** Bytes after the picture's end, which the original keeps. */
const noise = Buffer.from(Array.from({ length: 1_500_000 }, (_, at) => (at * 7919) % 251));

async function organise(owner: Person, photos: number[]): Promise<void> {
  const outer = await addAlbum(owner, 'Outer');
  const inner = await addAlbum(owner, 'Inner', { parentId: outer });
  const hidden = await addAlbum(owner, 'Hidden', { isPublic: false });
  await done(owner.post(`/api/albums/${inner}/photos`, { ids: photos.slice(0, 3) }));
  await done(owner.put(`/api/albums/${inner}/order`, { ids: [photos[1], photos[0], photos[2]] }));
  await done(owner.post(`/api/albums/${hidden}/photos`, { ids: [photos[4], photos[0], photos[2]] }));
  // Creates references in both directions, from photos to albums and from albums to photos.
  await done(owner.put(`/api/albums/${outer}`, { cover_id: photos[0] }));
  const rule = 'is:public -tag:secret OR is:liked';
  await done(owner.post('/api/albums', { name: 'Smart', rule, parent_id: outer }));
}

async function talk(
  { owner, stranger, admin }: Pick<Contents, 'owner' | 'stranger' | 'admin'>,
  photo: number,
) {
  for (const person of [stranger, admin]) {
    await done(person.post(`/api/photos/${photo}/like`));
    await done(person.post(`/api/photos/${photo}/favorite`));
    await done(person.post(`/api/users/${owner.id}/follow`));
  }
  const { body } = await stranger.post(`/api/photos/${photo}/comments`, { content: 'What a light!' });
  await done(owner.post(`/api/photos/${photo}/comments`, { content: 'Thanks', parent_id: body.data.id }));
  await done(owner.post(`/api/comments/${body.data.id}/like`));
  await done(
    stranger.post('/api/reports', { target_type: 'photo', target_id: photo, reason: 'other', content: 'hm' }),
  );
}

async function edit(owner: Person, photo: number): Promise<void> {
  await done(owner.post(`/api/photos/${photo}/edit`, { action: 'rotate', params: { angle: 90 } }));
  await done(
    owner.post(`/api/photos/${photo}/edit`, { action: 'filter', params: { type: 'sepia', value: 0 } }),
  );
}

async function setAvatar(person: Person): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await createJpeg())]), 'me.jpg');
  await done(person.send('POST', '/api/auth/avatar', { body: form }));
}

async function share(owner: Person, photo: number, more: object): Promise<string> {
  const { body } = await owner.post(`/api/photos/${photo}/share`, { type: 'link', ...more });
  assert.equal(body.code, 0, JSON.stringify(body));
  return body.data.url.split('/').at(-1);
}

async function done(answer: ReturnType<Person['get']>): Promise<void> {
  const { status, body } = await answer;
  assert.equal(status, 200, JSON.stringify(body));
}

/**
 * Waits until views are written and visibility jobs are done, so that a copy has the same rows. A copy needs
 * no such wait.
 */
async function settle({ deps }: Gallery): Promise<void> {
  await deps.db.counters.flush();
  for (let tries = 0; tries < 500; tries++) {
    if ((await deps.db.kysely.selectFrom('visibility_jobs').selectAll().execute()).length === 0) return;
    await pause(20);
  }
}

export { password };
