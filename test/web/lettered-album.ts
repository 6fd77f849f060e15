/** Creates an album of six photos named by letters, so that the order of the album is a word. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertRead } from '../support/assert-answers.ts';
import { eventually } from '../support/gallery-counts.ts';
import { addPhoto, type Person } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';

const letters = ['A', 'B', 'C', 'D', 'E', 'F'];

export interface LetteredAlbum {
  id: number;
  /** Ids of the photos by letter. */
  photos: Record<string, number>;
}

export async function addLetteredAlbum(owner: Person, name: string, isPublic = 1): Promise<LetteredAlbum> {
  const { id } = (await owner.post('/api/albums', { name, is_public: isPublic })).body.data;
  const photos: Record<string, number> = {};
  for (const [n, title] of letters.entries()) {
    const picture = await createJpeg({ width: 600, height: 400, colour: `hsl(${n * 60}, 45%, 45%)` });
    photos[title] = (await addPhoto(owner, { title, album_id: String(id) }, picture)).id;
  }
  return { id, photos };
}

/** Returns the stored order of the album. */
export async function readOrder(reader: Person, id: number): Promise<string> {
  const { list } = assertRead(await reader.get(`/api/albums/${id}/photos`));
  return list.map(({ title }: { title: string }) => title).join('');
}

/** Asserts the order on the page and the stored order. */
export async function assertOrder(page: Page, reader: Person, id: number, order: string): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll<HTMLImageElement>('.tile[data-id] img')]
        .map(({ alt }) => alt)
        .join('') === wanted,
    order,
  );
  await eventually(async () => assert.equal(await readOrder(reader, id), order));
}
