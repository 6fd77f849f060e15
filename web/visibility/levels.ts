/** The three levels of visibility, from narrow to wide, and their names for readers. */
import type { VisibilityLevel } from '../api/types.ts';
import { useSite } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';

export const visibilityLevels: VisibilityLevel[] = ['private', 'members', 'public'];

/** Level of an album, which narrows the photos and albums in it. */
export interface NarrowingAlbum {
  name: string;
  effective_visibility: VisibilityLevel;
}

export function chooseNarrowerLevel(one: VisibilityLevel, other: VisibilityLevel): VisibilityLevel {
  return isWiderLevel(one, other) ? other : one;
}

export function isWiderLevel(level: VisibilityLevel, than: VisibilityLevel): boolean {
  return visibilityLevels.indexOf(level) > visibilityLevels.indexOf(than);
}

/** Returns the widest of the levels; the array must not be empty. */
export function chooseWidestLevel(given: VisibilityLevel[]): VisibilityLevel {
  return given.reduce((one, other) => (isWiderLevel(one, other) ? one : other));
}

/** Returns a function that names a level for readers, and warns if anyone can become a member. */
export function useLevelLabel(): (level: VisibilityLevel) => string {
  const isOpen = useSite()?.registration === 'open';
  return (level) => (level === 'members' && isOpen ? t('membersAnyone') : getLevelLabel(level));
}

export function getLevelLabel(level: VisibilityLevel): string {
  if (level === 'members') return t('members');
  return t(level === 'public' ? 'everyone' : 'onlyMe');
}

/** Returns a sentence for the owner if the album is narrower than the level, or undefined otherwise. */
export function describeNarrowing(
  level: VisibilityLevel,
  { name: album, effective_visibility: above }: NarrowingAlbum,
): string | undefined {
  if (!isWiderLevel(level, above)) return undefined;
  return t(above === 'members' ? 'narrowedToMembers' : 'narrowedToOwner', { album });
}
