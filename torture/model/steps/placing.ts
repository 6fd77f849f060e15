/** Levels of photos and albums in steps, and moves into albums. */
import { isWider } from '../../../test/support/visibility-model/levels.ts';
import type { Level } from '../../../test/support/visibility-model/state.ts';
import type { Name, Photo, Rows, Visitor } from '../rows.ts';
import { clearCovers, placedLevel } from '../rules.ts';
import { type Chance, type Outcome, refused } from './kind.ts';

/** Returns the refusal if nothing of this owner can be in the album. */
export function findPlaceProblem(rows: Rows, owner: Visitor, label: unknown): Outcome | undefined {
  if (label === undefined || label === 'none') return undefined;
  const found = rows.albums.get(label as string);
  if (!found) return refused(30001);
  if (found.owner !== owner) return refused(30002);
  return found.rule ? refused(30004) : undefined;
}

/** Chooses a level: public with this chance, otherwise one of the other two. */
export function drawLevel(random: Chance['random'], publicShare: number): Level {
  if (random.chance(publicShare)) return 'public';
  return random.chance(0.5) ? 'members' : 'private';
}

/** Returns whether an admin names a wider level than another person's thing keeps. */
export function isRefusedWidening(
  by: Visitor,
  { owner }: { owner: Name },
  level: unknown,
  kept: Level,
): boolean {
  return level !== undefined && by !== owner && isWider(level as Level, kept);
}

/** Moves a photo to another album or to none. A photo that leaves an album keeps the level that counted. */
export function putInto(rows: Rows, photo: Photo, label: string | undefined): void {
  if (photo.album === label) return;
  if (photo.album !== undefined) photo.level = placedLevel(rows, photo);
  photo.album = label;
  photo.position = rows.nextPosition++;
  clearCovers(rows);
}
