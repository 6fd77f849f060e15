/** The scene of the privacy walk: one photo that left its traces everywhere, and the states it goes through. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { assertWriteReturnedData } from '../../support/assert-answers.ts';
import type { Gallery } from '../../support/harness.ts';
import {
  type Answer,
  addAlbum,
  addPhoto,
  createVisitor,
  type Person,
  register,
  registerAdmin,
} from '../../support/people.ts';
import { createLandmarks } from '../../support/pictures.ts';

/** `hidden`: by its own flag or by an album above it. */
export type State = 'public' | 'hidden' | 'trashed';
/** The fan follows the owner, and has liked, kept, commented and shared the photo while it was public. */
export const roles = ['anonymous', 'stranger', 'fan', 'owner', 'admin'] as const;
export type Role = (typeof roles)[number];

export interface Scene {
  gallery: Gallery;
  people: Record<Role, Person>;
  photo: number;
  /** Of the same album, always public. */
  decoy: number;
  album: number;
  outer: number;
  /** Its rule finds the photo and the decoys. */
  smart: number;
  comment: number;
  tag: string;
  title: string;
  description: string;
  /** Texts that cannot be guessed: wherever one is, the photo shows. */
  secrets: string[];
  /** What is for its owner and admins alone: the file's name, and where the picture was taken. */
  ownersOnly: string[];
  /** A text of the file's metadata, which the original alone holds. */
  inOriginal: string;
  shares: { owner: string; fan: string; album: string; smart: string };
  /** As they were given out while the photo was public. */
  paths: { thumb: string; preview: string; path: string; image: string };
  /** Given to the owner while the photo was private. */
  signed: string[];
}

export async function makeScene(gallery: Gallery): Promise<Scene> {
  const secret = (name: string) => `${name}${randomBytes(6).toString('hex')}`;
  const owner = await register(gallery, 'owner');
  const fan = await register(gallery, 'fan');
  const people = {
    anonymous: createVisitor(gallery),
    stranger: await register(gallery, 'stranger'),
    fan,
    owner,
    admin: await registerAdmin(gallery, 'admin'),
  };
  assertWriteReturnedData(await fan.post(`/api/users/${owner.id}/follow`));
  const outer = await addAlbum(owner, 'Outer');
  const album = await addAlbum(owner, 'Album', { parentId: outer });
  const text = { title: secret('title'), description: secret('description'), tag: secret('tag') };
  const picture = await createLandmarks();
  const fields = { ...text, tags: `${text.tag},common`, album_id: String(album) };
  const { id: decoy } = await addPhoto(owner, { title: 'decoy', tags: 'common', album_id: String(album) });
  // So that the photo's id is no album's.
  for (const tags of ['common', 'common']) await addPhoto(owner, { title: 'decoy', tags });
  const inOriginal = secret('datum');
  const fileName = `${secret('file')}.png`;
  const file = await sharp(picture)
    .withExif({ IFD3: exifOfPlace(inOriginal) })
    .png()
    .toBuffer();
  const { id: photo } = assertWriteReturnedData(await owner.upload(file, fields, fileName));
  for (const id of [album, outer])
    assertWriteReturnedData(await owner.put(`/api/albums/${id}`, { cover_id: photo }));
  const rule = { name: 'Smart', rule: `tag:common (title OR decoy OR is:liked OR album:${album})` };
  const { id: smart } = assertWriteReturnedData(await owner.post('/api/albums', rule));
  const words = { comment: secret('comment'), reply: secret('reply') };
  const comment = await talk(owner, fan, photo, words);
  const shares = {
    owner: await createShare(owner, `/api/photos/${photo}/share`),
    fan: await createShare(fan, `/api/photos/${photo}/share`),
    album: await createShare(owner, `/api/albums/${album}/share`),
    smart: await createShare(owner, `/api/albums/${smart}/share`),
  };
  const report = { target_type: 'photo', target_id: photo, reason: 'other', content: 'look' };
  assertWriteReturnedData(await people.stranger.post('/api/reports', report));
  const { thumb, preview, path, image } = (await fan.get(`/api/photos/${photo}`)).body.data;
  await owner.put(`/api/photos/${photo}`, { is_public: 0 });
  const hidden = (await owner.get(`/api/photos/${photo}`)).body.data;
  const signed = [
    hidden.preview,
    hidden.image.replace('{width}', '320'),
    hidden.image.replace('{width}', '640'),
  ];
  await owner.put(`/api/photos/${photo}`, { is_public: 1 });
  for (const one of signed) assert.match(one, /\?/);
  const key = /\/storage\/(\w+)\./.exec(thumb)![1]!;
  const secrets = [...Object.values(text), ...Object.values(words), key];
  return {
    gallery,
    people,
    photo,
    decoy,
    album,
    outer,
    smart,
    comment,
    ...text,
    secrets,
    ownersOnly: [fileName, '12.3456', '76.5432'],
    inOriginal,
    shares,
    paths: { thumb, preview, path, image: image.replace('{width}', '320') },
    signed,
  };
}

/** 12.3456 north, 76.5432 west. */
function exifOfPlace(datum: string) {
  return {
    GPSLatitudeRef: 'N',
    GPSLatitude: '123456/10000 0/1 0/1',
    GPSLongitudeRef: 'W',
    GPSLongitude: '765432/10000 0/1 0/1',
    GPSMapDatum: datum,
  };
}

async function talk(
  owner: Person,
  fan: Person,
  photo: number,
  { comment, reply }: { comment: string; reply: string },
): Promise<number> {
  for (const reaction of ['like', 'favorite']) {
    for (const who of [fan, owner])
      assertWriteReturnedData(await who.post(`/api/photos/${photo}/${reaction}`));
  }
  const { body } = await fan.post(`/api/photos/${photo}/comments`, { content: comment });
  const parent = body.data.id;
  assertWriteReturnedData(
    await owner.post(`/api/photos/${photo}/comments`, { content: reply, parent_id: parent }),
  );
  return parent;
}

async function createShare(who: Person, path: string): Promise<string> {
  const { url } = assertWriteReturnedData(await who.post(path, { type: 'link' }));
  return url.split('/').at(-1);
}

/**
 * Whether the answer tells what the file's owner alone may know, or admins with them. Only the detail tells where; the
 * owner's downloads, also in an archive, are the file itself under its name.
 */
export function findLeak(scene: Scene, endpoint: string, role: Role, { bytes, headers }: Answer): boolean {
  const text = `${headers.get('content-disposition') ?? ''} ${bytes.toString('latin1')}`;
  if (role === 'owner' && /download|storage/.test(endpoint)) return false;
  if (text.includes(scene.inOriginal)) return true;
  const isTold = endpoint === '/api/photos/{id}' && (role === 'owner' || role === 'admin');
  return !isTold && scene.ownersOnly.some((word) => text.includes(word));
}

/** Whether the answer shows the photo: by one of its texts, its image's key, or its id. */
export function mentions({ photo, secrets }: Scene, { body, bytes }: Answer): boolean {
  return secrets.some((secret) => bytes.includes(secret)) || names(body, photo);
}

function names(value: unknown, photo: number): boolean {
  if (Array.isArray(value)) return value.some((item) => names(item, photo));
  if (typeof value !== 'object' || value === null) return false;
  const { id, photo_id, thumb } = value as Record<string, unknown>;
  if (photo_id === photo || (id === photo && typeof thumb === 'string' && thumb !== '')) return true;
  return Object.values(value).some((item) => names(item, photo));
}
