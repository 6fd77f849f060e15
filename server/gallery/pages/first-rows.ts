/**
 * Renders the first photos of a photo wall as HTML, so that browsers show them before any script runs. Flexbox makes
 * rows from the aspect ratios alone. The script later computes the same positions (`rows.ts`).
 */
import { type Html, html } from '../../platform/http/html.ts';
import type { Language } from '../../platform/http/language.ts';
import type { PhotoItem } from '../photos/schema.ts';
import { buildTileSizesAttribute, buildTileSrcset, tileStyle } from '../photos/tile.ts';
import { getTileRatio } from '../photos/tile-ratio.ts';
import { getWallMeasures } from './measure.ts';
import { pageMessages } from './messages.ts';
import { layOutRows } from './rows.ts';
import { formatSectionHeading, type PhotoSection } from './sections.ts';

/** Maximum number of photos in the HTML document, a few rows more than a large window shows. */
const maxFirstPhotos = 30;
/** Number of photos that a window shows at once. The images of these photos get a high fetch priority. */
const firstPhotos = 12;
/**
 * Window of a phone, and the height of the bar above the photo wall, in pixels. Slow mobile networks profit most from
 * preloading.
 */
const typicalPhoneScreen = { width: 390, height: 844, rem: 16, bar: 56 };

interface Wall {
  sections: PhotoSection[];
  photos: PhotoItem[];
  language: Language;
  hrefOf(id: number): string;
}

interface FirstRows {
  body: Html;
  /** Style rules of the tiles for the document's `<style>`, because the security policy forbids style attributes. */
  style: string;
  /** Link for the document's head that preloads the image that fills most of a phone's window. */
  preload: Html;
}

export function renderFirstPhotoRows({ sections, photos, ...how }: Wall): FirstRows {
  const shown = photos.slice(0, maxFirstPhotos);
  const style = shown.map((photo, index) => `.t${index}{${tileStyle(photo)}}`);
  const renderTile = (photo: PhotoItem, index: number) => renderPhotoTile(photo, index, how);
  const body = sections
    .filter(({ from }) => from < shown.length)
    .map((section) => {
      const heading = formatSectionHeading(section, how.language);
      const own = shown.map(renderTile).slice(section.from, section.from + section.count);
      return html`<section class="wall-section">${heading && html`<div class="wall-heading"><h2>${heading}</h2></div>`}
<div class="wall-rows">${own}</div></section>`;
    });
  return {
    body: html`${body}`,
    style: style.join(''),
    preload: renderPhotoPreload(findLargest(sections, shown)),
  };
}

function renderPhotoPreload(photo: PhotoItem | undefined): Html {
  if (!photo) return html``;
  return html`<link rel="preload" as="image" imagesrcset="${buildTileSrcset(photo)}" imagesizes="${buildTileSizesAttribute(photo)}"
 media="(max-width: 700px)" fetchpriority="high">
`;
}

/** Returns the photo that covers the largest area of a phone's window before the user scrolls. */
function findLargest(sections: PhotoSection[], photos: PhotoItem[]): PhotoItem | undefined {
  const measures = getWallMeasures(typicalPhoneScreen.width, typicalPhoneScreen.rem);
  let top = typicalPhoneScreen.bar;
  let largestSize = 0;
  let found: PhotoItem | undefined;
  for (const section of sections) {
    const own = photos.slice(section.from, section.from + section.count);
    if (own.length === 0 || top > typicalPhoneScreen.height) break;
    if (section.newest !== '' && !section.isContinued) {
      top += section.from === 0 ? measures.firstHeading : measures.heading;
    }
    const ratios = own.map(getTileRatio);
    const { boxes, height } = layOutRows(ratios, typicalPhoneScreen.width - 2 * measures.gap, measures);
    for (const [at, box] of boxes.entries()) {
      const seen = box.width * Math.min(box.height, typicalPhoneScreen.height - top - box.top);
      if (seen <= largestSize) continue;
      largestSize = seen;
      found = own[at];
    }
    top += height + measures.gap;
  }
  return found;
}

/**
 * Renders one tile of the photo wall. Every tile loads lazily, after layout, so that the preloaded image arrives first.
 */
function renderPhotoTile(
  photo: PhotoItem,
  index: number,
  { language, hrefOf }: Pick<Wall, 'language' | 'hrefOf'>,
): Html {
  const name = photo.user.nickname || photo.user.username;
  return html`<a class="tile t${index}" href="${hrefOf(photo.id)}" data-id="${photo.id}"><img
 src="${photo.thumb}" srcset="${buildTileSrcset(photo)}" sizes="${buildTileSizesAttribute(photo)}"
 alt="${photo.title || pageMessages[language].photoBy(name)}" decoding="sync" loading="lazy"${index < firstPhotos && html` fetchpriority="high"`}></a>
`;
}
