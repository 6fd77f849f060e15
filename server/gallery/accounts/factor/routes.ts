/** Defines the routes that set up, use and turn off the second factor. */
import type { Deps } from '../../../deps.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { App } from '../../../platform/http/app.ts';
import { done, doneWith } from '../../../platform/http/envelope.ts';
import { languageOf } from '../../../platform/http/language.ts';
import { createThrottle } from '../../../platform/http/rate-limiters.ts';
import { refuseCrossOriginPages } from '../../identity/cookie.ts';
import { endpoints } from '../../identity/endpoints.ts';
import { auditOwn, refuseManyActs } from '../../moderation/audit.ts';
import { createConfirmPassword } from '../confirm.ts';
import { notifyOwner } from '../notify-owner.ts';
import { lockIfPasswordUnchanged } from '../password.ts';
import { LoggedIn } from '../schema.ts';
import { createSignIn } from '../sessions/sign-in.ts';
import { countRecoveryCodes, createRecoveryCodes } from './recovery-codes.ts';
import * as schema from './schema.ts';
import { createSecondStep } from './second-step.ts';
import { confirmSecondFactor, createSecondFactor, deleteSecondFactor, hasSecondFactor } from './totp.ts';

/**
 * Maximum number of codes per minute and account when turning the factor on. The limit is separate from that of
 * sign-ins, so a session cannot use up the owner's sign-in attempts.
 */
const codesPerAccount = 10;

export async function factorRoutes(app: App, deps: Deps): Promise<void> {
  const api = endpoints(app, 'Accounts');
  const confirm = createConfirmPassword(deps, app.shared);
  const throttle = createThrottle(app.shared, 'factor-confirm', codesPerAccount);
  const secondStep = createSecondStep(deps, app.shared);
  const signIn = createSignIn(deps);

  api.post('/api/auth/login/second', {
    auth: 'none',
    config: { attempt: { action: 'login.second', countsSuccess: true } },
    operationId: 'loginSecondStep',
    summary: 'Log in: the second step',
    description:
      'With the `challenge` of a login that answered 10008, or of the OpenID provider, good for five minutes, and a ' +
      'code of the app or a recovery code; each is good once. At most 10 wrong codes a minute of an account, ' +
      '7 of these from addresses where it is not signed in.',
    body: schema.SecondStep,
    answer: LoggedIn,
    refusals: ['wrongLogin', 'wrongCode', 'accountDisabled', 'forbidden'],
    handler: async (request, reply) => {
      if (request.body.cookie) refuseCrossOriginPages(request, deps.config);
      const user = await secondStep(request.body, request);
      return doneWith('Logged in', await signIn(user, request, reply, request.body.cookie === true));
    },
  });

  api.get('/api/auth/totp', {
    auth: 'session',
    operationId: 'getSecondFactor',
    summary: 'Get my second factor',
    description:
      'Whether it is on, and how many recovery codes are left. The secret is told when it is set up alone.',
    answer: schema.Factor,
    handler: async ({ viewer: { id } }) => ({
      is_on: await hasSecondFactor(deps.db, id),
      recovery_codes: await countRecoveryCodes(deps.db.kysely, id),
    }),
  });

  api.post('/api/auth/totp', {
    auth: 'session',
    config: { attempt: { action: 'factor.create' } },
    operationId: 'beginSecondFactor',
    summary: 'Set up a second factor',
    description:
      'Answers a new secret for an authenticator app. It counts once a code of it has been confirmed.',
    body: schema.WithPassword,
    answer: schema.NewFactor,
    refusals: ['wrongOldPassword', 'forbidden'],
    handler: async ({ viewer, body }) => {
      const user = await confirm(viewer, body.password);
      return doneWith('Confirm it by a code of the app', await createSecondFactor(deps, user));
    },
  });

  api.post('/api/auth/totp/confirm', {
    auth: 'session',
    config: { attempt: { action: 'factor.confirm' } },
    operationId: 'confirmSecondFactor',
    summary: 'Switch a second factor on',
    description:
      'By a code of the app. Answers ten recovery codes, which are told here alone; sessions stay.',
    body: schema.FirstCode,
    answer: schema.RecoveryCodes,
    refusals: ['wrongCode'],
    handler: async (request) => {
      const { viewer, body } = request;
      await throttle.consume(String(viewer.id));
      const given = { code: body.code, language: languageOf(request) };
      const recovery_codes = await confirmSecondFactor(deps, viewer, given);
      await throttle.refund(String(viewer.id));
      return doneWith('Keep the recovery codes', { recovery_codes });
    },
  });

  api.post('/api/auth/totp/recovery-codes', {
    auth: 'session',
    config: { attempt: { action: 'factor.codes' } },
    operationId: 'renewRecoveryCodes',
    summary: 'Make new recovery codes',
    description: 'Ten, in place of those there are.',
    body: schema.WithPassword,
    answer: schema.RecoveryCodes,
    refusals: ['wrongOldPassword', 'notFound'],
    handler: async (request) => {
      const user = await confirm(request.viewer, request.body.password);
      const language = languageOf(request);
      const recovery_codes = await deps.db.kysely.transaction().execute(async (transaction) => {
        await lockIfPasswordUnchanged(transaction, user);
        if (!(await hasSecondFactor({ kysely: transaction }, user.id))) throw errors.notFound();
        await refuseManyActs(deps, transaction, user.id, 'user.update');
        await notifyOwner(deps, transaction, user.id, { kind: 'recovery_codes_renewed', language });
        const codes = await createRecoveryCodes(transaction, user.id);
        await auditOwn(deps, transaction, user.id, 'user.update', { recovery_codes_left: codes.length });
        return codes;
      });
      return doneWith('Keep the recovery codes', { recovery_codes });
    },
  });

  api.delete('/api/auth/totp', {
    auth: 'session',
    config: { attempt: { action: 'factor.delete' } },
    operationId: 'endSecondFactor',
    summary: 'Switch my second factor off',
    description: 'Its secret and the recovery codes are deleted. Without one, this changes nothing.',
    body: schema.WithPassword,
    refusals: ['wrongOldPassword'],
    handler: async (request) => {
      const user = await confirm(request.viewer, request.body.password);
      const language = languageOf(request);
      await deps.db.kysely.transaction().execute(async (transaction) => {
        await lockIfPasswordUnchanged(transaction, user);
        if (!(await deleteSecondFactor(transaction, user.id))) return;
        await notifyOwner(deps, transaction, user.id, { kind: 'factor_off', language });
        await auditOwn(deps, transaction, user.id, 'user.update', { second_factor: false });
      });
      return done('The second factor is off');
    },
  });
}
