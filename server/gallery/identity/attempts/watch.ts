/**
 * Records in the audit log and the server's log how each request to a route with `config.attempt` ended, and each
 * invalid token. The hooks run when the response is ready, and delay no response.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { clientAddress, getIpAddressKey } from '../../../platform/connections/address.ts';
import { errorName } from '../../../platform/errors/catalogue.ts';
import { toApiError } from '../../../platform/http/error-handler.ts';
import type { AuditAction } from '../../moderation/audit.ts';
import { recordAuditAttempt } from './recorder.ts';
import type { AuditedAttempt } from './store.ts';

export interface AuditedAction {
  action: AuditAction;
  /**
   * Whether successes are counted. Not set for the first of two steps, or if a success has an audit entry of its own or
   * belongs to a counted sign-in. Audit entries of actions are stored forever, so these entries have no IP address.
   */
  countsSuccess?: true;
}

/** Attempt that a request makes, and its outcome. */
export interface RequestAttempt {
  audited: AuditedAction | undefined;
  /** Account at which the attempt is directed, even if the attempt is refused. Undefined for an unknown account. */
  account?: number | undefined;
  /** Email address typed in an attempt. Set instead of `account` if only the recorder may look up the account. */
  email?: string;
  /** Error with which the attempt was refused. */
  error?: unknown;
  /**
   * Set after the request's attempt was counted. Fastify sends a second response if the first fails, and the
   * attempt must count once.
   */
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

/** Use of an invalid token or API key at any route. */
export const invalidTokenAction: AuditedAction = { action: 'token.use' };

/** Call of an admin route by a signed-in user who is not an admin. */
export const refusedAdminAction: AuditedAction = { action: 'admin.use' };

export function auditRouteAttempts(scope: FastifyInstance, deps: Deps): void {
  scope.decorateRequest('attempt', null as never);

  // Create the attempt here if needed, because an earlier hook may send the response, for example to an OPTIONS
  // request of uploads.
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
    const attempt = audited && !isRecorded && describeAttempt(request, audited);
    request.attempt.isRecorded = true;
    if (attempt) {
      recordAuditAttempt(deps, attempt);
      const { email: _, ...logged } = attempt;
      request.log.info(logged, 'attempt');
    }
    done(null, payload);
  });
}

function describeAttempt(
  request: FastifyRequest,
  { action, countsSuccess }: AuditedAction,
): AuditedAttempt | undefined {
  const { account, email = '', error } = request.attempt;
  const attempt = { action, account, email, address: getIpAddressKey(clientAddress(request)) };
  const reason = error === undefined ? '' : errorName(toApiError(error));
  // Count a right password as a success. The second step of the sign-in records its own outcome.
  if (reason === '' || reason === 'secondFactor')
    return countsSuccess && { ...attempt, outcome: 'succeeded', reason };
  return { ...attempt, outcome: reason === 'tooManyRequests' ? 'limited' : 'refused', reason };
}
