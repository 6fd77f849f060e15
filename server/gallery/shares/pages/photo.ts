/** The page that shows a photo. */
import type { Deps } from '../../../deps.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import type { Photo } from '../../photos/schema.ts';
import type { PhotoDetailRow } from '../../photos/store.ts';
import type { PhotoLink } from '../open.ts';
import { presentShared, shareUrl } from '../present.ts';
import { cardTags, srcset } from './card.ts';
import { layout } from './page.ts';

/** `download`: relative to the page; undefined where that is not allowed. */
export function photoPage(deps: Deps, link: PhotoLink, baseUrl: string, download: string | undefined): Html {
  const photo = presentShared(deps, link);
  const title = photo.title || `Photo by ${nameOf(photo)}`;
  const url = shareUrl(baseUrl, link.share);
  // A preview in a chat would show what the password protects.
  const head = link.share.password_hash === '' && cardTags({ photo, title, url, baseUrl, by: nameOf(photo) });
  const body = html`<main>
${stage(photo, title)}
<article>
<h1 dir="auto">${title}</h1>
${byline(photo, link.photo)}
${photo.description && html`<p class="description" dir="auto">${photo.description}</p>`}
${facts(photo)}
${photo.tags.length > 0 && tagList(photo.tags)}
${download && html`<a class="button" href="${download}" download>Download</a>`}
</article>
</main>`;
  return layout({ title, head, body });
}

/** Relative to `/s/{token}`, so that it also holds behind a proxy that adds a prefix. */
function here(path: string): string {
  return `..${path}`;
}

function nameOf({ user }: Photo): string {
  return user.nickname || user.username;
}

/** Width and height keep its place while it loads. */
function stage(photo: Photo, title: string): Html {
  return html`<a class="stage" href="${here(photo.path)}">
<img src="${here(photo.preview)}" srcset="${srcset(photo, here)}" sizes="100vw"
 width="${photo.width}" height="${photo.height}" alt="${title}">
</a>`;
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function byline({ user }: Photo, { taken_time, nickname, username }: PhotoDetailRow): Html {
  const name = nickname || username;
  const taken = new Date(taken_time * 1000);
  const face = user.avatar
    ? html`<img class="face" src="${here(user.avatar)}" width="36" height="36" alt="">`
    : html`<span class="face" aria-hidden="true">${initialOf(name)}</span>`;
  return html`<p class="by">${face}<span><bdi>${name}</bdi>
<time datetime="${taken.toISOString().slice(0, 10)}">${dateFormat.format(taken)}</time></span></p>`;
}

function initialOf(name: string): string {
  return [...new Intl.Segmenter().segment(name)][0]?.segment.toUpperCase() ?? '';
}

/** What the camera said; nothing where it said nothing. */
function facts({ exif, width, height }: Photo): Html {
  const all: [string, string | false][] = [
    ['Camera', exif.camera],
    ['Aperture', exif.aperture],
    ['Shutter', exif.shutter && `${exif.shutter} s`],
    ['ISO', exif.iso > 0 && String(exif.iso)],
    ['Size', `${width} × ${height}`],
  ];
  const known = all.filter(([, value]) => value);
  return html`<dl>${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

function tagList(tags: string[]): Html {
  return html`<ul class="tags">${tags.map((tag) => html`<li dir="auto">${tag}</li>\n`)}</ul>`;
}
