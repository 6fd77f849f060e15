/** Chooses the next request at random, such that nesting, references, leaving and disabling happen often. */
import type { Random } from '../random.ts';
import {
  type Draw,
  drawAdmin,
  drawAlbum,
  drawCaller,
  drawChange,
  drawFields,
  drawOwnPlace,
  drawPhoto,
  drawPhotos,
  drawPlace,
  nextLabel,
} from './draw-choices.ts';
import { batchActions, type ModelRequest, type Place } from './requests.ts';
import {
  findAlbum,
  isEnabled,
  levels,
  listAlbumsWith,
  type Name,
  names,
  type Photo,
  type State,
} from './state.ts';

/** Numbers of living things, so that a comparison of everything stays short. */
const maximum = { photos: 14, albums: 10, shares: 3 };
/** Numbers below which most requests create something. */
const enough = { photos: 5, albums: 4 };

const weights = {
  'create album': 8,
  'update album': 16,
  'delete album': 5,
  'choose cover': 6,
  upload: 9,
  'update photo': 14,
  batch: 14,
  'add to album': 18,
  'remove from album': 10,
  'order album': 3,
  'share album': 6,
  'end share': 1,
  delete: 5,
  restore: 6,
  purge: 1,
  'set status': 5,
  'delete account': 1,
  register: 5,
} satisfies Record<ModelRequest['does'], number>;

const kinds = Object.entries(weights).flatMap(([does, weight]) =>
  Array.from({ length: weight }, () => does as ModelRequest['does']),
);

/** Returns the next request, or undefined if nothing suitable exists. `labels` are the created things. */
export function drawRequest(random: Random, state: State, labels: string[]): ModelRequest | undefined {
  const does = drawKind(random, state);
  const isForAdmin = does === 'set status' || does === 'delete account';
  const by = isForAdmin ? drawAdmin(random) : does === 'register' ? 'stranger' : drawCaller(random, state);
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

function drawDetails(draw: Draw, does: ModelRequest['does']): object | undefined {
  const { random, state, labels } = draw;
  switch (does) {
    case 'create album': {
      if (state.albums.size >= maximum.albums) return undefined;
      const isSmart = random.chance(0.1);
      return {
        album: nextLabel(labels, 'album'),
        isSmart,
        fields: drawFields(random),
        ...drawOwnPlace(draw),
      };
    }
    case 'update album': {
      const album = drawAlbum(draw);
      return album && { album: album.label, ...drawChange(draw, album.owner) };
    }
    case 'delete album': {
      const album = drawAlbum(draw);
      return album && { album: album.label };
    }
    case 'choose cover':
      return drawCover(draw);
    case 'upload':
      if (state.photos.size >= maximum.photos) return undefined;
      return { photo: nextLabel(labels, 'photo'), fields: drawFields(random), ...drawOwnPlace(draw) };
    case 'update photo': {
      const photo = drawPhoto(draw);
      return photo && { photo: photo.label, ...drawChange(draw, photo.owner) };
    }
    case 'batch':
      return drawBatch(draw);
    case 'add to album':
      return drawAddition(draw);
    case 'remove from album':
      return drawRemoval(draw);
    case 'order album':
      return drawOrder(draw);
    case 'share album':
    case 'end share':
      return drawShare(draw, does);
    case 'delete':
      return drawOne(draw, (photo) => !photo.isTrashed);
    case 'restore':
    case 'purge':
      return drawOne(draw, (photo) => photo.isTrashed);
    default:
      return drawAccount(draw, does);
  }
}

function drawOne(draw: Draw, isSuitable: (photo: Photo) => boolean): object | undefined {
  const photo = drawPhoto(draw, isSuitable);
  return photo && { photo: photo.label };
}

function drawBatch(draw: Draw): object | undefined {
  const { random, state } = draw;
  const action = random.pick([...batchActions, 'add', 'remove', 'move'] as const);
  const isInTrash = action === 'restore' || action === 'purge';
  const photos = drawPhotos(draw, ({ isTrashed }) => isTrashed === isInTrash);
  if (photos.length === 0) return undefined;
  const { owner } = state.photos.get(photos[0]!)!;
  const fields = action === 'visibility' ? { visibility: random.pick(levels) } : {};
  if (action === 'move')
    return { action, photos, fields, into: random.chance(0.3) ? 'none' : drawPlace(draw, owner) };
  if (action !== 'add' && action !== 'remove') return { action, photos, fields };
  const into = action === 'add' ? drawPlace(draw, owner) : drawHolder(draw, photos[0]!);
  return findAlbum(state, into) && { action, photos, fields, into };
}

function drawAddition(draw: Draw): object | undefined {
  const { random, state } = draw;
  const photos = drawPhotos(draw, ({ isTrashed }) => !isTrashed);
  if (photos.length === 0) return undefined;
  const first = state.photos.get(photos[0]!)!;
  const preferred = listPreferred(state, first);
  const isPreferred = preferred.length > 0 && random.chance(0.4);
  const album = isPreferred ? random.pick(preferred) : drawPlace(draw, first.owner);
  return findAlbum(state, album) && { album, photos, isMove: random.chance(0.2) };
}

/** Returns the labels of the owner's albums with a link, and of those next to an album that contains the photo. */
function listPreferred(state: State, { label, owner }: Photo): string[] {
  const shared = [...state.shares.values()].map(({ album }) => album);
  const holders = listAlbumsWith(state, label);
  return [...state.albums.values()]
    .filter((album) => album.owner === owner && !album.isSmart && !holders.includes(album))
    .filter((album) => {
      const isNear = holders.some((one) => one.parent === album.label || one.label === album.parent);
      return isNear || shared.includes(album.label);
    })
    .map((album) => album.label);
}

function drawRemoval(draw: Draw): object | undefined {
  const { state } = draw;
  const isInAlbum = ({ label, isTrashed }: Photo) => !isTrashed && listAlbumsWith(state, label).length > 0;
  const photos = drawPhotos(draw, isInAlbum);
  if (photos.length === 0) return undefined;
  const album = drawHolder(draw, photos[0]!);
  return findAlbum(state, album) && { album, photos };
}

/** Returns the label of an album that contains the photo, rarely of another one of the owner. */
function drawHolder(draw: Draw, photo: string): Place {
  const { random, state } = draw;
  const holders = listAlbumsWith(state, photo);
  if (holders.length > 0 && random.chance(0.9)) return random.pick(holders).label;
  return drawPlace(draw, state.photos.get(photo)!.owner);
}

/** Returns some photos of an album in another order, rarely with one that is elsewhere. */
function drawOrder(draw: Draw): object | undefined {
  const { random, state } = draw;
  const album = drawAlbum(draw);
  const inside = album?.photos.filter((photo) => !state.photos.get(photo)!.isTrashed) ?? [];
  if (!album || inside.length < 2) return undefined;
  const some = inside.filter(() => random.chance(0.7)).reverse();
  const other = random.chance(0.05) ? drawPhotos(draw) : [];
  const photos = [...new Set([...some, ...other])];
  return photos.length > 0 ? { album: album.label, photos } : undefined;
}

/** Returns an album with mostly one of its photos as the cover. */
function drawCover(draw: Draw): object | undefined {
  const { random, state } = draw;
  const album = drawAlbum(draw);
  if (!album || album.isSmart) return undefined;
  if (random.chance(0.1)) return { album: album.label, photo: 'none' };
  const repeated = album.photos.filter((photo) => listAlbumsWith(state, photo).length > 1);
  const inside = repeated.length > 0 && random.chance(0.5) ? repeated : album.photos;
  const isInside = inside.length > 0 && random.chance(0.7);
  const photo = isInside ? random.pick(inside) : drawPhoto(draw)?.label;
  return photo === undefined ? undefined : { album: album.label, photo };
}

function drawShare(draw: Draw, does: 'share album' | 'end share'): object | undefined {
  const { random, state, labels, by } = draw;
  if (does === 'end share') {
    const own = [...state.shares.values()].filter((share) => share.by === by);
    return own.length > 0 ? { share: random.pick(own).label } : undefined;
  }
  const album = state.shares.size < maximum.shares ? drawAlbum(draw) : undefined;
  return album && { share: nextLabel(labels, 'share'), album: album.label };
}

/** Returns mostly a change, and enables accounts soon, so that most accounts are enabled. */
function drawAccount({ random, state }: Draw, does: ModelRequest['does']): object | undefined {
  const deleted = names.filter((name) => !state.accounts.has(name));
  if (does === 'register') return deleted.length > 0 ? { account: random.pick(deleted) } : undefined;
  if (does === 'delete account') return { account: random.pick(['ann', 'bea', 'bea', 'mia', 'root']) };
  const disabled = names.filter((name) => state.accounts.has(name) && !isEnabled(state, name));
  if (disabled.length > 0 && random.chance(0.8)) return { account: random.pick(disabled), isEnabled: true };
  const account = random.pick<Name>(['ann', 'ann', 'ann', 'ann', 'bea', 'bea', 'mia', 'root']);
  return { account, isEnabled: random.chance(0.1) };
}
