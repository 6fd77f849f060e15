/**
 * The page that shows an album: its photos in their order as justified rows, a hundred at a time. A photo is looked at
 * by its own part of the page (`#photo-3`), which styles lay over the others: no script is needed for it.
 */
import { type Html, html } from '../../../platform/http/html.ts';
import { tileSizes, tileSources, tileStyle } from '../../photos/tile.ts';
import type { SharedAlbum, SharedItem } from '../schema.ts';
import { previewSize } from './card.ts';
import { type Frame, layout, type SharePage } from './page.ts';
import { words } from './words.ts';

interface AlbumPage {
  shown: SharedAlbum;
  /** Of the ZIP, relative to the page; undefined where that is not allowed. */
  download: string | undefined;
}

/** Images that come before those that one has to scroll to. */
const firstPhotos = 12;

export function albumPage(frame: Frame, { shown: { album, photos }, download }: AlbumPage): SharePage {
  const w = words[frame.language];
  const { page, pages, total, limit } = photos.pagination;
  const placeOf = (index: number): Place => ({ index, number: (page - 1) * limit + index + 1, total });
  const body = html`<main>
<article class="of-wall">
<div>
<h1 dir="auto">${album.name}</h1>
<p class="by"><span><bdi>${album.user.nickname || album.user.username}</bdi> · ${w.photos(total)}</span></p>
${album.description && html`<p class="description" dir="auto">${album.description}</p>`}
</div>
${total > 0 && download && html`<a class="button" href="${download}" download>${w.downloadAll}</a>`}
</article>
<div class="wall-rows">${photos.list.map((photo, index) => tile(frame, photo, placeOf(index)))}</div>
${pages > 1 && pager(frame, page, pages)}
${photos.list.map((photo, index) => look(frame, photo, placeOf(index), download !== undefined, { page, limit }))}
</main>`;
  const style = photos.list.map((photo, index) => `.t${index}{${tileStyle(photo)}}`).join('');
  return layout(frame, { title: album.name, body, style });
}

interface Place {
  /** On the page, from 0. */
  index: number;
  /** In the album, from 1. */
  number: number;
  total: number;
}

function nameOf({ language }: Frame, { title, user }: SharedItem): string {
  return title || words[language].photoBy(user.nickname || user.username);
}

/** Paths are relative to `/s/{token}`, so that they also hold behind a proxy that adds a prefix. */
function tile(frame: Frame, photo: SharedItem, { index, number }: Place): Html {
  const isLater = index >= firstPhotos;
  return html`<a class="tile t${index}" id="tile-${number}" href="#photo-${number}"><img src="..${photo.thumb}"
 srcset="${tileSources(photo, '..')}" sizes="${tileSizes(photo)}" alt="${nameOf(frame, photo)}"${isLater && html` loading="lazy"`}></a>
`;
}

/** A photo over the page. Its image is loaded when it is looked at. */
function look(
  frame: Frame,
  photo: SharedItem,
  { number, total }: Place,
  mayDownload: boolean,
  { page, limit }: { page: number; limit: number },
): Html {
  const w = words[frame.language];
  const name = nameOf(frame, photo);
  const { width, height } = previewSize(photo);
  const hrefOf = (other: number) => {
    const of = Math.ceil(other / limit);
    return `${of === page ? '' : `?page=${of}`}#photo-${other}`;
  };
  return html`<figure class="look" id="photo-${number}" tabindex="-1">
<img src="..${photo.preview}" width="${width}" height="${height}" alt="${name}" loading="lazy">
<figcaption><span dir="auto">${photo.title}</span> <small>${w.place(number, total)}</small></figcaption>
<a class="icon close" href="#tile-${number}" aria-label="${w.close}"></a>
${mayDownload && html`<a class="icon save" href="..${photo.path}" download aria-label="${w.download}"></a>`}
${number > 1 && html`<a class="icon previous" href="${hrefOf(number - 1)}" aria-label="${w.previous}"></a>`}
${number < total && html`<a class="icon next" href="${hrefOf(number + 1)}" aria-label="${w.next}"></a>`}
</figure>
`;
}

function pager({ language }: Frame, page: number, pages: number): Html {
  const w = words[language];
  return html`<nav class="pager" aria-label="${w.pages}">
${page > 1 && html`<a class="button quiet" rel="prev" href="?page=${page - 1}">${w.back}</a>`}
<span>${w.pageOf(page, pages)}</span>
${page < pages && html`<a class="button quiet" rel="next" href="?page=${page + 1}">${w.forth}</a>`}
</nav>`;
}
