/**
 * The first rows of a wall as HTML: they are there before any script, and the page in the browser puts its own in the
 * very same places (`web/photos/wall/rows.ts`). Rows are made by flexbox, from the ratios alone.
 */
import { type Html, html } from '../../platform/http/html.ts';
import type { Language } from '../../platform/http/language.ts';
import type { PhotoItem } from '../photos/schema.ts';
import { tileSizes, tileSources, tileStyle } from '../photos/tile.ts';
import { headingOf, type Section } from './sections.ts';
import { words } from './words.ts';

/** Some rows more than a large window shows. */
const mostPhotos = 30;
/** Rows that a window shows at once: their images come first. */
const firstPhotos = 12;

interface Wall {
  sections: Section[];
  photos: PhotoItem[];
  language: Language;
  hrefOf(id: number): string;
}

/** `style`: for the page's `<style>`, as attributes are forbidden. */
export function firstRows({ sections, photos, ...how }: Wall): { body: Html; style: string } {
  const shown = photos.slice(0, mostPhotos);
  const style = shown.map((photo, index) => `.t${index}{${tileStyle(photo)}}`);
  const tileOf = (photo: PhotoItem, index: number) => tile(photo, index, how);
  const body = sections
    .filter(({ from }) => from < shown.length)
    .map((section) => {
      const heading = headingOf(section, how.language);
      const own = shown.map(tileOf).slice(section.from, section.from + section.count);
      return html`<section class="wall-section">${heading && html`<h2 class="wall-heading">${heading}</h2>`}
<div class="wall-rows">${own}</div></section>`;
    });
  return { body: html`${body}`, style: style.join('') };
}

function tile(
  photo: PhotoItem,
  index: number,
  { language, hrefOf }: Pick<Wall, 'language' | 'hrefOf'>,
): Html {
  const name = photo.user.nickname || photo.user.username;
  return html`<a class="tile t${index}" href="${hrefOf(photo.id)}" data-id="${photo.id}"><img
 src="${photo.thumb}" srcset="${tileSources(photo)}" sizes="${tileSizes(photo)}"
 alt="${photo.title || words[language].photoBy(name)}" decoding="sync"${index < firstPhotos ? html` fetchpriority="high"` : html` loading="lazy"`}></a>
`;
}
