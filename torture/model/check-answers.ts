/** Compares responses about photos, albums, users and lists with the model. */
import { isDeepStrictEqual } from 'node:util';
import { lookAtOwn } from './check-own.ts';
import { compare, compareNames, comparePhotos, type ModelCheck } from './model-check.ts';
import { type Name, names, type Photo } from './rows.ts';
import { isEnabled, mayManage, photoLevel, seesAlbum, seesPhoto } from './rules.ts';
import { computeSize } from './steps/edits.ts';
import { words } from './steps/photos.ts';
import {
  accountsFor,
  albumFor,
  albumPhotosFor,
  albumsFor,
  countBy,
  countTags,
  coverFor,
  followedBy,
  hasWord,
  homeFor,
  listComments,
  listFavorites,
  listFollowers,
  opensImage,
  photoFor,
  photosFor,
  repliesTo,
} from './visible-rows.ts';

/** Compares a photo's detail, comments and image. */
export async function lookAtPhoto(look: ModelCheck, label: string): Promise<void> {
  const { rows, stage, viewer } = look;
  const id = stage.ids.get(label);
  if (id === undefined) return;
  const photo = rows.photos.get(label);
  const isThere = photo !== undefined && !photo.isTrashed;
  const code = !isThere ? 20003 : seesPhoto(rows, viewer, photo) ? 0 : 20004;
  const { body } = await look.get(`/api/photos/${id}`);
  compare(look, `${label} (code)`, body.code, code);
  if (body.code === 0 && photo) {
    photo.views++;
    const {
      title,
      tags,
      visibility,
      is_public,
      likes,
      favorites,
      comments,
      is_liked,
      is_favorited,
      album,
      user,
    } = body.data;
    const seen = { title, tags, visibility, is_public, likes, favorites, comments, is_liked, is_favorited };
    const shown = { ...seen, album: album?.name ?? null, owner: user.username };
    compare(look, label, shown, photoFor(rows, viewer, photo));
    const { width, height } = body.data;
    compare(look, `the size of ${label}`, { width, height }, computeSize(photo));
    if (mayManage(viewer, photo)) await lookAtEdits(look, photo, id);
  }
  const image = await look.get(stage.images.get(label)!);
  compare(look, `the image of ${label}`, image.status === 200, opensImage(rows, viewer, photo));
  await lookAtComments(look, label, code);
}

async function lookAtEdits(look: ModelCheck, { label, edits }: Photo, id: number): Promise<void> {
  const { body } = await look.get(`/api/photos/${id}/edits`);
  const actions = body.data?.list.map(({ action }: { action: string }) => action);
  compare(look, `the edits of ${label}`, actions, edits);
}

interface ListedComment {
  id: number;
  content: string;
  likes: number;
  is_liked: boolean;
  reply_count: number;
  user: { username: string };
}

async function lookAtComments(look: ModelCheck, photo: string, code: number): Promise<void> {
  const { rows, stage, viewer } = look;
  const { body } = await look.get(`/api/photos/${stage.ids.get(photo)}/comments?limit=100`);
  compare(look, `comments of ${photo} (code)`, body.code, code);
  if (body.code !== 0) return;
  const all = listComments(rows, photo);
  const shown = (one: (typeof all)[number]) => ({
    label: one.label,
    content: one.content,
    likes: one.likes.size,
    is_liked: one.likes.has(viewer as Name),
    replies: repliesTo(rows, one.label).length,
    author: isEnabled(rows, one.author) ? one.author : '',
  });
  const seen = (one: ListedComment) => ({
    label: look.labelOf('comment', one.id),
    content: one.content,
    likes: one.likes,
    is_liked: one.is_liked,
    replies: one.reply_count,
    author: one.user.username,
  });
  const threads = all.filter(({ parent }) => parent === undefined).reverse();
  compare(look, `comments of ${photo}`, body.data.list.map(seen), threads.map(shown));
  compare(look, `the total of comments of ${photo}`, body.data.pagination.total, threads.length);
  for (const [index, thread] of threads.entries()) {
    const replies = repliesTo(rows, thread.label).map(shown);
    compare(
      look,
      `replies to ${thread.label}`,
      body.data.list[index]?.replies.map(seen),
      replies.slice(0, 3),
    );
    if (replies.length === 0) continue;
    const path = `/api/comments/${stage.ids.get(thread.label)}/replies?limit=100`;
    compare(look, path, (await look.get(path)).body.data?.list.map(seen), replies);
  }
}

/** Compares an album's detail and its photos, by both lists. */
export async function lookAtAlbum(look: ModelCheck, label: string): Promise<void> {
  const { rows, stage, viewer } = look;
  const id = stage.ids.get(label);
  if (id === undefined) return;
  const album = rows.albums.get(label);
  const code = album === undefined ? 30001 : seesAlbum(rows, viewer, album) ? 0 : 30002;
  const { body } = await look.get(`/api/albums/${id}`);
  compare(look, `${label} (code)`, body.code, code);
  if (!album || code !== 0 || body.code !== 0) {
    compare(look, `photos of ${label}`, (await look.get(`/api/albums/${id}/photos`)).body.code, code);
    return;
  }
  const { name, visibility, is_public, photo_count, is_smart, cover, parents, children } = body.data;
  const listNames = (albums: { name: string }[]) => albums.map((one) => one.name);
  const expected = albumFor(rows, viewer, album);
  const isKnown = photo_count !== null;
  const seen = {
    name,
    visibility,
    is_public,
    // The count of a smart album is left out when counting takes too long.
    photo_count: isKnown ? photo_count : expected.photo_count,
    cover: isKnown ? look.photoAt(cover) : expected.cover,
    is_smart,
    parents: listNames(parents),
    children: listNames(children).sort(),
  };
  compare(look, label, seen, expected);
  const photos = albumPhotosFor(rows, viewer, label);
  await comparePhotos(look, `/api/albums/${id}/photos?limit=100`, photos);
  await comparePhotos(look, `/api/photos?limit=100&album_id=${id}`, photos, { isOrdered: false });
}

/** Compares a user's profile and lists. */
export async function lookAtUser(look: ModelCheck, name: Name): Promise<void> {
  const { rows, viewer } = look;
  const { body } = await look.get(`/api/users/${name}`);
  const home = homeFor(rows, viewer, name);
  if (!home) return compare(look, `the home of ${name} (code)`, body.code, 50001);
  const { is_following, is_followed, stats } = body.data ?? {};
  compare(look, `the home of ${name}`, { is_following, is_followed, stats }, home);
  const own = photosFor(rows, viewer).filter(({ owner }) => owner === name);
  await comparePhotos(look, `/api/users/${name}/photos?limit=100`, own);
  await lookAtAlbumList(look, `/api/users/${name}/albums?limit=100`, name);
  await compareNames(look, `/api/users/${name}/followers?limit=100`, listFollowers(rows, name));
  await compareNames(look, `/api/users/${name}/following?limit=100`, followedBy(rows, name));
  const favorites = await look.get(`/api/users/${name}/favorites?limit=100`);
  if (viewer === 'nobody') return compare(look, `favorites of ${name}`, favorites.body.code, 401);
  if (viewer !== name && viewer !== 'root')
    return compare(look, `favorites of ${name}`, favorites.body.code, 403);
  const listed = listFavorites(rows, name, viewer);
  await comparePhotos(look, `/api/users/${name}/favorites?limit=100`, listed, { isOrdered: false });
}

async function lookAtAlbumList(look: ModelCheck, path: string, owner?: Name): Promise<void> {
  const { rows, viewer } = look;
  const expected = albumsFor(rows, viewer).filter((album) => owner === undefined || album.owner === owner);
  const { body } = await look.get(path);
  const listed = photosFor(rows, viewer);
  type Listed = { name: string; photo_count: number | null; cover: string };
  const counted = expected.map((album) => [
    album.name,
    albumPhotosFor(rows, viewer, album.label, listed).length,
    coverFor(rows, viewer, album, listed),
  ]);
  const seen = (body.data?.list ?? []).map(({ name, photo_count, cover }: Listed) =>
    photo_count === null ? counted.find(([is]) => is === name) : [name, photo_count, look.photoAt(cover)],
  );
  compare(look, path, seen.sort(), counted.sort());
  compare(look, `the total of ${path}`, body.data?.pagination.total, expected.length);
}

/** Compares the list of all photos with each photo's counters, and lists of albums and tags. */
export async function lookAtLists(look: ModelCheck): Promise<void> {
  const { rows, viewer } = look;
  const all = photosFor(rows, viewer);
  const { body } = await comparePhotos(look, '/api/photos?limit=100', all);
  for (const item of body.data?.list ?? []) {
    const photo = rows.photos.get(look.labelOf('photo', item.id));
    if (!photo) continue;
    const { title, likes, favorites, comments, is_liked, is_favorited, visibility, is_public, user } = item;
    const { tags: _tags, album: _album, ...expected } = photoFor(rows, viewer, photo);
    const seen = {
      title,
      visibility,
      is_public,
      likes,
      favorites,
      comments,
      is_liked,
      is_favorited,
      owner: user.username,
    };
    if (!isDeepStrictEqual(seen, expected)) compare(look, `${photo.label} in the list`, seen, expected);
  }
  await lookAtAlbumList(look, '/api/albums?limit=100');
  const tags = await look.get('/api/tags?limit=100');
  compare(look, '/api/tags', namedCounts(tags.body.data.list), countTags(all));
}

type Named = { name: string; count: number };
const namedCounts = (list: Named[]) => Object.fromEntries(list.map(({ name, count }) => [name, count]));

/**
 * Compares searches by word, tag, owner and query, with their facets and months, and the search for users.
 */
async function lookAtSearches(look: ModelCheck): Promise<void> {
  const { rows, viewer } = look;
  const all = photosFor(rows, viewer);
  for (const word of words) {
    const found = all.filter((photo) => hasWord(photo, word));
    await comparePhotos(look, `/api/photos?limit=100&keyword=${word}`, found);
  }
  await comparePhotos(
    look,
    '/api/photos?limit=100&tag=SEA',
    all.filter(({ tags }) => tags.includes('sea')),
  );
  const hill = all.filter(({ tags, owner }) => tags.includes('hill') && owner !== 'ann');
  await comparePhotos(look, '/api/photos?limit=100&q=tag:hill%20-by:ann', hill);
  await comparePhotos(
    look,
    '/api/photos?limit=100&q=is:private',
    all.filter((photo) => photoLevel(rows, photo) === 'private'),
  );
  await compareNames(look, '/api/users?limit=100', accountsFor(rows, viewer));
  const facets = (await look.get('/api/facets')).body.data;
  compare(look, 'facets of tags', namedCounts(facets.tags), countTags(all));
  const owners = facets.users.map(({ user, count }: { user: { username: string }; count: number }) => [
    user.username,
    count,
  ]);
  compare(look, 'facets of users', Object.fromEntries(owners), countBy(all.map(({ owner }) => owner)));
  const months = (await look.get('/api/timeline?by=create_time')).body.data.list;
  const sum = months.reduce((total: number, { count }: { count: number }) => total + count, 0);
  compare(look, 'the sum of all months', sum, all.length);
  if (viewer === 'nobody') return;
  const liked = all.filter(({ likes }) => likes.has(viewer));
  await comparePhotos(look, '/api/photos?limit=100&q=is:liked', liked);
}

export async function lookAtEverything(look: ModelCheck): Promise<void> {
  await lookAtLists(look);
  await lookAtSearches(look);
  await lookAtOwn(look);
  for (const label of look.stage.ids.keys()) {
    if (label.startsWith('photo')) await lookAtPhoto(look, label);
    if (label.startsWith('album')) await lookAtAlbum(look, label);
  }
  for (const name of names) await lookAtUser(look, name);
}
