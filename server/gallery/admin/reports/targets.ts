/** Reads the reported things that still exist. */

import type { Deps } from '../../../deps.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import { createViewerPathSigner, thumbPath } from '../../delivery/paths.ts';
import type { PathSigner } from '../../delivery/signatures.ts';
import { authorColumns, presentUser } from '../../identity/present.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { currentVisibilityColumn, notTrashedCondition } from '../../library/visibility-sql.ts';
import type { ReportedTargets } from '../../moderation/reports.ts';
import type { ReportTarget } from './schema.ts';

type KeyedTarget = [key: string, target: ReportTarget];

/** Returns reported things by `type id`. Things that are deleted or in the trash are missing from the map. */
export async function readReportTargets(
  { db, ...deps }: Deps,
  viewer: Viewer,
  about: ReportedTargets[],
): Promise<Map<string, ReportTarget>> {
  const signer = createViewerPathSigner(deps, viewer);
  const found = await Promise.all(
    about.filter(({ ids }) => ids.length > 0).map(({ type, ids }) => targetReaders[type](db, ids, signer)),
  );
  return new Map(found.flat());
}

type TargetReader = (db: Deps['db'], ids: number[], signer: PathSigner | undefined) => Promise<KeyedTarget[]>;

const targetReaders: Record<ReportedTargets['type'], TargetReader> = {
  async photo(db, ids, signer) {
    const rows = await db.kysely
      .selectFrom('photos')
      .innerJoin('users', 'users.id', 'photos.user_id')
      .select(['photos.id', 'photos.user_id', 'photos.title', 'photos.image_key'])
      .select(currentVisibilityColumn)
      .select(authorColumns)
      .where('photos.id', 'in', ids)
      .where(notTrashedCondition)
      .execute();
    return rows.map((row) => [
      `photo ${row.id}`,
      {
        title: row.title,
        thumb: thumbPath(row, signer),
        photo_id: row.id,
        user: presentUser({ ...row, id: row.user_id }, signer),
      },
    ]);
  },

  async comment(db, ids, signer) {
    const rows = await db.kysely
      .selectFrom('comments')
      .innerJoin('photos', 'photos.id', 'comments.photo_id')
      .innerJoin('users', 'users.id', 'comments.user_id')
      .select(['comments.id', 'comments.user_id', 'comments.content', 'comments.photo_id'])
      .select(authorColumns)
      .where('comments.id', 'in', ids)
      .where(notTrashedCondition)
      .execute();
    return rows.map((row) => [
      `comment ${row.id}`,
      {
        title: row.content,
        thumb: '',
        photo_id: row.photo_id,
        user: presentUser({ ...row, id: row.user_id }, signer),
      },
    ]);
  },

  async user(db, ids, signer) {
    const rows = await db.kysely
      .selectFrom('users')
      .select('users.id')
      .select(authorColumns)
      .where('users.id', 'in', ids)
      .where('users.status', '>=', UserStatus.disabled)
      .execute();
    return rows.map((row) => [
      `user ${row.id}`,
      { title: row.username, thumb: '', photo_id: null, user: presentUser(row, signer) },
    ]);
  },
};
