/** A photo's history and its images, as they are stored. */

import type { Deps } from '../../../deps.ts';
import type { EditRow, ImageRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { EditStep } from '../../../platform/imaging/edits/actions.ts';

/** The photo's history, the first step first. */
export function stepsOf({ db }: Deps, photoId: number): Promise<EditRow[]> {
  return db.kysely.selectFrom('edits').selectAll().where('photo_id', '=', photoId).orderBy('id').execute();
}

export function parseStep({ action, params }: EditRow): EditStep {
  return { action, params: JSON.parse(params) } as EditStep;
}

/** Of a photo that was there a moment ago. Throws photoNotFound where it has been purged since. */
export async function getImage({ db }: Deps, key: string): Promise<ImageRow> {
  const image = await db.kysely.selectFrom('images').selectAll().where('key', '=', key).executeTakeFirst();
  if (!image) throw errors.photoNotFound();
  return image;
}
