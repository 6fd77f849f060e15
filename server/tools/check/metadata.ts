/** Checks that each photo has a row for what its file says, with fields that can be read. */
import { sql } from 'kysely';
import { parseMetadataRow } from '../../gallery/photos/metadata/store.ts';
import { unlimitedReadOptions } from '../../platform/db/dialect.ts';
import { yieldPagesByColumn } from '../../platform/db/pages.ts';
import type { CheckContext } from './findings.ts';

const pageSize = 1000;

export async function checkPhotoMetadata(round: CheckContext): Promise<void> {
  round.progress.begin('metadata of photos');
  await checkMissingRows(round);
  await checkUnreadableRows(round);
}

async function checkMissingRows({ deps: { db }, report }: CheckContext): Promise<void> {
  const photos = await db
    .slow(unlimitedReadOptions)
    .selectFrom('photos')
    .select('id')
    .where(sql<boolean>`NOT EXISTS (SELECT 1 FROM photo_metadata WHERE photo_id = photos.id)`)
    .orderBy('id')
    .execute();
  for (const { id } of photos) {
    await report({
      kind: 'metadata-row-wrong',
      subject: `photo ${id}`,
      detail: 'there is no row for what the file says',
      repair: () => resetRow(db, id),
    });
  }
}

async function checkUnreadableRows({ deps: { db }, progress, report }: CheckContext): Promise<void> {
  const rows = db.slow().selectFrom('photo_metadata').selectAll();
  for await (const page of yieldPagesByColumn(rows, 'photo_id', 'photo_id', 0, pageSize)) {
    progress.step(page.length);
    for (const row of page) {
      if (isReadable(row)) continue;
      await report({
        kind: 'metadata-row-wrong',
        subject: `photo ${row.photo_id}`,
        detail: 'the row for what the file says cannot be read',
        repair: () => resetRow(db, row.photo_id),
      });
    }
  }
}

function isReadable(row: Parameters<typeof parseMetadataRow>[0]): boolean {
  try {
    const { facts, corrected, file } = parseMetadataRow(row);
    return Array.isArray(corrected) && Array.isArray(file.tags) && typeof facts === 'object';
  } catch {
    return false;
  }
}

/** Replaces the row of a photo by an empty one, so that the server reads the file again. */
async function resetRow(db: CheckContext['deps']['db'], id: number): Promise<boolean> {
  return db.kysely.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('photo_metadata').where('photo_id', '=', id).execute();
    await sql`INSERT INTO photo_metadata (photo_id) SELECT id FROM photos WHERE id = ${id}`.execute(
      transaction,
    );
    return true;
  });
}
