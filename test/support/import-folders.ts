/** Folders to import, and the photos that an import created. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { assertRead } from './assert-answers.ts';
import type { Person } from './people.ts';
import { createJpeg } from './pictures.ts';

export interface ImportFolders {
  root: string;
  /** Writes files to a new folder, and returns its path. */
  folder(name: string, files: Record<string, Buffer | string>): Promise<string>;
  remove(): Promise<void>;
}

export async function makeFolders(): Promise<ImportFolders> {
  const root = await mkdtemp(join(tmpdir(), 'lightwell-import-'));
  return {
    root,
    async folder(name, files) {
      const path = join(root, name);
      await mkdir(path, { recursive: true });
      for (const [file, content] of Object.entries(files)) {
        await mkdir(dirname(join(path, file)), { recursive: true });
        await writeFile(join(path, file), content);
      }
      return path;
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

let pictureCount = 0;

/** Returns a picture that differs from all earlier ones. */
export function makePicture(): Promise<Buffer> {
  const n = pictureCount++;
  return createJpeg({ width: 64 + n, height: 48, colour: `#${(n * 7919 + 4096).toString(16).slice(0, 3)}` });
}

/** Returns the details of all photos of a user, as that user sees them. */
export async function readPhotos(person: Person) {
  const list = await listAllPages(person, `/api/users/${person.id}/photos`);
  return Promise.all(list.map(async ({ id }) => assertRead(await person.get(`/api/photos/${id}`))));
}

export async function listAllPages(person: Person, path: string): Promise<{ id: number; title: string }[]> {
  const items: { id: number; title: string }[] = [];
  for (let [page, pages] = [1, 1]; page <= pages; page++) {
    const { list, pagination } = assertRead(await person.get(`${path}?limit=100&page=${page}`));
    items.push(...list);
    pages = pagination.pages;
  }
  return items;
}

export interface ListedAlbum {
  id: number;
  name: string;
  parent_id: number | null;
  photo_count: number;
  visibility: string;
}

export async function readAlbums(person: Person): Promise<ListedAlbum[]> {
  const query = `user_id=${person.id}&limit=100&sort=name&order=asc`;
  return assertRead(await person.get(`/api/albums?${query}`)).list;
}
