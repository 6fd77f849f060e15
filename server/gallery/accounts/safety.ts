/** The owner of an account is told by mail when something of its safety was changed: it may have been somebody else. */
import type { Deps } from '../../deps.ts';
import type { SafetyKind, Transaction } from '../../platform/db/tables.ts';
import type { Language } from '../../platform/http/language.ts';
import { writeMail } from '../mail/outbox.ts';

/** `language`: of who changed it, for owners of whom none is known. Nothing where this gallery sends no mail. */
export async function tellOwner(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  transaction: Transaction,
  userId: number,
  { kind, language }: { kind: SafetyKind; language: Language },
): Promise<void> {
  if (!deps.config.mail) return;
  const { email: receiver } = await transaction
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  await writeMail(deps, transaction, { kind, receiver, language, user_id: userId });
}
