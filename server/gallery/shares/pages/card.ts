/**
 * Meta elements for previews of a link in chats and feeds: Open Graph (https://ogp.me) and the additions of Twitter.
 */
import { type Html, html } from '../../../platform/http/html.ts';
import { renditionSpecs } from '../../../platform/imaging/renditions.ts';
import type { Photo } from '../../photos/schema.ts';

export interface LinkPreviewCard {
  photo: Photo;
  title: string;
  /** Text of the link preview for a photo without a description. */
  summary: string;
  /** Name of the gallery. */
  site: string;
  /** URL of the share page. */
  url: string;
  baseUrl: string;
}

const maxCharacters = 200;

export function renderPreviewCardTags({ photo, title, summary, site, url, baseUrl }: LinkPreviewCard): Html {
  const image = `${baseUrl}${photo.preview}`;
  const description = shortenCardText(photo.description) || summary;
  const { width, height } = computePreviewSize(photo);
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${site}">
<meta property="og:url" content="${url}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${image}">
<meta property="og:image:width" content="${width}">
<meta property="og:image:height" content="${height}">
<meta property="og:image:alt" content="${title}">
<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:title" content="${title}">
<meta name="twitter:description" content="${description}">
<meta name="twitter:image" content="${image}">`;
}

function shortenCardText(text: string): string {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim());
  if (characters.length <= maxCharacters) return characters.join('');
  return `${characters.slice(0, maxCharacters - 1).join('')}…`;
}

interface Size {
  width: number;
  height: number;
}

/** Widths in pixels between the thumbnail and the preview, which the server renders at upload. */
const cardImageWidths = [640, 960, 1280] as const;

/** Returns the attribute `srcset` of a photo. `address` converts a path into the URL in the page. */
export function buildSrcset(photo: Photo, address: (path: string) => string): string {
  const thumb = fitWithin(photo, renditionSpecs.thumb.side).width;
  const preview = computePreviewSize(photo).width;
  const sizes = cardImageWidths.filter((width) => width > thumb && width < preview);
  return [
    // The preview of a small photo has the width of its thumbnail, and two candidates of the same width would be an
    // error.
    ...(thumb < preview ? [`${address(photo.thumb)} ${thumb}w`] : []),
    ...sizes.map((width) => `${address(photo.image.replace('{width}', String(width)))} ${width}w`),
    `${address(photo.preview)} ${preview}w`,
  ].join(', ');
}

export function computePreviewSize(photo: Size): Size {
  return fitWithin(photo, renditionSpecs.preview.side);
}

function fitWithin({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
