/**
 * Renders the page of a shared album: rows of photos in the album's order, a hundred per page. A photo opens as an
 * overlay by its fragment (`#photo-3`) and CSS alone, without any script.
 */
import { readFileSync } from 'node:fs';
import { type Html, html } from '../../../platform/http/html.ts';
import { type LinkCard, renderLinkCard } from '../../../platform/http/link-card.ts';
import type { Album } from '../../albums/schema.ts';
import { buildTileSizesAttribute, buildTileSrcset, tileStyle } from '../../photos/tile.ts';
import type { SharedAlbum, SharedPhotoItem } from '../schema.ts';
import { sharePageMessages } from './messages.ts';
import { renderSharePage, type SharePage, type SharePageFrame } from './page.ts';
import { computePreviewSize } from './picture.ts';

interface AlbumPage {
  shown: SharedAlbum;
  /** Path of the ZIP download, relative to the page, or undefined if downloads are not allowed. */
  download: string | undefined;
  /** Preview of the link, or undefined for a link with a password. */
  card: Pick<LinkCard, 'url' | 'picture'> | undefined;
}

const lookScript = readFileSync(new URL('look.js', import.meta.url), 'utf8');

/** Number of images that load at once. The others load when the visitor scrolls. */
const firstPhotos = 12;

export function renderSharedAlbumPage(
  frame: SharePageFrame,
  { shown: { album, parents, children, photos }, download, card }: AlbumPage,
): SharePage {
  const w = sharePageMessages[frame.language];
  const { page, pages, total, limit } = photos.pagination;
  const inside = parents.length > 0 ? `album_id=${album.id}` : '';
  const positionAt = (index: number): PhotoPosition => ({
    index,
    number: (page - 1) * limit + index + 1,
    total,
  });
  const body = html`<main>
<article class="of-wall">
<div>
${parents.length > 0 && renderParents(parents)}
<h1 dir="auto">${album.name}</h1>
<p class="by"><span><bdi>${album.user.nickname || album.user.username}</bdi>${(total > 0 || children.length === 0) && ` · ${w.photos(total)}`}</span></p>
${album.description && html`<p class="description" dir="auto">${album.description}</p>`}
</div>
${(total > 0 || children.length > 0) && download && html`<a class="button" href="${download}" download>${w.downloadAll}</a>`}
</article>
${children.length > 0 && html`<ul class="inner">${children.map((child) => renderInnerAlbum(frame, child))}</ul>`}
<div class="wall-rows">${photos.list.map((photo, index) => renderPhotoTile(frame, photo, positionAt(index)))}</div>
${pages > 1 && renderPager(frame, page, pages, inside)}
${photos.list.map((photo, index) => renderPhotoOverlay(frame, photo, positionAt(index), download !== undefined, { page, limit, inside }))}
</main>`;
  const script = photos.list.length > 0 ? lookScript : undefined;
  const style = photos.list.map((photo, index) => `.t${index}{${tileStyle(photo)}}`).join('');
  const description = album.description || (total > 0 ? w.photos(total) : w.albums(children.length));
  const head = card && renderLinkCard({ title: album.name, description, site: frame.site.name, ...card });
  return renderSharePage(frame, { title: album.name, head, body, style, script });
}

/** Renders the way from the shared album to the opened one. The link to the shared album has no parameter. */
function renderParents(parents: SharedAlbum['parents']): Html {
  return html`<nav class="path"><ol>${parents.map(
    ({ id, name }, depth) =>
      html`<li><a href="?${depth > 0 && `album_id=${id}`}" dir="auto">${name}</a></li>\n`,
  )}</ol></nav>`;
}

function renderInnerAlbum({ language }: SharePageFrame, { id, name, cover, photo_count }: Album): Html {
  const w = sharePageMessages[language];
  return html`<li><a href="?album_id=${id}"><span class="cover">${
    cover && html`<img src="..${cover}" alt="" loading="lazy">`
  }</span><span class="name" dir="auto">${name}</span>${
    photo_count !== null && photo_count > 0 && html`<small>${w.photos(photo_count)}</small>`
  }</a></li>
`;
}

interface PhotoPosition {
  /** Index of the photo on its page, from 0. */
  index: number;
  /** Number of the photo in the album, from 1. */
  number: number;
  total: number;
}

function photoName({ language }: SharePageFrame, { title, user }: SharedPhotoItem): string {
  return title || sharePageMessages[language].photoBy(user.nickname || user.username);
}

/** Renders one tile. Paths are relative to `/s/{token}`, so that they also work behind a proxy that adds a prefix. */
function renderPhotoTile(
  frame: SharePageFrame,
  photo: SharedPhotoItem,
  { index, number }: PhotoPosition,
): Html {
  const isLater = index >= firstPhotos;
  return html`<a class="tile t${index}" id="tile-${number}" href="#photo-${number}"><img src="..${photo.thumb}"
 srcset="${buildTileSrcset(photo, '..')}" sizes="${buildTileSizesAttribute(photo)}" alt="${photoName(frame, photo)}"${isLater && html` loading="lazy"`}></a>
`;
}

/** Renders the overlay of a photo, whose image loads when the overlay opens. */
function renderPhotoOverlay(
  frame: SharePageFrame,
  photo: SharedPhotoItem,
  { number, total }: PhotoPosition,
  mayDownload: boolean,
  { page, limit, inside }: { page: number; limit: number; inside: string },
): Html {
  const w = sharePageMessages[frame.language];
  const name = photoName(frame, photo);
  const { width, height } = computePreviewSize(photo);
  const hrefOf = (other: number) => {
    const of = Math.ceil(other / limit);
    return `${of === page ? '' : pageHref(of, inside)}#photo-${other}`;
  };
  return html`<figure class="look" id="photo-${number}" tabindex="-1">
<img src="..${photo.preview}" width="${width}" height="${height}" alt="${name}" loading="lazy">
<figcaption><span dir="auto">${photo.title}</span> <small>${w.positionInAlbum(number, total)}</small></figcaption>
<a class="icon close" href="#tile-${number}" aria-label="${w.close}"></a>
${mayDownload && html`<a class="icon save" href="..${photo.path}" download aria-label="${w.download}"></a>`}
${number > 1 && html`<a class="icon previous" href="${hrefOf(number - 1)}" aria-label="${w.previous}"></a>`}
${number < total && html`<a class="icon next" href="${hrefOf(number + 1)}" aria-label="${w.next}"></a>`}
</figure>
`;
}

/** Returns the link to a page of the opened album. `inside` is the parameter that names an inner album, or empty. */
function pageHref(page: number, inside: string): string {
  return `?${[inside, `page=${page}`].filter(Boolean).join('&')}`;
}

function renderPager({ language }: SharePageFrame, page: number, pages: number, inside: string): Html {
  const w = sharePageMessages[language];
  return html`<nav class="pager" aria-label="${w.pages}">
${page > 1 && html`<a class="button quiet" rel="prev" href="${pageHref(page - 1, inside)}">${w.previousPage}</a>`}
<span>${w.pageNumber(page, pages)}</span>
${page < pages && html`<a class="button quiet" rel="next" href="${pageHref(page + 1, inside)}">${w.nextPage}</a>`}
</nav>`;
}
