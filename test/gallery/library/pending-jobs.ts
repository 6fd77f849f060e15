/** Finds the jobs that have not finished and what they still have to write. */
import { type LevelName, Visibility } from '../../../server/platform/db/states.ts';
import type { Gallery } from '../../support/harness.ts';
import { effectiveLevel, isWider, type Owner } from './level-model.ts';

const levelByVisibility = new Map<Visibility, LevelName>([
  [Visibility.private, 'private'],
  [Visibility.members, 'members'],
  [Visibility.public, 'public'],
]);

/** Returns which changes of visibility jobs have not written to rows yet. */
export async function findPending(
  gallery: Gallery,
  owners: Owner[],
): Promise<{ toShow: boolean; toHide: boolean; accounts: boolean }> {
  const account = await findJob(gallery, 'account');
  const waiting = await gallery.deps.db.kysely
    .selectFrom('visibility_jobs')
    .innerJoin('photos', 'photos.album_id', 'visibility_jobs.id')
    .select(['photos.id', 'photos.visibility'])
    .where('kind', '=', 'album')
    .where('photos.visibility', '<>', Visibility.trash)
    .execute();
  const photos = new Map(owners.flatMap((owner) => owner.photos.map((photo) => [photo.id, photo])));
  const states = waiting.map(({ id, visibility }) => ({
    stored: levelByVisibility.get(visibility)!,
    due: effectiveLevel(photos.get(id)!),
  }));
  return {
    toShow: states.some(({ stored, due }) => isWider(due, stored)),
    toHide: states.some(({ stored, due }) => isWider(stored, due)),
    accounts: account !== undefined,
  };
}

/** Returns the pending job with the smallest id. */
export function findJob(gallery: Gallery, kind: 'account' | 'album') {
  return gallery.deps.db.kysely
    .selectFrom('visibility_jobs')
    .select(['id', 'user_id'])
    .where('kind', '=', kind)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}
