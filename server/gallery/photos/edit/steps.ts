/** Reads the edit history and the image versions of a photo. */

import type { Deps } from '../../../deps.ts';
import type { EditRow, ImageRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { EditStep } from '../../../platform/imaging/edits/actions.ts';

/** Returns the edit steps of a photo, the first step first. */
export function findEditSteps({ db }: Deps, photoId: number): Promise<EditRow[]> {
  return db.kysely.selectFrom('edits').selectAll().where('photo_id', '=', photoId).orderBy('id').execute();
}

export function parseEditStep({ action, params }: EditRow): EditStep {
  return { action, params: JSON.parse(params) } as EditStep;
}

/** Returns the row of an image version by its key. Throws photoNotFound if the photo was purged in the meantime. */
export async function getImageVersion({ db }: Deps, key: string): Promise<ImageRow> {
  const image = await db.kysely.selectFrom('images').selectAll().where('key', '=', key).executeTakeFirst();
  if (!image) throw errors.photoNotFound();
  return image;
}
