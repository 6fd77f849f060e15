/** Lists accounts for admins. The cost grows with the number of matching accounts, not with their content. */

import { type ExpressionBuilder, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { containsFolded, foldSearchText, foldText } from '../../../platform/db/fold.ts';
import { idsOf } from '../../../platform/db/rows.ts';
import { UserStatus, Visibility } from '../../../platform/db/states.ts';
import type { Tables, UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { readQueryPage } from '../../../platform/http/pagination.ts';
import { timeText } from '../../../platform/http/time.ts';
import { countApiKeys } from '../../accounts/keys/api-keys.ts';
import { createViewerPathSigner } from '../../delivery/paths.ts';
import { avatarPath, toQuotaMegabytes } from '../../identity/present.ts';
import type { Viewer } from '../../identity/viewer.ts';
import type { AdminUser, AdminUsersQuery } from './schema.ts';

/** Column of each sort key. Ids have the order of the sign-ups, so the id stands in for the creation time. */
const sortColumns = {
  create_time: sql`id`,
  username: sql`username_key`,
  name: sql`name_sort_key`,
  storage_used: sql`used_bytes`,
  last_seen_time: sql`coalesce((SELECT max(last_used_time) FROM (
    SELECT last_used_time FROM sessions WHERE user_id = users.id
    UNION ALL SELECT last_used_time FROM api_keys WHERE user_id = users.id) AS uses), 0)`,
};

export async function listUsers(deps: Deps, viewer: Viewer, query: AdminUsersQuery) {
  const matching = deps.db
    .slow()
    .selectFrom('users')
    .where((is) => createUserConditions(is, query));
  const { rows, pagination } = await readQueryPage(matching, query, (some) =>
    some.selectAll().orderBy(sortColumns[query.sort], query.order).orderBy('id', query.order),
  );
  return { list: await presentUsers(deps, rows, viewer), pagination };
}

/** Returns an account with the fields for admins. A command has no viewer. Throws userNotFound. */
export async function readUser(deps: Deps, id: number, viewer?: Viewer): Promise<AdminUser> {
  const row = await deps.db.kysely
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('status', '>=', UserStatus.disabled)
    .executeTakeFirst();
  if (!row) throw errors.userNotFound();
  return (await presentUsers(deps, [row], viewer))[0]!;
}

function createUserConditions(
  is: ExpressionBuilder<Tables, 'users'>,
  { keyword, status, is_admin }: AdminUsersQuery,
) {
  const typed = keyword?.trim() ?? '';
  const folded = foldText(typed);
  const isNickname = containsFolded('users.nickname_key', foldSearchText(typed));
  const names = ['users.username_key', 'users.email_key'];
  return is.and([
    is('status', 'in', status === undefined ? [0, 1] : [status]),
    ...(is_admin === undefined ? [] : [is('is_admin', '=', is.lit(is_admin))]),
    ...(folded ? [is.or([isNickname, ...names.map((name) => containsFolded(name, folded))])] : []),
  ]);
}

async function presentUsers(deps: Deps, rows: UserRow[], viewer: Viewer | undefined): Promise<AdminUser[]> {
  const { db, clock } = deps;
  const signer = createViewerPathSigner(deps, viewer);
  const now = clock();
  const ids = idsOf(rows);
  const [photos, keys, seen] = await Promise.all([
    countPhotos(db, ids),
    countApiKeys(db.slow(), ids, now),
    findLastSeen(db, ids),
  ]);
  return rows.map((row) => ({
    id: row.id,
    username: row.username,
    email: row.email,
    nickname: row.nickname,
    avatar: avatarPath(row.avatar, signer),
    status: row.status,
    is_admin: row.is_admin === 1,
    quota_mb: toQuotaMegabytes(row),
    storage_used: row.used_bytes,
    photo_count: photos.get(row.id) ?? 0,
    api_keys: keys.get(row.id) ?? 0,
    last_seen_time: timeTextOrEmpty(seen.get(row.id)),
    create_time: timeText(row.create_time),
  }));
}

function timeTextOrEmpty(seconds: number | undefined): string {
  return seconds === undefined ? '' : timeText(seconds);
}

async function countPhotos(db: Deps['db'], ids: number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .slow()
    .selectFrom('photo_totals')
    .select(['user_id', (is) => is.fn.sum<number>('n').as('n')])
    .where('user_id', 'in', ids)
    .where('visibility', '>', Visibility.trash)
    .groupBy('user_id')
    .execute();
  return new Map(rows.map(({ user_id, n }) => [user_id, n]));
}

async function findLastSeen(db: Deps['db'], ids: number[]): Promise<Map<number, number>> {
  const seen = new Map<number, number>();
  if (ids.length === 0) return seen;
  for (const table of ['sessions', 'api_keys'] as const) {
    const rows = await db
      .slow()
      .selectFrom(table)
      .select(['user_id', (is) => is.fn.max('last_used_time').as('time')])
      .where('user_id', 'in', ids)
      .where('last_used_time', 'is not', null)
      .groupBy('user_id')
      .execute();
    for (const { user_id, time } of rows) seen.set(user_id, Math.max(seen.get(user_id) ?? 0, time ?? 0));
  }
  return seen;
}
