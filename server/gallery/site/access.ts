/** Changes who can see the gallery, and warns the operator about settings that open it. */
import { sql } from 'kysely';
import type { SiteAccess } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { deleteSetting, findSetting, setSetting } from '../../platform/db/settings.ts';
import { Level, Visibility } from '../../platform/db/states.ts';
import { saveSiteAccess } from '../identity/members-only.ts';
import { readSiteSettings } from '../identity/site-settings.ts';
import { everyoneUserId } from '../library/counts.ts';
import { type Actor, recordAuditedAct } from '../moderation/audit.ts';

/** Stores who can see the gallery. Every server obeys at its next request, unless the setting ACCESS is set. */
export async function changeSiteAccess(deps: Deps, actor: Actor, access: SiteAccess): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    await saveSiteAccess(transaction, access);
    // The operator confirmed the opening, so the next start needs no warning.
    if (access === 'public') await deleteSetting({ kysely: transaction }, closedSetting);
    const { name } = await readSiteSettings(deps.config, transaction);
    const target = { type: 'site', id: 0, name } as const;
    await recordAuditedAct(deps, transaction, actor, {
      action: 'access.update',
      target,
      details: { access },
    });
  });
}

/** Counts the photos that anyone sees in an open gallery. */
export async function countPublicPhotos({ db }: Pick<Deps, 'db'>): Promise<number> {
  const { n } = await db.kysely
    .selectFrom('photo_totals')
    .select(sql<number>`coalesce(sum(n), 0)`.as('n'))
    .where('user_id', '=', everyoneUserId)
    .where('visibility', '=', Visibility.public)
    .executeTakeFirstOrThrow();
  return n;
}

/** Setting that a start stores in a gallery for members. A later start then notices that the gallery was opened. */
const closedSetting = 'started for members';

/**
 * Logs a warning at the start of a server if anyone can become a member of a gallery for members. Another warning tells
 * that the gallery was opened since the last start. Only a changed environment opens a gallery without a question.
 */
export async function warnAboutOpenRegistration({ db, config, log }: Deps): Promise<void> {
  const { access, registration, defaultLevel } = await readSiteSettings(config, db.kysely);
  if (defaultLevel === Level.members && registration === 'open') {
    log.warn('DEFAULT_VISIBILITY=members shows uploads to everyone who registers, and REGISTRATION=open.');
  }
  if (access === 'members') {
    await setSetting(db, closedSetting, '1');
    if (registration === 'open')
      log.warn('The gallery is for members only, but REGISTRATION=open lets anyone become a member.');
    return;
  }
  if ((await findSetting(db, closedSetting)) === undefined) return;
  await deleteSetting(db, closedSetting);
  const n = await countPublicPhotos({ db });
  log.warn(`The gallery was for members only and is now open: anyone can see ${n} photos.`);
}
