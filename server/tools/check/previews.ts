/**
 * Checks that the row of each photo has the preview format of its image version. The photo's row has a copy, so that
 * lists need not read image versions.
 */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { lockPhoto } from '../../gallery/library/locks.ts';
import { flattenRowPages, yieldPagesByColumn } from '../../platform/db/pages.ts';
import type { CheckContext } from './findings.ts';

const pageSize = 500;

export async function checkPreviewFormats({ deps, progress, report }: CheckContext): Promise<void> {
  progress.begin('preview formats');
  for await (const { id, said, found } of flattenRowPages(selectDifferingPreviews(deps))) {
    await report({
      kind: 'preview-differs',
      subject: `photo ${id}`,
      detail: `the photo has ${said} instead of ${found}`,
      repair: () => renewPreview(deps, id),
    });
  }
}

/** One statement reads photo and image version, so that both have the same state. */
function selectDifferingPreviews({ db }: Deps) {
  const photos = db
    .slow()
    .selectFrom('photos')
    .innerJoin('images', 'images.key', 'photos.image_key')
    .select(['photos.id', 'photos.preview_extension as said', 'images.preview_extension as found'])
    .whereRef('photos.preview_extension', '!=', 'images.preview_extension');
  return yieldPagesByColumn(photos, 'photos.id', 'id', 0, pageSize);
}

/** Copies the preview format of the version that the photo shows now. */
function renewPreview({ db }: Deps, id: number): Promise<boolean> {
  return db.kysely.transaction().execute(async (transaction) => {
    if (!(await lockPhoto(transaction, id))) return false;
    const { numUpdatedRows } = await transaction
      .updateTable('photos')
      .set({
        preview_extension: sql<string>`(SELECT images.preview_extension FROM images WHERE key = image_key)`,
      })
      .where('id', '=', id)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  });
}
