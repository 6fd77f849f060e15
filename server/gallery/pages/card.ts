/**
 * Reads the preview of a public page: title, text and picture, as a visitor without an account sees them. Documents of
 * signed-in viewers have no preview, so that nothing private can get into one.
 */

import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { Visibility } from '../../platform/db/states.ts';
import { type Language, languageOf } from '../../platform/http/language.ts';
import type { LinkCard } from '../../platform/http/link-card.ts';
import type { AlbumDetail } from '../albums/schema.ts';
import { findOwnBaseUrl } from '../identity/own-address.ts';
import { readSiteSettings } from '../identity/site-settings.ts';
import { createCardPicture, findCoverPicture } from '../photos/card.ts';
import { createReadPhotoDetail } from '../photos/detail.ts';
import { createListPhotos, type PhotoPage } from '../photos/list/list.ts';
import type { Photo, PhotoItem } from '../photos/schema.ts';
import { createReadProfile } from '../users/profile.ts';
import { getVisibleUser } from '../users/store.ts';
import { pageMessages } from './messages.ts';
import type { PageRoute } from './pages.ts';

/** Data that the document of a visitor contains. */
interface ShownContent {
  album?: AlbumDetail;
  photo?: Photo;
  wall?: { page: PhotoPage } | undefined;
}

export interface CardRequest {
  request: FastifyRequest;
  subject: PageRoute['card'];
  /** Id of the photo or of the album, and name of the person. */
  id: number;
  name: string;
  content: ShownContent;
}

/** Fields of a card that depend on the subject. `path` is the path of the page, without parameters. */
interface CardContent extends Pick<LinkCard, 'title' | 'description'> {
  path: string;
  picture: Pick<PhotoItem, 'image' | 'width' | 'height'> | undefined;
  /** Photo that the page is about. */
  photo?: Photo;
}

export function createReadCard(deps: Deps) {
  const readDetail = createReadPhotoDetail(deps);
  const listPhotos = createListPhotos(deps);
  const readProfile = createReadProfile(deps);

  async function readContent({ subject, id, name, content }: CardRequest, site: string, language: Language) {
    if (subject === 'photo')
      return describePhoto(content.photo ?? (await readDetail(undefined, id, false)), language);
    if (subject === 'album' && content.album)
      return describeAlbum(content.album, content.wall?.page, language);
    if (subject === 'person') return describePerson(name, language);
    return subject === 'home' ? describeHome(content.wall?.page, site, language) : undefined;
  }

  async function describeAlbum(
    { id, name, description, cover, user }: AlbumDetail,
    page: PhotoPage | undefined,
    language: Language,
  ): Promise<CardContent> {
    const key = /[\da-f]{32}/.exec(cover)?.[0];
    const found = key && { id: 0, image_key: key, visibility_now: Visibility.public };
    return {
      title: name,
      description: description || pageMessages[language].albumBy(user.nickname || user.username),
      path: `/albums/${id}`,
      picture: (found && (await findCoverPicture(deps, found, undefined))) || page?.list[0],
    };
  }

  async function describePerson(idOrName: string, language: Language): Promise<CardContent> {
    const user = await getVisibleUser(deps, undefined, idOrName);
    const newest = { user_id: user.id, sort: 'create_time', order: 'desc', page: 1, limit: 1 } as const;
    const [{ nickname, username, bio, stats }, { list }] = await Promise.all([
      readProfile(undefined, user),
      listPhotos(undefined, newest),
    ]);
    return {
      title: nickname || username,
      description: bio || pageMessages[language].photoCount(stats.photos),
      path: `/users/${encodeURIComponent(username)}`,
      picture: list[0],
    };
  }

  function describeHome(page: PhotoPage | undefined, site: string, language: Language): CardContent {
    const description = pageMessages[language].photoCount(page?.pagination.total ?? 0);
    return { title: site, description, path: '/', picture: page?.list[0] };
  }

  /** Throws the errors of the API if the visitor cannot see the subject. */
  return async (asked: CardRequest): Promise<LinkCard | undefined> => {
    const { name: site } = await readSiteSettings(deps.config, deps.db.kysely);
    const found = await readContent(asked, site, languageOf(asked.request));
    if (!found) return undefined;
    const { title, description, path, picture, photo } = found;
    const baseUrl = await findOwnBaseUrl(deps, asked.request);
    return {
      ...{ title, description, site },
      url: baseUrl === undefined ? undefined : `${baseUrl}${path}`,
      picture: createCardPicture(picture, baseUrl),
      ...(photo && baseUrl !== undefined && { structured: describeImageObject(photo, baseUrl, title) }),
    };
  };
}

function describePhoto(photo: Photo, language: Language): CardContent {
  const text = pageMessages[language].photoBy(photo.user.nickname || photo.user.username);
  return {
    title: photo.title || text,
    description: photo.description || text,
    path: `/photos/${photo.id}`,
    picture: photo,
    photo,
  };
}

/** Returns the photo in the words of https://schema.org/ImageObject. The location is never part of it. */
function describeImageObject(photo: Photo, baseUrl: string, name: string): object {
  const { description, path, thumb, width, height, user, tags, create_time } = photo;
  return {
    '@type': 'ImageObject',
    name,
    ...(description && { description }),
    url: `${baseUrl}/photos/${photo.id}`,
    contentUrl: `${baseUrl}${path}`,
    thumbnailUrl: `${baseUrl}${thumb}`,
    width,
    height,
    creator: {
      '@type': 'Person',
      name: user.nickname || user.username,
      url: `${baseUrl}/users/${encodeURIComponent(user.username)}`,
    },
    ...(tags.length > 0 && { keywords: tags }),
    uploadDate: `${create_time.replace(' ', 'T')}Z`,
  };
}
