/** Chooses the next request at random, such that nesting, leaving, the trash and disabling happen often. */
import type { Random } from '../random.ts';
import { isWider, type LevelFields, placedLevel } from './levels.ts';
import { batchActions, type ModelRequest, type Place } from './requests.ts';
import {
  type Album,
  findAlbum,
  isEnabled,
  levels,
  type Name,
  names,
  type Photo,
  type State,
  type Viewer,
} from './state.ts';

/** Numbers of living photos and albums, so that a comparison of everything stays short. */
const maxPhotos = 14;
const maxAlbums = 10;
/** Numbers below which most requests create something. */
const enough = { photos: 5, albums: 4 };

const weights = {
  'create album': 7,
  'update album': 16,
  'delete album': 5,
  upload: 9,
  'update photo': 14,
  batch: 10,
  'add to album': 6,
  'take out of album': 8,
  delete: 5,
  restore: 6,
  purge: 1,
  'set status': 5,
} satisfies Record<ModelRequest['does'], number>;

const kinds = Object.entries(weights).flatMap(([does, weight]) =>
  Array.from({ length: weight }, () => does as ModelRequest['does']),
);

interface Draw {
  random: Random;
  state: State;
  by: Viewer;
  /** The created labels, also of things that are deleted. */
  labels: string[];
}

/** Returns the next request, or undefined if nothing suitable exists. `labels` are the created things. */
export function drawRequest(random: Random, state: State, labels: string[]): ModelRequest | undefined {
  const does = drawKind(random, state);
  const by = does === 'set status' ? drawAdmin(random) : drawCaller(random, state);
  const draw: Draw = { random, state, by, labels };
  const request = drawDetails(draw, does);
  return request && ({ by, does, ...request } as ModelRequest);
}

/** Returns mostly the creation of a thing while there are few of them. */
function drawKind(random: Random, { photos, albums }: State): ModelRequest['does'] {
  if (albums.size < enough.albums && random.chance(0.4)) return 'create album';
  if (photos.size < enough.photos && random.chance(0.4)) return 'upload';
  return random.pick(kinds);
}

const drawAdmin = (random: Random): Viewer => (random.chance(0.95) ? 'root' : random.pick(names));

/** Returns mostly an owner with an enabled account, sometimes the admin or somebody without rights. */
function drawCaller(random: Random, state: State): Viewer {
  if (random.chance(0.02)) return 'stranger';
  const all: Name[] = ['ann', 'ann', 'ann', 'ann', 'bea', 'bea', 'mia', 'root', 'root'];
  return random.pick(random.chance(0.05) ? all : all.filter((name) => isEnabled(state, name)));
}

function drawDetails(draw: Draw, does: ModelRequest['does']): object | undefined {
  const { random, state, labels } = draw;
  switch (does) {
    case 'create album':
      if (state.albums.size >= maxAlbums) return undefined;
      return { album: nextLabel(labels, 'album'), fields: drawFields(random), ...drawOwnPlace(draw) };
    case 'update album': {
      const album = drawAlbum(draw);
      return album && { album: album.label, ...drawChange(draw, album.owner) };
    }
    case 'delete album': {
      const album = drawAlbum(draw);
      return album && { album: album.label };
    }
    case 'upload':
      if (state.photos.size >= maxPhotos) return undefined;
      return { photo: nextLabel(labels, 'photo'), fields: drawFields(random), ...drawOwnPlace(draw) };
    case 'update photo': {
      const photo = drawPhoto(draw);
      return photo && { photo: photo.label, ...drawChange(draw, photo.owner) };
    }
    case 'batch':
      return drawBatch(draw);
    case 'add to album':
    case 'take out of album':
      return drawContents(draw, does);
    case 'delete':
      return drawOne(draw, (photo) => !photo.isTrashed);
    case 'restore':
    case 'purge':
      return drawOne(draw, (photo) => photo.isTrashed);
    default:
      return drawStatus(draw);
  }
}

function nextLabel(labels: string[], kind: string): string {
  return `${kind} ${labels.filter((label) => label.startsWith(`${kind} `)).length + 1}`;
}

/** Returns the level fields of a request: none, or those that name a level. */
function drawFields(random: Random): LevelFields {
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

function drawOwnPlace(draw: Draw): { into?: Place } {
  const { random, by } = draw;
  return random.chance(0.75) ? { into: drawPlace(draw, by) } : {};
}

/** Returns the label of an album of the owner, rarely that of another person, or `none`. */
function drawPlace({ random, state }: Draw, owner: Viewer): Place {
  const all = [...state.albums.values()];
  const own = random.chance(0.05) ? all : all.filter((album) => album.owner === owner);
  return own.length > 0 ? random.pick(own).label : 'none';
}

function drawChange(draw: Draw, owner: Name): { fields: LevelFields; into?: Place } {
  const { random } = draw;
  if (random.chance(0.4)) return { fields: drawNamedFields(random) };
  const into = random.chance(0.45) ? 'none' : drawPlace(draw, owner);
  return { fields: random.chance(0.6) ? {} : drawFields(random), into };
}

/** Returns mostly an album of the caller, preferably inside another album. */
function drawAlbum(draw: Draw): Album | undefined {
  const { random, state, by } = draw;
  const all = [...state.albums.values()];
  const own = by === 'root' || random.chance(0.1) ? all : all.filter(({ owner }) => owner === by);
  const inner = own.filter(({ parent }) => parent !== undefined);
  const some = inner.length > 0 && random.chance(0.4) ? inner : own;
  return some.length > 0 ? random.pick(some) : undefined;
}

/** Returns mostly a photo of the caller, preferably one that its album hides. */
function drawPhoto(draw: Draw, isSuitable = (_photo: Photo) => true): Photo | undefined {
  const { random, state, by } = draw;
  const all = [...state.photos.values()];
  const own = by === 'root' || random.chance(0.1) ? all : all.filter(({ owner }) => owner === by);
  const some = random.chance(0.1) ? own : own.filter(isSuitable);
  const hidden = some.filter((photo) => isWider(photo.level, placedLevel(state, photo)));
  const chosen = hidden.length > 0 && random.chance(0.4) ? hidden : some;
  return chosen.length > 0 ? random.pick(chosen) : undefined;
}

function drawOne(draw: Draw, isSuitable: (photo: Photo) => boolean): object | undefined {
  const photo = drawPhoto(draw, isSuitable);
  return photo && { photo: photo.label };
}

function drawPhotos(draw: Draw, isSuitable?: (photo: Photo) => boolean): string[] {
  const some = Array.from({ length: 1 + draw.random.below(4) }, () => drawPhoto(draw, isSuitable)?.label);
  return [...new Set(some)].filter((label) => label !== undefined);
}

function drawBatch(draw: Draw): object | undefined {
  const { random, state } = draw;
  const action = random.pick(batchActions);
  const isInTrash = action === 'restore' || action === 'purge';
  const photos = drawPhotos(draw, ({ isTrashed }) => isTrashed === isInTrash);
  if (photos.length === 0) return undefined;
  const { owner } = state.photos.get(photos[0]!)!;
  return {
    action,
    photos,
    fields: action === 'visibility' ? { visibility: random.pick(levels) } : {},
    ...(action === 'move' && { into: random.chance(0.5) ? 'none' : drawPlace(draw, owner) }),
  };
}

function drawContents(draw: Draw, does: 'add to album' | 'take out of album'): object | undefined {
  const { random, state } = draw;
  const isAdding = does === 'add to album';
  const isSuitable = ({ album, isTrashed }: Photo) => !isTrashed && (isAdding || album !== undefined);
  const photos = drawPhotos(draw, isSuitable);
  const first = photos[0] === undefined ? undefined : state.photos.get(photos[0])!;
  if (!first) return undefined;
  const into = isAdding || random.chance(0.1) ? drawPlace(draw, first.owner) : (first.album ?? 'none');
  return findAlbum(state, into) && { album: into, photos };
}

/** Returns mostly a change, and enables accounts soon, so that most accounts are enabled. */
function drawStatus({ random, state }: Draw): object {
  const disabled = names.filter((name) => !isEnabled(state, name));
  if (disabled.length > 0 && random.chance(0.8)) return { account: random.pick(disabled), isEnabled: true };
  const account = random.pick<Name>(['ann', 'ann', 'ann', 'ann', 'bea', 'bea', 'mia', 'root']);
  return { account, isEnabled: random.chance(0.1) };
}
