/** Finds a user by id or name, and searches users. */

import { type ExpressionBuilder, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { containsFolded, foldSearchText, foldText } from '../../platform/db/fold.ts';
import { countRows, idsOf } from '../../platform/db/rows.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { Tables, UserRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { RowWindow } from '../../platform/http/pagination.ts';
import type { PublicUserRow } from '../identity/present.ts';
import type { Viewer } from '../identity/viewer.ts';

const longestId = 15;

/**
 * Returns a user by id or username. Throws userNotFound. A disabled account is visible only to itself and to admins.
 */
export async function getVisibleUser(
  { db }: Deps,
  viewer: Viewer | undefined,
  idOrName: string,
): Promise<UserRow> {
  const find = (column: 'id' | 'username_key', value: number | string) =>
    db.kysely.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst();
  const isId = /^\d+$/.test(idOrName) && idOrName.length <= longestId;
  const user =
    (isId && (await find('id', Number(idOrName)))) || (await find('username_key', foldText(idOrName)));
  if (!user || !isVisibleTo(viewer, user)) throw errors.userNotFound();
  return user;
}

function isVisibleTo(viewer: Viewer | undefined, { id, status }: Pick<UserRow, 'id' | 'status'>): boolean {
  if (status === UserStatus.deleting) return false;
  return status === UserStatus.enabled || viewer?.isAdmin === true || viewer?.id === id;
}

export interface UserSearchResult {
  users: PublicUserRow[];
  total: number;
}

/**
 * Returns users whose username or nickname contains the keyword: exact matches first, then the newest. Runs on a
 * separate connection, because the query searches an index of all names.
 */
export async function findUsers(
  { db }: Deps,
  viewer: Viewer | undefined,
  keyword: string | undefined,
  { limit, offset }: RowWindow,
): Promise<UserSearchResult> {
  const folded = foldSearchText(keyword?.trim() ?? '');
  const matching = db
    .slow()
    .selectFrom('users')
    .where((is) => is.and([visibleToViewer(is, viewer), ...(folded ? [isNamed(is, folded)] : [])]));
  const n = await countRows(matching);
  const page = matching
    .select('users.id')
    .$if(folded !== '', (query) =>
      query.orderBy(sql`CASE WHEN users.username_key = ${folded} THEN 0 ELSE 1 END`),
    )
    .orderBy('users.id', 'desc')
    .limit(limit)
    .offset(offset);
  const ids = offset < n ? idsOf(await page.execute()) : [];
  return { users: await readUsers(db, ids), total: n };
}

type Names = ExpressionBuilder<Tables, 'users'>;

/**
 * Restricts a query to the users that the viewer can see. A signed-in viewer is always enabled, so no special case is
 * needed.
 */
function visibleToViewer(is: Names, viewer: Viewer | undefined) {
  return is(
    'users.status',
    'in',
    viewer?.isAdmin ? [UserStatus.disabled, UserStatus.enabled] : [UserStatus.enabled],
  );
}

function isNamed(is: Names, keyword: string) {
  return is.or([
    containsFolded('users.username_key', keyword),
    containsFolded('users.nickname_key', keyword),
  ]);
}

/** Reads users in the order of the given ids. */
async function readUsers(db: Deps['db'], ids: number[]): Promise<PublicUserRow[]> {
  if (ids.length === 0) return [];
  const rows = await db.kysely
    .selectFrom('users')
    .select(['id', 'username', 'nickname', 'avatar'])
    .where('id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
