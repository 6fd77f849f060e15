/** Renders the head of an album like `web/albums/head.tsx`, so that no element moves when React takes over. */
import { type Html, html } from '../../platform/http/html.ts';
import type { Language } from '../../platform/http/language.ts';
import type { Album, AlbumDetail } from '../albums/schema.ts';
import { pageMessages } from './messages.ts';

/**
 * Renders the head of an album with empty elements for numbers, buttons and the privacy text, which the script fills.
 */
export function renderAlbumHead(album: AlbumDetail, viewerId: number | undefined, language: Language): Html {
  const { name, cover, description, children, rule, user } = album;
  const isOwn = user.id === viewerId;
  return html`<header class="album-head"${cover && html` data-cover=""`}>
${albumPath(album, isOwn, language)}${cover && html`<img class="album-cover" src="${cover}" alt="">`}<div class="album-text">
<h1 dir="auto">${name}</h1>${description && html`<p class="album-description" dir="auto">${description}</p>`}
<p class="album-facts"></p>${isOwn && html`<p class="album-privacy"></p>`}<div class="album-actions"></div>${rule !== null && html`<div class="album-rule"></div>`}</div></header>
${children.length > 0 && html`<ul class="album-cards album-children">${children.map(renderAlbumCard)}</ul>`}`;
}

function albumPath({ parents, user }: AlbumDetail, isOwn: boolean, language: Language): Html {
  const root = isOwn ? '/albums' : `/users/${user.username}/albums`;
  return html`<nav class="album-path"><ol><li><a href="${root}">${pageMessages[language].albums}</a></li>${parents.map(
    ({ id, name }) => html`<li><a href="/albums/${id}" dir="auto">${name}</a></li>`,
  )}</ol></nav>`;
}

function renderAlbumCard({ id, name, cover }: Album): Html {
  return html`<li class="album-card"><a href="/albums/${id}"><span class="album-card-cover">${
    cover && html`<img src="${cover}" alt="">`
  }</span><span class="album-card-name" dir="auto">${name}</span><span class="album-card-facts"></span></a></li>`;
}
