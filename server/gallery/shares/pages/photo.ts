/** Renders the page of a shared photo. */
import type { Deps } from '../../../deps.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import { renderLinkCard } from '../../../platform/http/link-card.ts';
import { createCardPicture } from '../../photos/card.ts';
import type { Photo } from '../../photos/schema.ts';
import type { PhotoDetailRow } from '../../photos/store.ts';
import type { PhotoShareLink } from '../open.ts';
import { presentSharedPhoto, shareUrl } from '../present.ts';
import { sharePageMessages } from './messages.ts';
import { renderSharePage, type SharePage, type SharePageFrame } from './page.ts';
import { buildSrcset } from './picture.ts';

interface PhotoPage {
  link: PhotoShareLink;
  /** Base URL of the gallery, or undefined if the server does not know its address. */
  baseUrl: string | undefined;
  /** Path of the download, relative to the page, or undefined if downloads are not allowed. */
  download: string | undefined;
}

export function renderSharedPhotoPage(
  deps: Deps,
  frame: SharePageFrame,
  { link, baseUrl, download }: PhotoPage,
): SharePage {
  const w = sharePageMessages[frame.language];
  const photo = presentSharedPhoto(deps, link);
  const title = photo.title || w.photoBy(displayName(photo));
  // A protected link has no preview, because a chat would show the photo without asking for the password.
  const head =
    link.share.password_hash === '' &&
    renderLinkCard({
      ...{ title, description: photo.description || w.photoBy(displayName(photo)), site: frame.site.name },
      url: baseUrl === undefined ? undefined : shareUrl(baseUrl, link.share),
      picture: createCardPicture(photo, baseUrl),
    });
  const body = html`<main>
${renderPhoto(photo, title)}
<article>
<div>
<h1 dir="auto">${title}</h1>
${renderByline(frame, photo, link.photo)}
</div>
${download && html`<a class="button" href="${download}" download>${w.download}</a>`}
<div class="rest">
${photo.description && html`<p class="description" dir="auto">${photo.description}</p>`}
${renderCameraData(frame, photo)}
${photo.tags.length > 0 && tagList(photo.tags)}
</div>
</article>
</main>`;
  return renderSharePage(frame, { title, head, body });
}

/** Returns a path relative to `/s/{token}`, so that it also works behind a proxy that adds a prefix. */
function relativePath(path: string): string {
  return `..${path}`;
}

function displayName({ user }: Photo): string {
  return user.nickname || user.username;
}

/** Renders a photo, whose width and height reserve the space while the image loads. */
function renderPhoto(photo: Photo, title: string): Html {
  return html`<a class="stage" href="${relativePath(photo.path)}">
<img src="${relativePath(photo.preview)}" srcset="${buildSrcset(photo, relativePath)}" sizes="100vw"
 width="${photo.width}" height="${photo.height}" alt="${title}" fetchpriority="high">
</a>`;
}

function dateText({ language }: SharePageFrame, day: Date): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(day);
}

function renderByline(
  frame: SharePageFrame,
  { user }: Photo,
  { taken_time, nickname, username }: PhotoDetailRow,
): Html {
  const name = nickname || username;
  const taken = new Date(taken_time * 1000);
  const face = user.avatar
    ? html`<img class="face" src="${relativePath(user.avatar)}" width="36" height="36" alt="">`
    : html`<span class="face" aria-hidden="true">${firstLetter(name)}</span>`;
  return html`<p class="by">${face}<span><bdi>${name}</bdi>
<time datetime="${taken.toISOString().slice(0, 10)}">${dateText(frame, taken)}</time></span></p>`;
}

function firstLetter(name: string): string {
  return [...new Intl.Segmenter().segment(name)][0]?.segment.toUpperCase() ?? '';
}

/** Renders the camera data of a photo without empty entries. */
function renderCameraData({ language }: SharePageFrame, { exif, width, height }: Photo): Html {
  const { camera, aperture, shutter, size } = sharePageMessages[language];
  const all: [string, string | false][] = [
    [camera, exif.camera],
    [aperture, exif.aperture],
    [shutter, exif.shutter && `${exif.shutter} s`],
    ['ISO', exif.iso > 0 && String(exif.iso)],
    [size, `${width} × ${height}`],
  ];
  const known = all.filter(([, value]) => value);
  return html`<dl>${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

function tagList(tags: string[]): Html {
  return html`<ul class="tags">${tags.map((tag) => html`<li dir="auto">${tag}</li>\n`)}</ul>`;
}
