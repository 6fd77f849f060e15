/** Requests whose CPU is measured on PostgreSQL, and the data for them that `makeGallery` does not create. */

import { objectName } from '../server/platform/storage/keys.ts';
import { openStorage } from '../server/platform/storage/open.ts';
import type { CpuRead } from './postgres-cpu.ts';
import { albumId, reader, talkedAbout } from './seed-people.ts';

export const thumbs = 500;
const thumbBytes = 20_000;
const asReader = { authorization: `Bearer ${reader.token}` };
/** Words in a tenth of all texts, and in one of a thousand. */
const common = 'sunset';
const rare = 'zqxv';

/** Returns the image key that `makeGallery` gives a photo. */
const photoKey = (photoId: number) => `000000000000000000000${10_000_000_000 + photoId}`;

/** Returns the path of a photo's thumbnail, for photos that `storeThumbs` gave one. */
export const thumbPath = (photoId: number) => `/storage/${objectName(photoKey(photoId), 'thumb', 'webp')}`;

/** Adds searchable texts to the photos of the album, which are a tenth of all photos. */
export async function makeSearchable(query: (sql: string) => Promise<unknown>): Promise<void> {
  const asked = `user_id, visibility, taken_time, create_time, size, iso, focal_length, width, height, camera,
    lens, aperture`;
  await query(`INSERT INTO photo_texts (photo_id, ${asked}, text)
    SELECT id, ${asked}, title_key
        || CASE WHEN id % 100 = 0 THEN ' ${common}' ELSE '' END
        || CASE WHEN id % 10000 = 0 THEN ' ${rare}' ELSE '' END
      FROM photos WHERE album_id = ${albumId}`);
}

export async function storeThumbs(dataDir: string, albumEvery: number): Promise<void> {
  const storage = await openStorage({ dataDir });
  const source = Buffer.alloc(thumbBytes, 1);
  const names = Array.from({ length: thumbs }, (_, n) =>
    objectName(photoKey((n + 1) * albumEvery), 'thumb', 'webp'),
  );
  await storage.put(names.map((name) => ({ name, source })));
}

export function cpuReads(photos: number, albumEvery: number): CpuRead[] {
  const inAlbum = (n: number, of: number) => albumEvery * (1 + ((n * 7919) % of));
  return [
    { name: 'list', path: () => '/api/photos' },
    { name: 'list, signed in', headers: asReader, path: () => '/api/photos' },
    { name: 'list, page 50', path: () => '/api/photos?page=50' },
    {
      name: 'detail, signed in',
      headers: asReader,
      path: (n) => `/api/photos/${inAlbum(n, photos / albumEvery - 1)}`,
    },
    { name: 'thumb', path: (n) => thumbPath(inAlbum(n, thumbs)) },
    { name: 'search, a common keyword', path: () => `/api/photos?keyword=${common}`, requests: 300 },
    { name: 'search, a rare keyword', path: () => `/api/photos?keyword=${rare}`, requests: 300 },
    { name: 'tag that all have', path: () => '/api/photos?tag=Tag+0+0', requests: 300 },
    { name: 'photos of a user', path: (n) => `/api/users/${1 + (n % 1000)}/photos` },
    { name: 'album', path: () => `/api/albums/${albumId}/photos`, requests: 500 },
    { name: 'feed', headers: asReader, path: () => '/api/feed', requests: 300 },
    { name: 'comments', path: () => `/api/photos/${talkedAbout.photoId}/comments`, requests: 500 },
    { name: 'notifications', headers: asReader, path: () => '/api/notifications', requests: 500 },
  ];
}
