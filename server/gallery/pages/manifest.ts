/**
 * Serves `/manifest.webmanifest`, which lets browsers install the gallery as an app. The app needs a connection, and other apps share
 * photos with it.
 */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { type Language, languageOf, pageLanguages } from '../../platform/http/language.ts';
import { choiceField } from '../../platform/http/schema.ts';
import { pageBackgrounds } from '../../platform/schema/color.ts';
import { Type } from '../../platform/schema/type.ts';
import { readSiteSettings } from '../identity/site-settings.ts';

import type { BuiltAssets } from './built-assets.ts';
import { pageMessages } from './messages.ts';

/** The document names the language in the URL of the manifest, because browsers fetch manifests without cookies. */
const Query = Type.Object({ language: Type.Optional(choiceField(pageLanguages)) });

export function manifestRoute(app: App, deps: Deps, built: BuiltAssets): void {
  const config = { openToVisitors: true };
  app.get(
    '/manifest.webmanifest',
    { config, schema: { hide: true, querystring: Query } },
    async (request, reply) => {
      const { name } = await readSiteSettings(deps.config, deps.db.kysely);
      const language = request.query.language ?? languageOf(request);
      reply
        .type('application/manifest+json; charset=utf-8')
        .headers({ 'Cache-Control': 'max-age=3600', Vary: 'Cookie, Accept-Language' });
      return reply.send(JSON.stringify(createManifest(built, name, language)));
    },
  );
}

/**
 * Returns the web app manifest. A manifest can name only one color, so the documents name the colors of the light and
 * the dark theme.
 */
function createManifest({ icons }: BuiltAssets, name: string, language: Language) {
  const { description, search, favorites } = pageMessages[language];
  return {
    id: '/',
    name,
    short_name: name,
    description,
    lang: language,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: pageBackgrounds.light,
    theme_color: pageBackgrounds.light,
    categories: ['photo'],
    icons: icons
      .filter(({ purpose }) => purpose !== 'touch')
      .map(({ path, purpose, size }) => ({
        src: path,
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose,
      })),
    share_target: {
      action: '/share-target',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: 'files', accept: ['image/*'] }] },
    },
    shortcuts: [
      { name: search, url: '/search' },
      { name: favorites, url: '/favorites' },
    ],
  };
}

/** Renders the links to the manifest and the touch icon for a document's head. */
export function manifestLinks({ icons }: BuiltAssets, language: Language): Html {
  const touch = icons.find(({ purpose }) => purpose === 'touch');
  return html`<link rel="manifest" href="/manifest.webmanifest?language=${language}">
${touch && html`<link rel="apple-touch-icon" href="${touch.path}">`}`;
}
