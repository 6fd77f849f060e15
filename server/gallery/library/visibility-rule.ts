/**
 * Computes the visibility of a photo or an album from its own level, the albums above it and its owner's account. The
 * page docs/visibility.md has the rule in prose.
 */
import { type RawBuilder, sql } from 'kysely';
import {
  Level,
  type LevelName,
  UserStatus,
  Visibility,
  type VisibilityOutsideTrash,
} from '../../platform/db/states.ts';

const visibilityByLevel: Record<Level, VisibilityOutsideTrash> = {
  [Level.private]: Visibility.private,
  [Level.members]: Visibility.members,
  [Level.public]: Visibility.public,
};

const levelByVisibility: Record<VisibilityOutsideTrash, Level> = {
  [Visibility.private]: Level.private,
  [Visibility.members]: Level.members,
  [Visibility.public]: Level.public,
};

/** Visibilities outside the trash, from narrow to wide. */
export const visibilitiesOutsideTrash: VisibilityOutsideTrash[] = [
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
export function chooseNarrowerVisibility(
  one: VisibilityOutsideTrash,
  other: VisibilityOutsideTrash,
): VisibilityOutsideTrash {
  return visibilitiesOutsideTrash.indexOf(one) < visibilitiesOutsideTrash.indexOf(other) ? one : other;
}

/** Returns whether the first level has more viewers than the second. */
export function isWiderLevel(level: Level, than: Level): boolean {
  return (
    visibilitiesOutsideTrash.indexOf(visibilityByLevel[level]) >
    visibilitiesOutsideTrash.indexOf(visibilityByLevel[than])
  );
}

/** Returns the level as the text that the API calls `visibility`. */
export function levelName(level: Level): LevelName {
  return nameByLevel[level];
}

/** Returns 1 for a public level and 0 for the others, which the API calls `is_public`. */
export function toPublicFlag(level: Level): 0 | 1 {
  return level === Level.public ? 1 : 0;
}

/** Returns the visibility of a photo or an album. `above` is the album that contains the item, if any. */
export function decideVisibility(
  item: { level: Level; owner_status: UserStatus },
  above: { visibility: VisibilityOutsideTrash } | undefined,
): VisibilityOutsideTrash {
  if (item.owner_status !== UserStatus.enabled) return Visibility.private;
  return narrowLevel(item.level, above?.visibility ?? Visibility.public);
}

/** Returns the visibility of an item with this level in an album of this visibility. */
export function narrowLevel(level: Level, above: VisibilityOutsideTrash): VisibilityOutsideTrash {
  return chooseNarrowerVisibility(visibilityByLevel[level], above);
}

/** Returns the SQL expression for the column `level` after an item leaves an album of this visibility. */
export function narrowLevelInSql(above: VisibilityOutsideTrash): RawBuilder<Level> {
  if (above === Visibility.private) return sql.lit<Level>(Level.private);
  if (above === Visibility.public) return sql.ref<Level>('level');
  return sql<Level>`CASE WHEN level = ${sql.lit(Level.public)} THEN ${sql.lit(Level.members)} ELSE level END`;
}

/** Returns the level that gives an item without an album this visibility. */
export function getLevelForVisibility(visibility: VisibilityOutsideTrash): Level {
  return levelByVisibility[visibility];
}

/**
 * Returns `decideVisibility` as a SQL expression. The query joins the owner as `users`, and the album that contains the
 * item under the name in `above`.
 */
export function decideVisibilityInSql(
  item: 'photos' | 'albums',
  above: string,
): RawBuilder<VisibilityOutsideTrash> {
  const level = sql.ref(`${item}.level`);
  const visibilityAbove = sql.ref(`${above}.visibility`);
  return sql<VisibilityOutsideTrash>`CASE
    WHEN users.status <> ${sql.lit(UserStatus.enabled)} OR ${level} = ${sql.lit(Level.private)}
      OR ${visibilityAbove} = ${sql.lit(Visibility.private)} THEN ${sql.lit(Visibility.private)}
    WHEN ${level} = ${sql.lit(Level.members)} OR ${visibilityAbove} = ${sql.lit(Visibility.members)}
      THEN ${sql.lit(Visibility.members)}
    ELSE ${sql.lit(Visibility.public)} END`;
}
