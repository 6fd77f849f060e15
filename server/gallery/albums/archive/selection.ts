/**
 * Sends selected photos as a ZIP archive. A browser follows a plain link to the archive, which cannot carry an
 * authorization header, so the link contains a token. The token is valid for five minutes, but never longer than
 * the session or API key that requested the link.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import type { SelectionsTable } from '../../../platform/db/tables.ts';
import { errors, invalidFieldsError } from '../../../platform/errors/catalogue.ts';
import type { ZipEntry } from '../../../platform/zip/zip.ts';
import { newToken, tokenHash } from '../../identity/tokens.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { resolvePhotoListFilter } from '../../photos/list/filter.ts';
import { createReadPhotoPage } from '../../photos/list/list.ts';
import { maxPhotosInArchive, type NewArchive } from '../schema.ts';
import { createPhotoZipEntry, sendZipArchive } from './archive.ts';
import { createArchiveNames } from './names.ts';
import { prepareArchiveQueries } from './rows.ts';

/** Seconds for which the link to a ZIP archive of selected photos is valid. */
export const archiveLinkLifetime = 300;
/** Limit and offset of the query behind a selection, which loads all found photos in one page. */
const selectionWindow = { limit: maxPhotosInArchive, offset: 0 };
/** Maximum number of unexpired selections per user. A new selection deletes the oldest. */
const maxSelections = 20;

/**
 * Returns a function that stores a selection and returns its token. The function throws an `invalid` error if the
 * query finds too many photos.
 */
export function createSaveArchiveSelection(deps: Deps) {
  const readPhotos = createReadPhotoPage(deps);

  /**
   * Returns the ids of the photos that match the query now, newest first. Photos that match later are not part of
   * the archive.
   */
  async function findPhotoIds(viewer: Viewer, q: string): Promise<number[]> {
    const query = { q, sort: 'create_time', order: 'desc', page: 1, limit: maxPhotosInArchive } as const;
    const filter = await resolvePhotoListFilter(deps, viewer, query);
    const { total, rows } = await readPhotos(filter, selectionWindow);
    if (total > maxPhotosInArchive) {
      throw invalidFieldsError({
        q: [`Finds ${total} photos, but an archive can contain at most ${maxPhotosInArchive}`],
      });
    }
    return rows.map(({ id }) => id);
  }

  return async (viewer: Viewer, { ids, q, kind = 'original' }: NewArchive): Promise<string> => {
    const chosen = ids ? [...new Set(ids)] : await findPhotoIds(viewer, q!);
    const token = newToken();
    const now = deps.clock();
    await deps.db.kysely.transaction().execute(async (transaction) => {
      const surplus = await transaction
        .selectFrom('selections')
        .select('expire_time')
        .where('user_id', '=', viewer.id)
        .orderBy('expire_time', 'desc')
        .offset(maxSelections - 1)
        .limit(1)
        .executeTakeFirst();
      await transaction
        .deleteFrom('selections')
        .where((is) =>
          is.or([
            is('expire_time', '<=', now),
            is.and([is('user_id', '=', viewer.id), is('expire_time', '<=', surplus?.expire_time ?? 0)]),
          ]),
        )
        .execute();
      await transaction
        .insertInto('selections')
        .values({
          token_hash: tokenHash(token),
          user_id: viewer.id,
          ids: JSON.stringify(chosen),
          kind,
          expire_time: now + archiveLinkLifetime,
          session_id: viewer.sessionId || null,
          key_id: viewer.keyId ?? null,
        })
        .execute();
    });
    return token;
  };
}

/**
 * Returns a function that sends the archive of a selection. The function throws notFound for an expired link, and
 * the errors of `sendZipArchive`.
 */
export function createSendSelectedPhotos(deps: Deps) {
  const rows = prepareArchiveQueries(deps);

  return async (token: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const found = await findSelection(deps, token);
    if (!found || found.expire_time <= deps.clock()) throw errors.notFound();
    const { kind } = found;
    const ids = JSON.parse(found.ids) as number[];
    const caller = `u${found.user_id}`;

    async function* entries(): AsyncGenerator<ZipEntry> {
      const names = createArchiveNames();
      for (const id of ids) {
        const viewer = await getSelectionViewer(deps, found!);
        const entry = await createPhotoZipEntry(deps, kind, viewer, names, () =>
          rows.findVisiblePhoto(viewer, id),
        );
        if (!entry) continue;
        yield entry;
        if (kind === 'original') deps.db.counters.count('photoDownloads', id);
      }
    }
    await getSelectionViewer(deps, found);
    return sendZipArchive(request, reply, { name: 'photos', caller }, entries);
  };
}

function findSelection({ db }: Deps, token: string): Promise<SelectionsTable | undefined> {
  return db.kysely
    .selectFrom('selections')
    .selectAll()
    .where('token_hash', '=', tokenHash(token))
    .executeTakeFirst();
}

/**
 * Returns the user who made the selection, with the user's current rights. Throws notFound if the account is
 * disabled, or if the session or API key behind the selection has expired.
 */
async function getSelectionViewer(
  { db, clock }: Deps,
  { user_id, session_id, key_id }: SelectionsTable,
): Promise<Viewer> {
  const user = await db.kysely
    .selectFrom('users')
    .select('is_admin')
    .where('id', '=', user_id)
    .where('status', '=', UserStatus.enabled)
    .where((is) => {
      const [table, id] =
        session_id === null ? (['api_keys', key_id] as const) : (['sessions', session_id] as const);
      // The tables `api_keys` and `sessions` both have the columns of this query, so one cast is enough.
      const credentials = is
        .selectFrom(table as 'api_keys')
        .select('id')
        .where('id', '=', id)
        .where('user_id', '=', user_id);
      const isGood = credentials.where((one) =>
        one.or([one('expire_time', 'is', null), one('expire_time', '>', clock())]),
      );
      return is.exists(isGood);
    })
    .executeTakeFirst();
  if (!user) throw errors.notFound();
  return { id: user_id, isAdmin: user.is_admin === 1, sessionId: 0 };
}
