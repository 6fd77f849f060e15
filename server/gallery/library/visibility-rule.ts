/**
 * Computes the visibility of a photo or an album. A private album hides all of its content. A disabled account hides
 * all of its photos and albums.
 */
import { type RawBuilder, sql } from 'kysely';
import { type ListedVisibility, UserStatus, Visibility } from '../../platform/db/states.ts';

/** Returns the visibility of a photo or an album. `above` is the album that contains the item, if any. */
export function decideVisibility(
  item: { is_public: number; owner_status: UserStatus },
  above: { visibility: Visibility } | undefined,
): ListedVisibility {
  const isShown = item.is_public === 1 && item.owner_status === UserStatus.enabled;
  return isShown && (above?.visibility ?? Visibility.public) === Visibility.public
    ? Visibility.public
    : Visibility.private;
}

/**
 * Returns `decideVisibility` as a SQL expression. The query joins the owner as `users`, and the album that contains the
 * item under the name in `above`.
 */
export function decideVisibilityInSql(
  item: 'photos' | 'albums',
  above: string,
): RawBuilder<ListedVisibility> {
  const isPublic = sql.lit(Visibility.public);
  return sql<ListedVisibility>`CASE WHEN ${sql.ref(`${item}.is_public`)} = 1 AND users.status = ${sql.lit(UserStatus.enabled)}
    AND coalesce(${sql.ref(`${above}.visibility`)}, ${isPublic}) = ${isPublic}
    THEN ${isPublic} ELSE ${sql.lit(Visibility.private)} END`;
}
