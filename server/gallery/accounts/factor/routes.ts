/** Defines the routes that set up, use and turn off the second factor. */
import type { Deps } from '../../../deps.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { App } from '../../../platform/http/app.ts';
import { messageResponse, resultResponse } from '../../../platform/http/envelope.ts';
import { languageOf } from '../../../platform/http/language.ts';
import { createThrottle } from '../../../platform/http/rate-limiters.ts';
import { refuseCrossOriginPages } from '../../identity/cookie.ts';
import { createEndpointMethods } from '../../identity/endpoints.ts';
import { recordOwnAccountAct, refuseManyActs } from '../../moderation/audit.ts';
import { createConfirmPassword } from '../confirm.ts';
import { queueSecurityNotice } from '../notify-owner.ts';
import { lockIfPasswordUnchanged } from '../password.ts';
import { LoginResponse } from '../schema.ts';
import { createSignIn } from '../sessions/sign-in.ts';
import { countRecoveryCodes, createRecoveryCodes } from './recovery-codes.ts';
import * as schema from './schema.ts';
import { createFinishSecondStep } from './second-step.ts';
import { confirmSecondFactor, createSecondFactor, deleteSecondFactor, hasSecondFactor } from './totp.ts';

/**
 * Maximum number of codes per minute and account when turning the factor on. The limit is separate from that of
 * sign-ins, so a session cannot use up the owner's sign-in attempts.
 */
const codesPerAccount = 10;

export async function secondFactorRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Accounts');
  const confirm = createConfirmPassword(deps, app.shared);
  const throttle = createThrottle(app.shared, 'factor-confirm', codesPerAccount);
  const secondStep = createFinishSecondStep(deps, app.shared);
  const signIn = createSignIn(deps);

  api.post('/api/auth/login/second', {
    auth: 'none',
    config: { openToVisitors: true, attempt: { action: 'login.second', countsSuccess: true } },
    operationId: 'loginSecondStep',
    summary: 'Sign in with a code of two-step verification',
    description:
      'Completes a sign-in that was refused with 10008, or a sign-in by the OpenID provider. Needs the ' +
      '`challenge` of that sign-in, which expires after five minutes, and a code of the authenticator ' +
      'app or a recovery code. The challenge and each code work once. An account may send at most ' +
      '10 wrong codes a minute. At most 7 of these may come from addresses where the account has no ' +
      'session.',
    body: schema.LoginSecondStepRequest,
    answer: LoginResponse,
    refusals: ['wrongLogin', 'wrongCode', 'accountDisabled', 'forbidden'],
    handler: async (request, reply) => {
      if (request.body.cookie) refuseCrossOriginPages(request, deps.config);
      const user = await secondStep(request.body, request);
      return resultResponse('Signed in', await signIn(user, request, reply, request.body.cookie === true));
    },
  });

  api.get('/api/auth/totp', {
    auth: 'session',
    operationId: 'getSecondFactor',
    summary: 'Get the state of my two-step verification',
    description:
      'Returns whether two-step verification is on, and how many recovery codes are left. The secret is ' +
      'returned only when two-step verification is set up.',
    answer: schema.SecondFactorStatus,
    handler: async ({ viewer: { id } }) => ({
      is_on: await hasSecondFactor(deps.db, id),
      recovery_codes: await countRecoveryCodes(deps.db.kysely, id),
    }),
  });

  api.post('/api/auth/totp', {
    auth: 'session',
    config: { attempt: { action: 'factor.create' } },
    operationId: 'beginSecondFactor',
    summary: 'Set up two-step verification',
    description:
      'Returns a new secret for an authenticator app. Two-step verification is on only after a code of ' +
      'the app has been confirmed.',
    body: schema.PasswordProof,
    answer: schema.NewSecondFactor,
    refusals: ['wrongOldPassword', 'forbidden'],
    handler: async ({ viewer, body }) => {
      const user = await confirm(viewer, body.password);
      return resultResponse(
        'Enter a code from the app to turn on two-step verification',
        await createSecondFactor(deps, user),
      );
    },
  });

  api.post('/api/auth/totp/confirm', {
    auth: 'session',
    config: { attempt: { action: 'factor.confirm' } },
    operationId: 'confirmSecondFactor',
    summary: 'Turn on two-step verification',
    description:
      'Confirms two-step verification with a code of the authenticator app. Only this response contains ' +
      'the ten recovery codes. Sessions stay valid.',
    body: schema.FirstFactorCode,
    answer: schema.RecoveryCodes,
    refusals: ['wrongCode'],
    handler: async (request) => {
      const { viewer, body } = request;
      await throttle.consume(String(viewer.id));
      const given = { code: body.code, language: languageOf(request) };
      const recovery_codes = await confirmSecondFactor(deps, viewer, given);
      await throttle.refund(String(viewer.id));
      return resultResponse('Two-step verification turned on. Save the recovery codes.', { recovery_codes });
    },
  });

  api.post('/api/auth/totp/recovery-codes', {
    auth: 'session',
    config: { attempt: { action: 'factor.codes' } },
    operationId: 'renewRecoveryCodes',
    summary: 'Renew my recovery codes',
    description: 'Returns ten new recovery codes. The old codes stop working.',
    body: schema.PasswordProof,
    answer: schema.RecoveryCodes,
    refusals: ['wrongOldPassword', 'notFound'],
    handler: async (request) => {
      const user = await confirm(request.viewer, request.body.password);
      const language = languageOf(request);
      const recovery_codes = await deps.db.kysely.transaction().execute(async (transaction) => {
        await lockIfPasswordUnchanged(transaction, user);
        if (!(await hasSecondFactor({ kysely: transaction }, user.id))) throw errors.notFound();
        await refuseManyActs(deps, transaction, user.id, 'user.update');
        await queueSecurityNotice(deps, transaction, user.id, { kind: 'recovery_codes_renewed', language });
        const codes = await createRecoveryCodes(transaction, user.id);
        await recordOwnAccountAct(deps, transaction, user.id, 'user.update', {
          recovery_codes_left: codes.length,
        });
        return codes;
      });
      return resultResponse('Recovery codes renewed. Save the new codes.', { recovery_codes });
    },
  });

  api.delete('/api/auth/totp', {
    auth: 'session',
    config: { attempt: { action: 'factor.delete' } },
    operationId: 'endSecondFactor',
    summary: 'Turn off my two-step verification',
    description:
      'Deletes the secret and the recovery codes. Changes nothing for an account without ' +
      'two-step verification.',
    body: schema.PasswordProof,
    refusals: ['wrongOldPassword'],
    handler: async (request) => {
      const user = await confirm(request.viewer, request.body.password);
      const language = languageOf(request);
      await deps.db.kysely.transaction().execute(async (transaction) => {
        await lockIfPasswordUnchanged(transaction, user);
        if (!(await deleteSecondFactor(transaction, user.id))) return;
        await queueSecurityNotice(deps, transaction, user.id, { kind: 'factor_off', language });
        await recordOwnAccountAct(deps, transaction, user.id, 'user.update', { second_factor: false });
      });
      return messageResponse('Two-step verification turned off');
    },
  });
}
