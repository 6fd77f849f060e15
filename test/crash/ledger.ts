/** What clients were told, and whether the gallery still holds it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { objectsOf } from '../../server/gallery/delivery/objects.ts';
import { openDatabase } from '../../server/platform/db/index.ts';
import { eventually, objectsOnDisk, temporaryFiles } from '../support/holdings.ts';
import type { Person } from '../support/people.ts';

/** A photo whose upload was answered with 200. */
export interface Entry {
  id: number;
  sha256: string;
  /** Edits that were answered, and those that were asked for. */
  edits: number;
  editsAsked: number;
  deletion: 'none' | 'asked' | 'answered';
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function assertLedgerHolds(ledger: Entry[], owner: Person, dataDir: string): Promise<void> {
  for (const entry of ledger) await assertEntryHolds(entry, owner);
  await assertRowsAreWhole(ledger, dataDir);
  await assertListIsWhole(owner);
  await eventually(async () => assert.deepEqual(await temporaryFiles(dataDir), []));
}

async function assertEntryHolds(entry: Entry, owner: Person): Promise<void> {
  const { id, edits, editsAsked, deletion } = entry;
  const { status, body } = await owner.get(`/api/photos/${id}`);
  if (deletion !== 'none') {
    if (deletion === 'answered') assert.equal(body.code, 20003, `photo ${id} is back`);
    if (status === 200) entry.deletion = 'none';
    else entry.deletion = 'answered';
    if (status !== 200) return;
  }
  assert.equal(status, 200, `photo ${id} is lost: ${JSON.stringify(body)}`);
  const { list } = (await owner.get(`/api/photos/${id}/edits`)).body.data;
  assert.ok(list.length >= edits && list.length <= editsAsked, `${list.length} edits of photo ${id}`);
  entry.edits = list.length;
  entry.editsAsked = list.length;
  const shown = await owner.get(body.data.path);
  assert.equal(shown.status, 200, `the image of photo ${id} is gone`);
  const { width, height } = await sharp(shown.bytes).metadata();
  assert.deepEqual([width, height], [body.data.width, body.data.height]);
  await sharp(shown.bytes).stats();
  if (list.length > 0) return;
  assert.equal(sha256((await owner.get(`/api/photos/${id}/download`)).bytes), entry.sha256);
}

/** Every row has all its objects and every original its bytes, also in the trash; totals equal the rows. */
async function assertRowsAreWhole(ledger: Entry[], dataDir: string): Promise<void> {
  const db = await openDatabase({ dataDir, url: undefined, onError: () => {} });
  try {
    const onDisk = new Set(await objectsOnDisk(dataDir));
    const images = await db.kysely.selectFrom('images').selectAll().execute();
    for (const name of images.flatMap(objectsOf))
      assert.ok(onDisk.has(name), `${name} has a row and no bytes`);
    const photos = await db.kysely.selectFrom('photos').selectAll().execute();
    for (const photo of photos) {
      const name = objectsOf(images.find(({ key }) => key === photo.original_key)!).find(isOriginal)!;
      const bytes = await readFile(join(dataDir, 'files', name.slice(0, 2), name));
      assert.equal(sha256(bytes), photo.sha256, `the original of photo ${photo.id} changed`);
    }
    for (const { id, sha256 } of ledger) {
      assert.equal(photos.find((photo) => photo.id === id)?.sha256, sha256, `the row of photo ${id}`);
    }
    for (const { user_id, visibility, n } of await db.kysely
      .selectFrom('photo_totals')
      .selectAll()
      .execute()) {
      const counted = photos.filter(
        (photo) => photo.visibility === visibility && (user_id === 0 || photo.user_id === user_id),
      );
      assert.equal(n, counted.length, `total of ${user_id} at ${visibility}`);
    }
  } finally {
    await db.close();
  }
}

function isOriginal(name: string): boolean {
  return name.includes('.original.');
}

async function assertListIsWhole(owner: Person): Promise<void> {
  const thumbs: string[] = [];
  for (let page = 1; ; page++) {
    const { list, pagination } = (await owner.get(`/api/photos?limit=100&page=${page}`)).body.data;
    thumbs.push(...list.map((photo: { thumb: string }) => photo.thumb));
    if (page < pagination.pages) continue;
    assert.equal(thumbs.length, pagination.total);
    break;
  }
  for (const thumb of thumbs) {
    const { status, bytes } = await owner.get(thumb);
    assert.equal(status, 200, `${thumb} is listed and does not open`);
    await sharp(bytes).stats();
  }
}
