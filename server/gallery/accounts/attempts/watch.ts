/**
 * Sees every request that is an attempt at the door of an account (`config.attempt` of a route), however it ends, and
 * every credential that is not good. It notes them once the answer stands, and holds no answer up.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { addressKey, addressOf } from '../../../platform/connections/address.ts';
import { errorName } from '../../../platform/errors/catalogue.ts';
import { toApiError } from '../../../platform/http/error-handler.ts';
import type { Action } from '../../moderation/audit.ts';
import { createRecorder } from './recorder.ts';
import type { Noted } from './store.ts';

export interface Door {
  action: Action;
  /**
   * What succeeds is counted, too; left out: it is an act that is written down by itself, of a session whose sign-in was
   * counted, or only the first half. Acts are kept for good, so that they have no address.
   */
  countsSuccess?: true;
}

/** What a request tries. */
export interface Attempt {
  door: Door | undefined;
  /** Whose account it concerns, also where it is refused; undefined: nobody's that is known. */
  account?: number | undefined;
  /** In place of `account`, where only the log may ask whose it is. */
  email?: string;
  /** Why it is refused. */
  error?: unknown;
  /** What cannot be sent is answered a second time. */
  isNoted?: true;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    attempt?: Door;
  }
  interface FastifyRequest {
    attempt: Attempt;
  }
}

/** Of a token or an API key that is not good, at any endpoint. */
export const tokenDoor: Door = { action: 'token.use' };

/** Of an account that is signed in, at an endpoint of admins. */
export const adminDoor: Door = { action: 'admin.use' };

export function watchAttempts(scope: FastifyInstance, deps: Deps): void {
  const recorder = createRecorder(deps);
  scope.decorateRequest('attempt', null as never);

  // A hook before this one may answer, as for the OPTIONS of uploads.
  const attemptOf = (request: FastifyRequest) => {
    request.attempt ??= { door: request.routeOptions.config.attempt };
    return request.attempt;
  };
  scope.addHook('onRequest', (request, _reply, done) => {
    attemptOf(request);
    done();
  });
  scope.addHook('onError', (request, _reply, error, done) => {
    attemptOf(request).error = error;
    done();
  });
  scope.addHook('onSend', (request, _reply, payload, done) => {
    const attempt = attemptOf(request);
    const noted = attempt.door && !attempt.isNoted && outcomeOf(request, attempt.door);
    attempt.isNoted = true;
    if (noted) recorder.note(noted);
    done(null, payload);
  });
  scope.addHook('onClose', () => recorder.stop());
}

function outcomeOf(request: FastifyRequest, { action, countsSuccess }: Door): Noted | undefined {
  const { account, email = '', error } = request.attempt;
  const noted = { action, account, email, address: addressKey(addressOf(request)) };
  const reason = error === undefined ? '' : errorName(toApiError(error));
  // The password was right: the rest is the second step's.
  if (reason === '' || reason === 'secondFactor')
    return countsSuccess && { ...noted, outcome: 'succeeded', reason };
  return { ...noted, outcome: reason === 'tooManyRequests' ? 'limited' : 'refused', reason };
}
