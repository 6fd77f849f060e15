/**
 * What a photo's or an album's row says of who sees it follows from this alone: public only when it says so itself,
 * what it lies in is public too, and its owner's account is enabled.
 */
import { type RawBuilder, sql } from 'kysely';
import { type Shown, UserStatus, Visibility } from '../../platform/db/states.ts';

/** `above`: the album that the photo or album is in, if any. */
export function visibilityOf(
  item: { is_public: number; owner_status: UserStatus },
  above: { visibility: Visibility } | undefined,
): Shown {
  const isShown = item.is_public === 1 && item.owner_status === UserStatus.enabled;
  return isShown && (above?.visibility ?? Visibility.public) === Visibility.public
    ? Visibility.public
    : Visibility.private;
}

/** The same over joined rows: `users` the owner, `above` the name of the album that it is in, if any. */
export function visibilityInSql(item: 'photos' | 'albums', above: string): RawBuilder<Shown> {
  const isPublic = sql.lit(Visibility.public);
  return sql<Shown>`CASE WHEN ${sql.ref(`${item}.is_public`)} = 1 AND users.status = ${sql.lit(UserStatus.enabled)}
    AND coalesce(${sql.ref(`${above}.visibility`)}, ${isPublic}) = ${isPublic}
    THEN ${isPublic} ELSE ${sql.lit(Visibility.private)} END`;
}
