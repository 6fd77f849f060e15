/**
 * Elements of a document's head for previews of its link in chats and feeds: Open Graph (https://ogp.me), the
 * additions of Twitter, and structured data (https://schema.org) for search engines.
 */
import { Html, html } from './html.ts';

/** Preview of a link. */
export interface LinkCard {
  title: string;
  description: string;
  /** Name of the gallery. */
  site: string;
  /** URL of the page, without parameters. Undefined if the server does not know its own address. */
  url: string | undefined;
  picture: CardPicture | undefined;
  /** Structured data of the page, without `@context`. */
  structured?: object;
}

export interface CardPicture {
  url: string;
  width: number;
  height: number;
}

const maxCharacters = 200;

export function renderLinkCard({ title, description, site, url, picture, structured }: LinkCard): Html {
  const text = shortenText(description);
  const name = shortenText(title);
  return html`<meta name="description" content="${text}">
${url !== undefined && html`<link rel="canonical" href="${url}">\n<meta property="og:url" content="${url}">\n`}<meta property="og:type" content="website">
<meta property="og:site_name" content="${site}">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${text}">
${picture && renderPicture(picture, name)}<meta name="twitter:card" content="${picture ? 'summary_large_image' : 'summary'}">
<meta name="twitter:title" content="${name}">
<meta name="twitter:description" content="${text}">
${structured && renderStructuredData(structured)}`;
}

function renderPicture({ url, width, height }: CardPicture, alt: string): Html {
  return html`<meta property="og:image" content="${url}">
<meta property="og:image:type" content="image/jpeg">
<meta property="og:image:width" content="${width}">
<meta property="og:image:height" content="${height}">
<meta property="og:image:alt" content="${alt}">
<meta name="twitter:image" content="${url}">
`;
}

/** Escapes JSON for a script element, so that no tag or comment in the data can close the element. */
function renderStructuredData(data: object): Html {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');
  return new Html(`<script type="application/ld+json">${text}</script>\n`);
}

function shortenText(text: string): string {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim());
  if (characters.length <= maxCharacters) return characters.join('');
  return `${characters.slice(0, maxCharacters - 1).join('')}…`;
}
