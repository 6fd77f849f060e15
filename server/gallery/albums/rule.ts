/** Checks which rules a smart album can have, beyond the syntax of queries. */
import type { AlbumRow, Transaction } from '../../platform/db/tables.ts';
import { invalidFieldsError } from '../../platform/errors/catalogue.ts';
import { isSmartAlbum } from '../library/albums.ts';
import { parseSearchQuery } from '../photos/query/parse.ts';
import { collectQueryAlbumIds } from '../photos/query/smart.ts';

/**
 * Throws an error on `rule` if the rule is empty or names another smart album. A rule that used other rules would
 * run all of them for each list.
 */
export async function checkSmartAlbumRule(
  transaction: Pick<Transaction, 'selectFrom'>,
  ownerId: number,
  rule: string,
): Promise<void> {
  const query = parseSearchQuery(rule);
  if (!query) throw invalidFieldsError({ rule: ['Must not be empty'] });
  const named = collectQueryAlbumIds(query);
  if (named.length === 0) return;
  const smart = await transaction
    .selectFrom('albums')
    .select('id')
    .where('id', 'in', [...new Set(named)])
    // Check only the owner's albums, so that the error reveals nothing about albums of other users.
    .where('user_id', '=', ownerId)
    .where('rule', 'is not', null)
    .orderBy('id')
    .executeTakeFirst();
  if (smart)
    throw invalidFieldsError({
      rule: [`Names the smart album ${smart.id}, but album: can only name ordinary albums`],
    });
}

/**
 * Returns the rule of an album after an update, where `asked` is the requested rule. An ordinary album cannot
 * become smart, nor a smart album ordinary, because only ordinary albums hide and share their photos. Throws an
 * error on `rule`.
 */
export async function decideRuleAfterUpdate(
  transaction: Pick<Transaction, 'selectFrom'>,
  album: Pick<AlbumRow, 'user_id' | 'rule'>,
  asked: string | null | undefined,
): Promise<string | null> {
  if (asked === undefined || asked === album.rule) return album.rule;
  if (!isSmartAlbum(album)) throw invalidFieldsError({ rule: ['Can only be set on a smart album'] });
  if (asked === null) throw invalidFieldsError({ rule: ['Cannot be removed. Delete the album instead.'] });
  await checkSmartAlbumRule(transaction, album.user_id, asked);
  return asked;
}
