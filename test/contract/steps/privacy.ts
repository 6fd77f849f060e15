/** The scene of the privacy walk: one photo that left traces everywhere, and the states of that photo. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { assertDone, assertRead, assertWritten } from '../../support/assert-answers.ts';
import type { Gallery } from '../../support/harness.ts';
import {
  type Answer,
  addAlbum,
  addPhoto,
  asVisitor,
  type Person,
  register,
  registerAdmin,
} from '../../support/people.ts';
import { createLandmarks } from '../../support/pictures.ts';

/** States of the photo. A photo is for `members`, or `hidden`, by its own level or by an album above it. */
export type State = 'public' | 'members' | 'hidden' | 'trashed';
/**
 * Roles of the privacy walk, in the words of docs/visibility.md: a stranger has no credentials. The fan is a member
 * who follows the owner, and liked, favorited, commented on and shared the photo while it was public.
 */
export const roles = ['stranger', 'member', 'fan', 'owner', 'admin'] as const;
export type Role = (typeof roles)[number];

export interface Scene {
  gallery: Gallery;
  people: Record<Role, Person>;
  photo: number;
  /** Id of another photo in the same album, always public. */
  decoy: number;
  album: number;
  outer: number;
  /** Id of a smart album whose rule finds the photo and the decoys. */
  smart: number;
  comment: number;
  tag: string;
  title: string;
  description: string;
  /** Unguessable texts of the photo: a response that contains one of the texts shows the photo. */
  secrets: string[];
  /**
   * Texts that only the owner and admins may see: the file name, and the place where the picture was taken.
   */
  ownersOnly: string[];
  /** A text in the metadata of the file, which only the original contains. */
  inOriginal: string;
  shares: { owner: string; fan: string; album: string; smart: string };
  /** Image paths that the API returned while the photo was public. */
  paths: { thumb: string; preview: string; path: string; small: string; large: string };
  /** Signed image paths that the owner got while the photo was for members, and while it was private. */
  signed: string[];
}

export async function makeScene(gallery: Gallery): Promise<Scene> {
  const secret = (name: string) => `${name}${randomBytes(6).toString('hex')}`;
  const owner = await register(gallery, 'owner');
  const fan = await register(gallery, 'fan');
  const people = {
    stranger: asVisitor(gallery),
    member: await register(gallery, 'member'),
    fan,
    owner,
    admin: await registerAdmin(gallery, 'admin'),
  };
  assertWritten(await fan.post(`/api/users/${owner.id}/follow`));
  const outer = await addAlbum(owner, 'Outer');
  const album = await addAlbum(owner, 'Album', { parentId: outer });
  const text = { title: secret('title'), description: secret('description'), tag: secret('tag') };
  const picture = await createLandmarks();
  const fields = { ...text, tags: `${text.tag},common`, album_id: String(album) };
  const { id: decoy } = await addPhoto(owner, { title: 'decoy', tags: 'common', album_id: String(album) });
  // Adds two more photos, so that the photo's id is not also the id of an album.
  for (const tags of ['common', 'common']) await addPhoto(owner, { title: 'decoy', tags });
  const inOriginal = secret('datum');
  const fileName = `${secret('file')}.png`;
  const file = await sharp(picture)
    .withExif({ IFD3: exifOfPlace(inOriginal) })
    .png()
    .toBuffer();
  const { id: photo } = assertWritten(await owner.upload(file, fields, fileName));
  for (const id of [album, outer]) assertWritten(await owner.put(`/api/albums/${id}`, { cover_id: photo }));
  const rule = { name: 'Smart', rule: `tag:common (title OR decoy OR is:liked OR album:${album})` };
  const { id: smart } = assertWritten(await owner.post('/api/albums', rule));
  const words = { comment: secret('comment'), reply: secret('reply') };
  const comment = await talk(owner, fan, photo, words);
  const shares = {
    owner: await createShare(owner, `/api/photos/${photo}/share`),
    fan: await createShare(fan, `/api/photos/${photo}/share`),
    album: await createShare(owner, `/api/albums/${album}/share`),
    smart: await createShare(owner, `/api/albums/${smart}/share`),
  };
  const report = { target_type: 'photo', target_id: photo, reason: 'other', content: 'look' };
  assertWritten(await people.member.post('/api/reports', report));
  const { thumb, preview, path, image } = (await fan.get(`/api/photos/${photo}`)).body.data;
  const signed: string[] = [];
  for (const visibility of ['members', 'private']) {
    assertDone(await owner.put(`/api/photos/${photo}`, { visibility }));
    const hidden = assertRead(await owner.get(`/api/photos/${photo}`));
    signed.push(hidden.path, hidden.preview, hidden.thumb);
    signed.push(...['320', '640'].map((width) => hidden.image.replace('{width}', width)));
  }
  assertDone(await owner.put(`/api/photos/${photo}`, { visibility: 'public' }));
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
    paths: { thumb, preview, path, ...selectSizes(image) },
    signed,
  };
}

/** Returns the paths of two sizes, one of them in a format that every browser can show. */
function selectSizes(image: string) {
  return {
    small: image.replace('{width}', '320'),
    large: image.replace(/w\{width\}\.\w+/, 'w640.jpg'),
  };
}

/** Returns EXIF data for the place 12.3456 north, 76.5432 west. */
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
    for (const who of [fan, owner]) assertWritten(await who.post(`/api/photos/${photo}/${reaction}`));
  }
  const { body } = await fan.post(`/api/photos/${photo}/comments`, { content: comment });
  const parent = body.data.id;
  assertWritten(await owner.post(`/api/photos/${photo}/comments`, { content: reply, parent_id: parent }));
  return parent;
}

async function createShare(who: Person, path: string): Promise<string> {
  const { url } = assertWritten(await who.post(path, { type: 'link' }));
  return url.split('/').at(-1);
}

/**
 * Finds data in a response that only the owner or an admin may see. Only the photo detail names the place,
 * also the detail of a photo in the trash. The owner's downloads and archives contain the original file under its
 * own name.
 */
export function findLeak(scene: Scene, endpoint: string, role: Role, { bytes, headers }: Answer): boolean {
  const text = `${headers.get('content-disposition') ?? ''} ${bytes.toString('latin1')}`;
  if (role === 'owner' && /download|storage/.test(endpoint)) return false;
  if (text.includes(scene.inOriginal)) return true;
  const isTold =
    (endpoint === '/api/photos/{id}' && (role === 'owner' || role === 'admin')) ||
    (endpoint === '/api/trash/{id}' && role === 'owner');
  return !isTold && scene.ownersOnly.some((word) => text.includes(word));
}

/** Tells whether the response shows the photo by one of its texts, its image key, or its id. */
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
