/** The second step of signing in: after the right password a challenge, which is good for a few minutes and no session. */
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { ApiError, errors } from '../../../platform/errors/catalogue.ts';
import { languageOf } from '../../../platform/http/language.ts';
import { createThrottle } from '../../../platform/http/rate-limiters.ts';
import type { Shared } from '../../../platform/http/shared.ts';
import { findLink, makeLink, useLink } from '../links.ts';
import { getUser } from '../store.ts';
import { hasFactor, useSecondFactor } from './totp.ts';

const lifetime = 300;
/** Codes a minute of an account, right ones not counted: a million codes last for months. */
const perAccount = 10;

/** Throws secondFactor, with the challenge, where the account has one. Asked only after the right password. */
export async function demandSecondFactor(deps: Deps, { id }: Pick<UserRow, 'id'>): Promise<void> {
  if (!(await hasFactor(deps.db, id))) return;
  const expire_time = deps.clock() + lifetime;
  const challenge = await makeLink(deps, deps.db.kysely, { kind: 'second', user_id: id, expire_time });
  throw errors.secondFactor({ data: { challenge, expires_in: lifetime } });
}

/** Codes of an account that are tried, for whatever they are. */
export function createCodeThrottle(shared: Shared) {
  return createThrottle(shared, 'second-factor', perAccount);
}

/** What it makes throws wrongLogin (a challenge that is over), wrongCode, accountDisabled or tooManyRequests. */
export function createSecondStep(deps: Deps, shared: Shared) {
  const throttle = createCodeThrottle(shared);

  return async (
    { challenge, code }: { challenge: string; code: string },
    request: FastifyRequest,
  ): Promise<UserRow> => {
    const link = await findLink(deps, deps.db.kysely, 'second', challenge);
    if (!link?.user_id) throw over();
    request.attempt.account = link.user_id;
    const key = String(link.user_id);
    // Consumed before it is looked at: a burst cannot slip past the count.
    await throttle.consume(key);
    const user = await getUser(deps, link.user_id);
    await deps.db.kysely.transaction().execute(async (transaction) => {
      await useSecondFactor(deps, transaction, user, { code, language: languageOf(request) });
      await useLink(deps, transaction, 'second', challenge).catch((error: unknown) => {
        throw error instanceof ApiError ? over() : error;
      });
    });
    await throttle.refund(key);
    if (user.status !== UserStatus.enabled) throw errors.accountDisabled();
    return user;
  };
}

function over(): Error {
  return errors.wrongLogin({ message: 'Log in again: this took too long, or was used already' });
}
