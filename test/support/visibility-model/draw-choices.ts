/** Choices at random of callers, levels, albums and photos. */
import type { Random } from '../random.ts';
import { isWider, type LevelFields, placedLevel } from './levels.ts';
import type { Place } from './requests.ts';
import {
  type Album,
  isEnabled,
  levels,
  listAlbumsWith,
  type Name,
  names,
  type Photo,
  type State,
  type Viewer,
} from './state.ts';

export interface Draw {
  random: Random;
  state: State;
  by: Viewer;
  /** The created labels, also of things that are deleted. */
  labels: string[];
}

export const drawAdmin = (random: Random): Viewer => (random.chance(0.95) ? 'root' : random.pick(names));

/** Returns mostly an owner with an enabled account, sometimes the admin or somebody without rights. */
export function drawCaller(random: Random, state: State): Viewer {
  if (random.chance(0.02)) return 'stranger';
  const all: Name[] = ['ann', 'ann', 'ann', 'ann', 'bea', 'bea', 'mia', 'root', 'root'];
  return random.pick(random.chance(0.05) ? all : all.filter((name) => isEnabled(state, name)));
}

export function nextLabel(labels: string[], kind: string): string {
  return `${kind} ${labels.filter((label) => label.startsWith(`${kind} `)).length + 1}`;
}

/** Returns the level fields of a request: none, or those that name a level. */
export function drawFields(random: Random): LevelFields {
  return random.chance(0.4) ? {} : drawNamedFields(random);
}

/** Returns one of the level fields, both, or rarely a contradiction. */
function drawNamedFields(random: Random): LevelFields {
  const visibility = random.pick(levels);
  if (random.chance(0.55)) return { visibility };
  if (random.chance(0.7)) return { is_public: random.chance(0.5) ? 1 : 0 };
  const is_public = visibility === 'public' ? 1 : 0;
  return { visibility, is_public: random.chance(0.2) ? (is_public === 1 ? 0 : 1) : is_public };
}

export function drawOwnPlace(draw: Draw): { into?: Place } {
  const { random, by } = draw;
  return random.chance(0.75) ? { into: drawPlace(draw, by) } : {};
}

/** Returns the label of an album of the owner, rarely a smart one or that of another person, or `none`. */
export function drawPlace({ random, state }: Draw, owner: Viewer): Place {
  const all = [...state.albums.values()];
  const own = random.chance(0.05) ? all : all.filter((album) => album.owner === owner);
  const some = random.chance(0.03) ? own : own.filter(({ isSmart }) => !isSmart);
  return some.length > 0 ? random.pick(some).label : 'none';
}

export function drawChange(draw: Draw, owner: Name): { fields: LevelFields; into?: Place } {
  const { random } = draw;
  if (random.chance(0.4)) return { fields: drawNamedFields(random) };
  const into = random.chance(0.45) ? 'none' : drawPlace(draw, owner);
  return { fields: random.chance(0.6) ? {} : drawFields(random), into };
}

/** Returns mostly an album of the caller, preferably inside another album. */
export function drawAlbum(draw: Draw): Album | undefined {
  const { random, state, by } = draw;
  const all = [...state.albums.values()];
  const own = by === 'root' || random.chance(0.1) ? all : all.filter(({ owner }) => owner === by);
  const inner = own.filter(({ parent }) => parent !== undefined);
  const some = inner.length > 0 && random.chance(0.4) ? inner : own;
  return some.length > 0 ? random.pick(some) : undefined;
}

/** Returns mostly a photo of the caller, preferably one that its main album hides or that has references. */
export function drawPhoto(draw: Draw, isSuitable = (_photo: Photo) => true): Photo | undefined {
  const { random, state, by } = draw;
  const all = [...state.photos.values()];
  const own = by === 'root' || random.chance(0.1) ? all : all.filter(({ owner }) => owner === by);
  const some = random.chance(0.1) ? own : own.filter(isSuitable);
  const hidden = some.filter((photo) => isWider(photo.level, placedLevel(state, photo)));
  const referenced = some.filter((photo) => hasReference(state, photo));
  const preferred = random.chance(0.5) ? hidden : referenced;
  const chosen = preferred.length > 0 && random.chance(0.5) ? preferred : some;
  return chosen.length > 0 ? random.pick(chosen) : undefined;
}

export function hasReference(state: State, { label, mainAlbum }: Photo): boolean {
  return listAlbumsWith(state, label).some((album) => album.label !== mainAlbum);
}

export function drawPhotos(draw: Draw, isSuitable?: (photo: Photo) => boolean): string[] {
  const some = Array.from({ length: 1 + draw.random.below(4) }, () => drawPhoto(draw, isSuitable)?.label);
  return [...new Set(some)].filter((label) => label !== undefined);
}
