/** Route of `GET /api/site`, which tells clients the settings of the gallery before sign-in. */

import type { Static } from 'typebox';
import pkg from '../../../package.json' with { type: 'json' };
import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { pageLanguages } from '../../platform/http/language.ts';
import { imageFormats } from '../../platform/imaging/formats.ts';
import { canOfferPasskeys } from '../accounts/passkeys/relying-party.ts';
import { getMinPasswordLength } from '../accounts/password-rules.ts';
import { hasAdmin } from '../accounts/setup.ts';
import { createEndpointMethods } from '../identity/endpoints.ts';
import { readSiteSettings } from '../identity/site-settings.ts';
import { Site } from './schema.ts';

const megabyte = 1024 * 1024;

export async function siteRoutes(app: App, deps: Deps): Promise<void> {
  createEndpointMethods(app, 'Site').get('/api/site', {
    auth: 'none',
    config: { openToVisitors: true },
    operationId: 'getSite',
    summary: 'Get the features of this gallery',
    description: 'For clients with a sign-in or upload page.',
    answer: Site,
    handler: () => readSite(deps),
  });
}

export async function readSite({ config, db }: Deps): Promise<Static<typeof Site>> {
  const site = await readSiteSettings(config, db.kysely);
  const has_admin = await hasAdmin(db.kysely);
  const user = has_admin || (await db.kysely.selectFrom('users').select('id').limit(1).executeTakeFirst());
  return {
    name: site.name,
    welcome: site.welcome,
    logo: site.logo,
    accent_color: site.accentColor,
    version: pkg.version,
    access: site.access,
    is_access_fixed: config.access !== undefined,
    registration: site.registration,
    has_users: user !== undefined,
    has_admin,
    password_min_length: getMinPasswordLength(config),
    mail: config.mail !== undefined,
    sign_in: {
      password: config.passwordLogin,
      oidc: config.oidc ? { name: config.oidc.name } : null,
      passkey: canOfferPasskeys(config),
    },
    formats: Object.values(imageFormats).map(({ mime }) => mime),
    max_upload_mb: config.maxUploadBytes / megabyte,
    max_megapixels: config.maxMegapixels,
    rate_limit: config.rateLimit,
    languages: [...pageLanguages],
  };
}
