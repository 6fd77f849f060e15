/**
 * Reads the settings of the gallery that an admin can change while the servers run. An environment variable overrides
 * the stored value. No process caches the values, so every server obeys a change at its next request.
 */
import type { Kysely } from 'kysely';
import type { Config, RegistrationMode, SiteAccess } from '../../config.ts';
import { findJsonSetting } from '../../platform/db/settings.ts';
import { Level, type LevelName } from '../../platform/db/states.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { decideRegistrationMode, findSiteAccess } from './members-only.ts';

/** Name of the row of `settings` that has the stored values as JSON. */
export const siteSettingsName = 'site';

/** Values that an admin chose. A missing value means the default. */
export interface StoredSiteSettings {
  name?: string;
  welcome?: string;
  registration?: RegistrationMode;
  default_visibility?: LevelName;
  /** Storage quota of a new account in megabytes (1,048,576 bytes). Null means no limit. */
  default_quota_mb?: number | null;
  /** Color of links and main buttons, `#rrggbb`. */
  accent_color?: string;
  /** Start of the SHA-256 of the logo. */
  logo?: string;
}

/** Settings that apply now. */
export interface SiteSettings {
  name: string;
  /** Text for visitors of the sign-in page, or ''. */
  welcome: string;
  access: SiteAccess;
  registration: RegistrationMode;
  defaultLevel: Level;
  defaultQuotaBytes: number | null;
  /** Color of links and main buttons, `#rrggbb`, or ''. */
  accentColor: string;
  /** Path of the logo, or ''. */
  logo: string;
}

export type SiteConfig = Pick<
  Config,
  'siteName' | 'access' | 'registration' | 'defaultLevel' | 'defaultQuotaBytes'
>;

export const defaultSiteName = 'Lightwell';
const megabyte = 1024 * 1024;

/** Reads the settings that apply now. `kysely` may be a transaction. */
export async function readSiteSettings(config: SiteConfig, kysely: Kysely<Tables>): Promise<SiteSettings> {
  const stored = await readStoredSettings(kysely);
  const access = await findSiteAccess(config, kysely);
  const defaultLevel = config.defaultLevel ?? Level[stored.default_visibility ?? 'public'];
  const registration = config.registration ?? stored.registration;
  return {
    name: config.siteName ?? stored.name ?? defaultSiteName,
    welcome: stored.welcome ?? '',
    access,
    registration: decideRegistrationMode({ registration, defaultLevel }, access),
    defaultLevel,
    defaultQuotaBytes: readQuotaBytes(config, stored),
    accentColor: stored.accent_color ?? '',
    logo: stored.logo ? buildLogoPath(stored.logo) : '',
  };
}

/** Returns the look of a page that tells why the database cannot be read. */
export function standardLook({ siteName }: SiteConfig): Pick<SiteSettings, 'name' | 'logo' | 'accentColor'> {
  return { name: siteName ?? defaultSiteName, logo: '', accentColor: '' };
}

/** Returns the path of a logo. The hash makes the path of each logo unique, so that browsers can cache it. */
function buildLogoPath(hash: string): string {
  return `/logo-${hash}.webp`;
}

export async function readStoredSettings(kysely: Kysely<Tables>): Promise<StoredSiteSettings> {
  return (await findJsonSetting<StoredSiteSettings>({ kysely }, siteSettingsName)) ?? {};
}

function readQuotaBytes({ defaultQuotaBytes }: SiteConfig, stored: StoredSiteSettings): number | null {
  if (defaultQuotaBytes !== undefined) return defaultQuotaBytes;
  return typeof stored.default_quota_mb === 'number' ? stored.default_quota_mb * megabyte : null;
}
