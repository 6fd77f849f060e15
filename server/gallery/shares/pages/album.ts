/** The page that shows an album: its photos in their order, a hundred at a time. */
import { type Html, html } from '../../../platform/http/html.ts';
import type { SharedAlbum, SharedItem } from '../schema.ts';
import { layout } from './page.ts';

/** `download`: relative to the page; undefined where that is not allowed. */
export function albumPage({ album, photos }: SharedAlbum, download: string | undefined): Html {
  const { page, pages, total } = photos.pagination;
  const body = html`<main>
<article class="of-wall">
<h1 dir="auto">${album.name}</h1>
<p class="by"><span><bdi>${album.user.nickname || album.user.username}</bdi> · ${total} ${total === 1 ? 'photo' : 'photos'}</span></p>
${album.description && html`<p class="description" dir="auto">${album.description}</p>`}
${total > 0 && download && html`<p><a class="button" href="${download}" download>Download all (ZIP)</a></p>`}
</article>
<ul class="wall">${photos.list.map(tile)}</ul>
${pages > 1 && pager(page, pages)}
</main>`;
  return layout({ title: album.name, body });
}

/** Relative to `/s/{token}`, so that it also holds behind a proxy that adds a prefix. */
function tile(photo: SharedItem): Html {
  return html`<li><a href="..${photo.preview}"><img src="..${photo.thumb}" loading="lazy"
 width="${photo.width}" height="${photo.height}" alt="${photo.title || 'Photo'}"></a></li>
`;
}

function pager(page: number, pages: number): Html {
  return html`<nav class="pager" aria-label="Pages">
${page > 1 && html`<a class="button" rel="prev" href="?page=${page - 1}">Back</a>`}
<span>Page ${page} of ${pages}</span>
${page < pages && html`<a class="button" rel="next" href="?page=${page + 1}">Next</a>`}
</nav>`;
}
