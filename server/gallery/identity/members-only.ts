/**
 * Reads whether the gallery is for members only. The setting ACCESS decides if the operator set it. Otherwise the choice
 * of the first admin or of the command line decides, which is a row of `settings`. No process caches the row, so
 * every server obeys a change at its next request.
 */
import { type Kysely, sql } from 'kysely';
import type { Config, RegistrationMode, SiteAccess } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { prepareRead } from '../../platform/db/prepared.ts';
import { setSetting } from '../../platform/db/settings.ts';
import { Level } from '../../platform/db/states.ts';
import type { Tables } from '../../platform/db/tables.ts';

const accessSetting = 'access';

type AccessConfig = Pick<Config, 'access'>;

/** Returns the column `members_only`, which is 1 if only members can see the gallery. */
export function membersOnlyColumn({ access }: AccessConfig) {
  if (access !== undefined) return sql<number>`${sql.lit(access === 'members' ? 1 : 0)}`.as('members_only');
  return sql<number>`(SELECT count(*) FROM settings
    WHERE name = ${sql.lit(accessSetting)} AND value = 'members')`.as('members_only');
}

export type IsMembersOnly = () => Promise<boolean>;

/** Returns a function for frequent requests that reads whether only members can see the gallery. */
export function createIsMembersOnly({ db, config }: Pick<Deps, 'db' | 'config'>): IsMembersOnly {
  if (config.access !== undefined) return async () => config.access === 'members';
  const read = prepareRead<{ members_only: number }>(db, (query) =>
    query.selectNoFrom(membersOnlyColumn(config)),
  );
  return async () => {
    const [row] = await read({});
    return row?.members_only === 1;
  };
}

/** Reads who can see the gallery. `kysely` may be a transaction. */
export async function findSiteAccess(config: AccessConfig, kysely: Kysely<Tables>): Promise<SiteAccess> {
  if (config.access !== undefined) return config.access;
  const row = await kysely.selectNoFrom(membersOnlyColumn(config)).executeTakeFirstOrThrow();
  return row.members_only === 1 ? 'members' : 'public';
}

/** Stores who can see the gallery. The choice has no effect while ACCESS is set. */
export function saveSiteAccess(kysely: Kysely<Tables>, access: SiteAccess): Promise<void> {
  return setSetting({ kysely }, accessSetting, access);
}

/**
 * Returns who can register. A gallery for members, or with photos for members by default, needs invites, unless
 * REGISTRATION or an admin says otherwise.
 */
export function decideRegistrationMode(
  { registration, defaultLevel }: { registration: RegistrationMode | undefined; defaultLevel: Level },
  access: SiteAccess,
): RegistrationMode {
  if (registration !== undefined) return registration;
  return access === 'members' || defaultLevel === Level.members ? 'invite' : 'open';
}
