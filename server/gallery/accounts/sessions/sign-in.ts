/** What signing in answers, whichever way it was: a session, whose token goes into the answer or into a cookie. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { addressOf } from '../../../platform/connections/address.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { wantedLanguage } from '../../../platform/http/language.ts';
import { sessionCookieOf, setSessionCookie } from '../../identity/cookie.ts';
import { presentAccount } from '../../identity/present.ts';
import { type SessionPlace, startSession } from '../../identity/sessions.ts';

/** What it makes throws wrongLogin where the account was changed meanwhile (startSession). */
export function createSignIn(deps: Deps) {
  return async (user: UserRow, request: FastifyRequest, reply: FastifyReply, hasCookie: boolean) => {
    request.attempt.account = user.id;
    // What takes a cookie's place ends it; a program's token stays, as it may be used elsewhere.
    const replaced = hasCookie ? sessionCookieOf(request, deps.config) : undefined;
    const token = await startSession(deps, user, { ...placeOf(request), replaced });
    await keepLanguage(deps, user, request);
    if (hasCookie) setSessionCookie(request, reply, deps.config, token);
    return {
      user: presentAccount(user),
      ...(!hasCookie && { token }),
      expires_in: deps.config.tokenTtl,
    };
  };
}

/** Mail to its owner is in it. */
async function keepLanguage({ db }: Deps, { id, language: known }: UserRow, request: FastifyRequest) {
  const language = wantedLanguage(request);
  if (language === undefined || language === known) return;
  await db.kysely.updateTable('users').set({ language }).where('id', '=', id).execute();
}

function placeOf(request: FastifyRequest): SessionPlace {
  return { userAgent: String(request.headers['user-agent'] ?? ''), ip: addressOf(request) };
}

/** Where people sign in at the OpenID provider alone (PASSWORD_LOGIN=0). Throws forbidden. */
export function refuseWithoutPasswords(
  { config }: Deps,
  message = 'Passwords do not sign in to this gallery',
): void {
  if (!config.passwordLogin) throw errors.forbidden({ message });
}
