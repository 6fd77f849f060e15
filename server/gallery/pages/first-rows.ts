/**
 * The first rows of a wall as HTML: they are there before any script, and the page in the browser puts its own in the
 * very same places (`web/photos/wall/rows.ts`). Rows are made by flexbox, from the ratios alone.
 */
import { thumbHashToAverageRGBA } from 'thumbhash';
import { type Html, html } from '../../platform/http/html.ts';
import type { PhotoItem } from '../photos/schema.ts';
import type { Language } from './language.ts';
import { headingOf, type Section } from './sections.ts';
import { words } from './words.ts';

/** Some rows more than a large window shows. */
const mostPhotos = 30;
/** Rows that a window shows at once: their images come first. */
const firstPhotos = 12;
const widths = [320, 640, 960];
/** Of a row on a telephone and on a desk, on the average: what `sizes` is guessed from. */
const rowHeights = { narrow: 130, wide: 250 };

interface Wall {
  sections: Section[];
  photos: PhotoItem[];
  language: Language;
  hrefOf(id: number): string;
}

/** `style`: for the page's `<style>`, as attributes are forbidden. */
export function firstRows({ sections, photos, ...how }: Wall): { body: Html; style: string } {
  const shown = photos.slice(0, mostPhotos);
  const style = shown.map(
    (photo, index) => `.t${index}{--ratio:${ratioOf(photo)};background:${colourOf(photo.placeholder)}}`,
  );
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

/** As flexbox and the page in the browser count with it. */
function ratioOf({ width, height }: PhotoItem): string {
  return (width / height).toFixed(4);
}

function colourOf(placeholder: string): string {
  if (placeholder === '') return 'var(--mat)';
  const { r, g, b } = thumbHashToAverageRGBA(Buffer.from(placeholder, 'base64'));
  const byte = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * 255);
  return `rgb(${byte(r)},${byte(g)},${byte(b)})`;
}

function tile(
  photo: PhotoItem,
  index: number,
  { language, hrefOf }: Pick<Wall, 'language' | 'hrefOf'>,
): Html {
  const { narrow, wide } = rowHeights;
  const widthAt = (height: number) => Math.round((photo.width / photo.height) * height);
  const name = photo.user.nickname || photo.user.username;
  return html`<a class="tile t${index}" href="${hrefOf(photo.id)}" data-id="${photo.id}"><img
 src="${photo.thumb}" srcset="${srcsetOf(photo)}" sizes="(max-width: 700px) ${widthAt(narrow)}px, ${widthAt(wide)}px"
 alt="${photo.title || words[language].photoBy(name)}" decoding="sync"${index < firstPhotos && html` fetchpriority="high"`}></a>
`;
}

function srcsetOf({ image, width }: PhotoItem): string {
  const fitting = widths.filter((_, index) => index === 0 || widths[index - 1]! < width);
  return fitting.map((one) => `${image.replace('{width}', String(one))} ${Math.min(one, width)}w`).join(', ');
}
