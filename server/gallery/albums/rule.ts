/** What is asked of the rule of a smart album, beside that it can be read. */
import type { AlbumRow, Transaction } from '../../platform/db/tables.ts';
import { invalidFields } from '../../platform/errors/catalogue.ts';
import { isSmart } from '../library/albums.ts';
import { parseQuery } from '../photos/query/parse.ts';
import { albumsIn } from '../photos/query/smart.ts';

/**
 * A rule is about the photos of ordinary albums: what another rule finds would be asked for again in each list. Throws
 * invalid naming `rule`.
 */
export async function checkRule(
  transaction: Pick<Transaction, 'selectFrom'>,
  ownerId: number,
  rule: string,
): Promise<void> {
  const query = parseQuery(rule);
  if (!query) throw invalidFields({ rule: ['must not be empty'] });
  const named = albumsIn(query);
  if (named.length === 0) return;
  const smart = await transaction
    .selectFrom('albums')
    .select('id')
    .where('id', 'in', [...new Set(named)])
    // Of others it is told nothing.
    .where('user_id', '=', ownerId)
    .where('rule', 'is not', null)
    .orderBy('id')
    .executeTakeFirst();
  if (smart) throw invalidFields({ rule: [`names the smart album ${smart.id}: album: takes ordinary ones`] });
}

/**
 * Another rule, where `asked` is one. What is in an ordinary album is hidden and shared with it, what a rule finds never
 * is: so none becomes the other. Throws invalid naming `rule`.
 */
export async function ruleAfter(
  transaction: Pick<Transaction, 'selectFrom'>,
  album: Pick<AlbumRow, 'user_id' | 'rule'>,
  asked: string | null | undefined,
): Promise<string | null> {
  if (asked === undefined || asked === album.rule) return album.rule;
  if (!isSmart(album)) throw invalidFields({ rule: ['is for albums that were made with one'] });
  if (asked === null) throw invalidFields({ rule: ['cannot be taken away: delete the album instead'] });
  await checkRule(transaction, album.user_id, asked);
  return asked;
}
