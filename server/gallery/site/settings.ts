/** Changes the settings of the gallery in Administration. Each change is in the audit log. */
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { insertSettingIfAbsent, setSetting } from '../../platform/db/settings.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import { type FieldErrors, invalidFieldsError } from '../../platform/errors/catalogue.ts';
import { computeAccentContrast, minTextContrast } from '../../platform/schema/color.ts';
import { saveSiteAccess } from '../identity/members-only.ts';
import {
  readSiteSettings,
  readStoredSettings,
  type StoredSiteSettings,
  siteSettingsName,
} from '../identity/site-settings.ts';
import type { Viewer } from '../identity/viewer.ts';
import { levelName } from '../library/visibility-rule.ts';
import { recordAuditedAct } from '../moderation/audit.ts';
import { countPublicPhotos } from './access.ts';
import { type Logo, saveLogo } from './logo.ts';
import type { SiteSettingsAnswer, SiteSettingsUpdate } from './settings-schema.ts';

/** Environment variables that override a setting. */
const variableBySetting = {
  name: ['SITE_NAME', 'siteName'],
  access: ['ACCESS', 'access'],
  registration: ['REGISTRATION', 'registration'],
  default_visibility: ['DEFAULT_VISIBILITY', 'defaultLevel'],
  default_quota_mb: ['DEFAULT_QUOTA_MB', 'defaultQuotaBytes'],
} as const satisfies Record<string, [variable: string, config: keyof Config]>;

type OverridableSetting = keyof typeof variableBySetting;

const megabyte = 1024 * 1024;

export async function readSettingsForAdmin(deps: Deps): Promise<SiteSettingsAnswer> {
  const { config, db } = deps;
  const site = await readSiteSettings(config, db.kysely);
  const quota = site.defaultQuotaBytes;
  return {
    name: site.name,
    welcome: site.welcome,
    access: site.access,
    registration: site.registration,
    default_visibility: levelName(site.defaultLevel),
    default_quota_mb: quota === null ? null : Math.floor(quota / megabyte),
    accent_color: site.accentColor,
    logo: site.logo,
    set_by_environment: listOverridden(config),
    public_photos: await countPublicPhotos(deps),
  };
}

function listOverridden(config: Config): OverridableSetting[] {
  const names = Object.keys(variableBySetting) as OverridableSetting[];
  return names.filter((name) => config[variableBySetting[name][1]] !== undefined);
}

/**
 * Changes the given settings and keeps all others, so that two admins at once lose nothing but a change of the same
 * setting. Throws invalid for a setting that the environment decides, for a color that is hard to read, and for an
 * opening without `confirm_opening`.
 */
export async function changeSettings(deps: Deps, viewer: Viewer, update: SiteSettingsUpdate): Promise<void> {
  refuseFields(findOverriddenFields(deps.config, update));
  refuseFields(findColorProblem(update));
  const { access, confirm_opening, ...stored } = update;
  const n = access === 'public' ? await countPublicPhotos(deps) : 0;
  await changeStored(deps, async (transaction, before) => {
    const site = await readSiteSettings(deps.config, transaction);
    if (access === 'public' && site.access === 'members' && !confirm_opening) refuseFields(openingProblem(n));
    const after = withoutDefaults({ ...before, ...stored });
    const changes = describeChanges(
      { ...before, access: site.access },
      { ...after, access: access ?? site.access },
    );
    if (access !== undefined) await saveSiteAccess(transaction, access);
    if (Object.keys(changes).length > 0) await recordChange(deps, transaction, viewer, site.name, changes);
    return after;
  });
}

/** Sets the logo, or removes it. */
export async function changeLogo(deps: Deps, viewer: Viewer, logo: Logo | undefined): Promise<void> {
  await changeStored(deps, async (transaction, { logo: _, ...before }) => {
    const { name } = await readSiteSettings(deps.config, transaction);
    await saveLogo(transaction, logo);
    await recordChange(deps, transaction, viewer, name, { logo: logo !== undefined });
    return { ...before, ...(logo && { logo: logo.hash }) };
  });
}

type ChangeStored = (transaction: Transaction, before: StoredSiteSettings) => Promise<StoredSiteSettings>;

/** Changes the row of the settings, which is locked meanwhile. */
async function changeStored({ db }: Deps, change: ChangeStored): Promise<void> {
  await insertSettingIfAbsent(db, siteSettingsName, '{}');
  await db.kysely.transaction().execute(async (transaction) => {
    await transaction
      .selectFrom('settings')
      .select('name')
      .where('name', '=', siteSettingsName)
      .forUpdate()
      .executeTakeFirst();
    const after = await change(transaction, await readStoredSettings(transaction));
    await setSetting({ kysely: transaction }, siteSettingsName, JSON.stringify(after));
  });
}

/** Removes empty values, which stand for the default. */
function withoutDefaults(settings: Record<string, unknown>): StoredSiteSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== '' && value !== null));
}

function describeChanges(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => before[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}

async function recordChange(
  deps: Deps,
  transaction: Transaction,
  viewer: Viewer,
  name: string,
  details: Record<string, unknown>,
): Promise<void> {
  const target = { type: 'site', id: 0, name } as const;
  await recordAuditedAct(deps, transaction, viewer, { action: 'site.update', target, details });
}

function findOverriddenFields(config: Config, update: SiteSettingsUpdate): FieldErrors {
  const fixed = listOverridden(config).filter((name) => update[name] !== undefined);
  return Object.fromEntries(
    fixed.map((name) => [name, [`Is set by the environment variable ${variableBySetting[name][0]}`]]),
  );
}

function findColorProblem({ accent_color: color }: SiteSettingsUpdate): FieldErrors {
  if (!color) return {};
  const contrast = computeAccentContrast(color);
  if (contrast >= minTextContrast) return {};
  const rounded = (Math.floor(contrast * 10) / 10).toFixed(1);
  return {
    accent_color: [`Is too light for buttons and links (contrast ${rounded}); choose a darker color`],
  };
}

function openingProblem(n: number): FieldErrors {
  const photos = n === 1 ? '1 photo' : `${n} photos`;
  return { confirm_opening: [`Must be true, because without signing in anyone will see ${photos}`] };
}

function refuseFields(fields: FieldErrors): void {
  if (Object.keys(fields).length > 0) throw invalidFieldsError(fields);
}
