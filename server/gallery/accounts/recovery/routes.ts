/** Defines the routes to reset a forgotten password and to change the email address. */
import type { Deps } from '../../../deps.ts';
import { addressKey, clientAddress } from '../../../platform/connections/address.ts';
import type { App } from '../../../platform/http/app.ts';
import { done, doneWith } from '../../../platform/http/envelope.ts';
import { languageOf } from '../../../platform/http/language.ts';
import { endpoints } from '../../identity/endpoints.ts';
import { withRevokedDetails } from '../keys/revoke-access.ts';
import { refuseIfPasswordsAreOff } from '../sessions/sign-in.ts';
import { createChangeEmail, createConfirmEmail } from './email.ts';
import { createRequestReset, createResetPassword } from './reset-password.ts';
import {
  Confirmation,
  ConfirmedEmail,
  CurrentEmail,
  NewEmail,
  RequestReset,
  ResetPassword,
} from './schema.ts';

export async function recoveryRoutes(app: App, deps: Deps): Promise<void> {
  const api = endpoints(app, 'Accounts');
  const forgot = createRequestReset(deps, app.shared);
  const reset = createResetPassword(deps, app.shared);
  const changeEmail = createChangeEmail(deps, app.shared);
  const confirmEmail = createConfirmEmail(deps, app.shared);

  api.post('/api/auth/forgot', {
    auth: 'none',
    config: { attempt: { action: 'password.forgot', countsSuccess: true } },
    operationId: 'forgotPassword',
    summary: 'Ask for a new password',
    description:
      'Sends a link to the address if an account has it; the answer and its time are the same either way. At most 10 ' +
      'times a minute, 3 for an address, and 5 links an hour. Where this gallery sends no mail (`GET /api/site`: ' +
      '`mail`), 403.',
    body: RequestReset,
    refusals: ['forbidden'],
    handler: async (request) => {
      refuseIfPasswordsAreOff(deps);
      request.attempt.email = request.body.email;
      await forgot(request.body.email, addressKey(clientAddress(request)), languageOf(request));
      return done('If an account has this address, a link is on its way');
    },
  });

  api.post('/api/auth/reset', {
    auth: 'none',
    config: { attempt: { action: 'password.reset', countsSuccess: true } },
    operationId: 'resetPassword',
    summary: 'Choose a new password by link',
    description:
      'With the token of a link, which works once, for an hour. Ends all sessions and, with `end_keys`, all API keys, ' +
      'passkeys and the tie to the OpenID provider. At most 10 attempts a minute.',
    body: ResetPassword,
    refusals: ['forbidden'],
    handler: async (request) => {
      refuseIfPasswordsAreOff(deps);
      const ended = await reset(request.body, request, languageOf(request));
      return done(withRevokedDetails('Password changed', ended));
    },
  });

  api.put('/api/auth/email', {
    auth: 'session',
    config: { attempt: { action: 'email.change', countsSuccess: true } },
    operationId: 'changeEmail',
    summary: 'Change my email',
    description:
      'Where this gallery sends mail, a link is sent to the new address, and the account has it when that is opened, ' +
      'within an hour; at most five an hour. So does the address that it has, which is confirmed by that ' +
      '(`email_confirmed` of `GET /api/auth/user`). Otherwise it is changed at once.',
    body: NewEmail,
    answer: CurrentEmail,
    refusals: ['wrongOldPassword', 'emailTaken'],
    handler: async (request) => {
      const email = await changeEmail(request.viewer, request.body, languageOf(request));
      return doneWith(deps.config.mail ? 'Open the link that was sent to the address' : 'Email changed', {
        email,
      });
    },
  });

  api.post('/api/auth/email/confirm', {
    auth: 'optional',
    config: { attempt: { action: 'email.confirm', countsSuccess: true } },
    operationId: 'confirmEmail',
    summary: 'Confirm an email by link',
    description:
      'With the token of the link that was sent there. The account has the address then; it counts as confirmed ' +
      '(`email_confirmed`) where a session of that account sends this: a link alone may have been sent for an account ' +
      'that a stranger made. At most 10 attempts a minute.',
    body: Confirmation,
    answer: ConfirmedEmail,
    refusals: ['forbidden', 'emailTaken'],
    handler: async (request) => {
      const confirmed = await confirmEmail(request.body.token, request, languageOf(request));
      return doneWith('Email confirmed', confirmed);
    },
  });
}
