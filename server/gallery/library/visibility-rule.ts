/**
 * Computes the visibility of a photo or an album from its own level, the albums above it and its owner's account. The
 * page docs/visibility.md has the rule in prose.
 */
import { type RawBuilder, sql } from 'kysely';
import {
  Level,
  type LevelName,
  type ListedVisibility,
  UserStatus,
  Visibility,
} from '../../platform/db/states.ts';

const visibilityByLevel: Record<Level, ListedVisibility> = {
  [Level.private]: Visibility.private,
  [Level.members]: Visibility.members,
  [Level.public]: Visibility.public,
};

const levelByVisibility: Record<ListedVisibility, Level> = {
  [Visibility.private]: Level.private,
  [Visibility.members]: Level.members,
  [Visibility.public]: Level.public,
};

/** Visibilities outside the trash, from narrow to wide. */
export const listedVisibilities: ListedVisibility[] = [
  Visibility.private,
  Visibility.members,
  Visibility.public,
];

const nameByLevel: Record<Level, LevelName> = {
  [Level.private]: 'private',
  [Level.members]: 'members',
  [Level.public]: 'public',
};

/** Returns the visibility with fewer viewers. */
export function chooseNarrower(one: ListedVisibility, other: ListedVisibility): ListedVisibility {
  return listedVisibilities.indexOf(one) < listedVisibilities.indexOf(other) ? one : other;
}

/** Returns whether the first level has more viewers than the second. */
export function isWider(level: Level, than: Level): boolean {
  return (
    listedVisibilities.indexOf(visibilityByLevel[level]) > listedVisibilities.indexOf(visibilityByLevel[than])
  );
}

/** Returns the level as the text that the API calls `visibility`. */
export function levelName(level: Level): LevelName {
  return nameByLevel[level];
}

/** Returns 1 for a public level and 0 for the others, which the API calls `is_public`. */
export function publicFlag(level: Level): 0 | 1 {
  return level === Level.public ? 1 : 0;
}

/** Returns the visibility of a photo or an album. `above` is the album that contains the item, if any. */
export function decideVisibility(
  item: { level: Level; owner_status: UserStatus },
  above: { visibility: ListedVisibility } | undefined,
): ListedVisibility {
  if (item.owner_status !== UserStatus.enabled) return Visibility.private;
  return narrowLevel(item.level, above?.visibility ?? Visibility.public);
}

/** Returns the visibility of an item with this level in an album of this visibility. */
export function narrowLevel(level: Level, above: ListedVisibility): ListedVisibility {
  return chooseNarrower(visibilityByLevel[level], above);
}

/** Returns the SQL expression for the column `level` after an item leaves an album of this visibility. */
export function narrowLevelInSql(above: ListedVisibility): RawBuilder<Level> {
  if (above === Visibility.private) return sql.lit<Level>(Level.private);
  if (above === Visibility.public) return sql.ref<Level>('level');
  return sql<Level>`CASE WHEN level = ${sql.lit(Level.public)} THEN ${sql.lit(Level.members)} ELSE level END`;
}

/** Returns the level that gives an item without an album this visibility. */
export function levelFor(visibility: ListedVisibility): Level {
  return levelByVisibility[visibility];
}

/**
 * Returns `decideVisibility` as a SQL expression. The query joins the owner as `users`, and the album that contains the
 * item under the name in `above`.
 */
export function decideVisibilityInSql(
  item: 'photos' | 'albums',
  above: string,
): RawBuilder<ListedVisibility> {
  const level = sql.ref(`${item}.level`);
  const visibilityAbove = sql.ref(`${above}.visibility`);
  return sql<ListedVisibility>`CASE
    WHEN users.status <> ${sql.lit(UserStatus.enabled)} OR ${level} = ${sql.lit(Level.private)}
      OR ${visibilityAbove} = ${sql.lit(Visibility.private)} THEN ${sql.lit(Visibility.private)}
    WHEN ${level} = ${sql.lit(Level.members)} OR ${visibilityAbove} = ${sql.lit(Visibility.members)}
      THEN ${sql.lit(Visibility.members)}
    ELSE ${sql.lit(Visibility.public)} END`;
}
