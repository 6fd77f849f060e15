/** `/manifest.webmanifest`: what browsers need to offer the gallery as an app of its own. It works online alone. */
import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { type Language, languageOf, languages } from '../../platform/http/language.ts';
import { paper } from '../../platform/http/page.ts';
import { choice } from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';

import type { Built } from './built.ts';
import { words } from './words.ts';

/** Manifests are fetched without cookies: the document says in which language. */
const Query = Type.Object({ language: Type.Optional(choice(languages)) });

export function manifestRoute(app: App, { config }: Deps, built: Built): void {
  app.get('/manifest.webmanifest', { schema: { hide: true, querystring: Query } }, (request, reply) => {
    const language = request.query.language ?? languageOf(request);
    reply
      .type('application/manifest+json; charset=utf-8')
      .headers({ 'Cache-Control': 'max-age=3600', Vary: 'Cookie, Accept-Language' });
    return reply.send(JSON.stringify(manifestOf(built, config.siteName, language)));
  });
}

/** A manifest knows one colour; those of light and dark are in the documents, and go before it. */
function manifestOf({ icons }: Built, name: string, language: Language) {
  const { description, search, favorites } = words[language];
  return {
    id: '/',
    name,
    short_name: name,
    description,
    lang: language,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: paper.light,
    theme_color: paper.light,
    categories: ['photo'],
    icons: icons
      .filter(({ purpose }) => purpose !== 'touch')
      .map(({ path, purpose, size }) => ({
        src: path,
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose,
      })),
    shortcuts: [
      { name: search, url: '/search' },
      { name: favorites, url: '/favorites' },
    ],
  };
}

/** For the head of a document. */
export function manifestLinks({ icons }: Built, language: Language): Html {
  const touch = icons.find(({ purpose }) => purpose === 'touch');
  return html`<link rel="manifest" href="/manifest.webmanifest?language=${language}">
${touch && html`<link rel="apple-touch-icon" href="${touch.path}">`}`;
}
