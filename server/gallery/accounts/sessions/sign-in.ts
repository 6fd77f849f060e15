/** Starts the session after any kind of sign-in. The session token goes into the response or into a cookie. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { clientAddress } from '../../../platform/connections/address.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { wantedLanguage } from '../../../platform/http/language.ts';
import { createPathSigner } from '../../delivery/signatures.ts';
import { readSessionCookie, setSessionCookie } from '../../identity/cookie.ts';
import { createIsMembersOnly } from '../../identity/members-only.ts';
import { saveOwnOrigin } from '../../identity/own-address.ts';
import { presentAccount } from '../../identity/present.ts';
import { type SessionClient, startSession } from '../../identity/sessions.ts';

/**
 * Returns a function that signs a user in. The function throws wrongLogin if the account changed meanwhile (see
 * `startSession`).
 */
export function createSignIn(deps: Deps) {
  const isMembersOnly = createIsMembersOnly(deps);

  return async (user: UserRow, request: FastifyRequest, reply: FastifyReply, hasCookie: boolean) => {
    request.attempt.account = user.id;
    // A new cookie ends the browser's old session. The token of a program stays valid, because other programs may
    // use it.
    const replaced = hasCookie ? readSessionCookie(request, deps.config) : undefined;
    const token = await startSession(deps, user, { ...readClientInfo(request), replaced });
    await saveLanguage(deps, user, request);
    if (hasCookie) {
      setSessionCookie(request, reply, deps.config, token);
      await saveOwnOrigin(deps, user, request);
    }
    // A browser sends its cookie with each image, so only programs need signed paths.
    const isSigning = !hasCookie && (await isMembersOnly());
    const signer = isSigning ? createPathSigner(deps, `u${user.id}`, true) : undefined;
    return {
      user: presentAccount(user, signer),
      ...(!hasCookie && { token }),
      expires_in: deps.config.tokenTtl,
    };
  };
}

/** Stores the language of the user's browser with the account, for mail to the user. */
async function saveLanguage({ db }: Deps, { id, language: known }: UserRow, request: FastifyRequest) {
  const language = wantedLanguage(request);
  if (language === undefined || language === known) return;
  await db.kysely.updateTable('users').set({ language }).where('id', '=', id).execute();
}

function readClientInfo(request: FastifyRequest): SessionClient {
  return { userAgent: String(request.headers['user-agent'] ?? ''), ip: clientAddress(request) };
}

/** Throws forbidden if users sign in only at the OpenID provider (PASSWORD_LOGIN=0). */
export function refuseIfPasswordsAreOff(
  { config }: Deps,
  message = 'Signing in with a password is turned off in this gallery',
): void {
  if (!config.passwordLogin) throw errors.forbidden({ message });
}
