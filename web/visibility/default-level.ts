/**
 * The level that uploads and new albums of an account start with. The browser stores the level, and only the
 * settings page changes it.
 */
import type { VisibilityLevel } from '../api/types.ts';
import { visibilityLevels } from './levels.ts';

const storageKey = (user: number) => `lightwell-default-visibility-${user}`;

export function readDefaultLevel(user: number): VisibilityLevel {
  try {
    const stored = localStorage.getItem(storageKey(user));
    return visibilityLevels.find((level) => level === stored) ?? 'private';
  } catch {
    return 'private';
  }
}

/** Returns whether the browser stored the level. */
export function writeDefaultLevel(user: number, level: VisibilityLevel): boolean {
  try {
    localStorage.setItem(storageKey(user), level);
    return true;
  } catch {
    return false;
  }
}
