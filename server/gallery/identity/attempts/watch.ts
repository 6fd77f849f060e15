/**
 * Counts how each request to a route with `config.attempt` ends, and each invalid token, in the audit log and in the
 * server's log. The hooks run when the answer is ready, and delay none.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { addressKey, addressOf } from '../../../platform/connections/address.ts';
import { errorName } from '../../../platform/errors/catalogue.ts';
import { toApiError } from '../../../platform/http/error-handler.ts';
import type { Action } from '../../moderation/audit.ts';
import { recordAttempt } from './recorder.ts';
import type { Attempt } from './store.ts';

export interface AuditedAction {
  action: Action;
  /**
   * Whether successes are counted. Left out if a success is an act with its own entry, in a session whose sign-in was
   * counted, or if it is the first of two steps. Acts are stored for good, so they have no address.
   */
  countsSuccess?: true;
}

/** The attempt that a request makes, and how it ended. */
export interface RequestAttempt {
  audited: AuditedAction | undefined;
  /** The account that the attempt concerns, also if it is refused; undefined if unknown. */
  account?: number | undefined;
  /** Given in place of `account` if only the recorder may look up the account. */
  email?: string;
  /** Why it is refused. */
  error?: unknown;
  /** Fastify sends a second answer if it cannot send the first: the attempt is counted once. */
  isRecorded?: true;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    attempt?: AuditedAction;
  }
  interface FastifyRequest {
    attempt: RequestAttempt;
  }
}

/** An invalid token or API key, at any endpoint. */
export const tokenUse: AuditedAction = { action: 'token.use' };

/** A signed-in account that is no admin, at an endpoint of admins. */
export const adminUse: AuditedAction = { action: 'admin.use' };

export function watchAttempts(scope: FastifyInstance, deps: Deps): void {
  scope.decorateRequest('attempt', null as never);

  // A hook before this one may answer, as for the OPTIONS of uploads.
  const ensureAttempt = (request: FastifyRequest) => {
    request.attempt ??= { audited: request.routeOptions.config.attempt };
    return request.attempt;
  };
  scope.addHook('onRequest', (request, _reply, done) => {
    ensureAttempt(request);
    done();
  });
  scope.addHook('onError', (request, _reply, error, done) => {
    ensureAttempt(request).error = error;
    done();
  });
  scope.addHook('onSend', (request, _reply, payload, done) => {
    const { audited, isRecorded } = ensureAttempt(request);
    const attempt = audited && !isRecorded && describe(request, audited);
    request.attempt.isRecorded = true;
    if (attempt) {
      recordAttempt(deps, attempt);
      const { email: _, ...logged } = attempt;
      request.log.info(logged, 'attempt');
    }
    done(null, payload);
  });
}

function describe(request: FastifyRequest, { action, countsSuccess }: AuditedAction): Attempt | undefined {
  const { account, email = '', error } = request.attempt;
  const attempt = { action, account, email, address: addressKey(addressOf(request)) };
  const reason = error === undefined ? '' : errorName(toApiError(error));
  // The password was right: the rest is the second step's.
  if (reason === '' || reason === 'secondFactor')
    return countsSuccess && { ...attempt, outcome: 'succeeded', reason };
  return { ...attempt, outcome: reason === 'tooManyRequests' ? 'limited' : 'refused', reason };
}
