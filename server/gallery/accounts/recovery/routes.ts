/** Defines the routes to reset a forgotten password and to change the email address. */
import type { Deps } from '../../../deps.ts';
import { clientAddress, getIpAddressKey } from '../../../platform/connections/address.ts';
import type { App } from '../../../platform/http/app.ts';
import { messageResponse, resultResponse } from '../../../platform/http/envelope.ts';
import { languageOf } from '../../../platform/http/language.ts';
import { createEndpointMethods } from '../../identity/endpoints.ts';
import { appendRevokedCounts } from '../keys/revoke-access.ts';
import { refuseIfPasswordsAreOff } from '../sessions/sign-in.ts';
import { createChangeEmail, createConfirmEmail } from './email.ts';
import { createRequestPasswordReset, createResetPassword } from './reset-password.ts';
import {
  ConfirmedEmail,
  CurrentEmail,
  EmailChange,
  EmailConfirmation,
  PasswordReset,
  PasswordResetRequest,
} from './schema.ts';

export async function recoveryRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Accounts');
  const forgot = createRequestPasswordReset(deps, app.shared);
  const reset = createResetPassword(deps, app.shared);
  const changeEmail = createChangeEmail(deps, app.shared);
  const confirmEmail = createConfirmEmail(deps, app.shared);

  api.post('/api/auth/forgot', {
    auth: 'none',
    config: { openToVisitors: true, attempt: { action: 'password.forgot', countsSuccess: true } },
    operationId: 'forgotPassword',
    summary: 'Request a password reset link',
    description:
      'Sends a reset link to the email if an account uses it. The response and its delay are the ' +
      'same in either case. At most 10 requests a minute, 3 a minute for one email, and 5 links an ' +
      'hour. Refused with 403 if this gallery sends no mail (`mail` of `GET /api/site`).',
    body: PasswordResetRequest,
    refusals: ['forbidden'],
    handler: async (request) => {
      refuseIfPasswordsAreOff(deps);
      request.attempt.email = request.body.email;
      await forgot(request.body.email, getIpAddressKey(clientAddress(request)), languageOf(request));
      return messageResponse('If an account uses this email, a link was sent');
    },
  });

  api.post('/api/auth/reset', {
    auth: 'none',
    config: { openToVisitors: true, attempt: { action: 'password.reset', countsSuccess: true } },
    operationId: 'resetPassword',
    summary: 'Reset my password with a link',
    description:
      'Needs the token of a reset link, which works once, within an hour. Revokes all sessions. ' +
      'With `end_keys`, also deletes all API keys and passkeys, and the connection with the OpenID ' +
      'provider. At most 10 attempts a minute.',
    body: PasswordReset,
    refusals: ['forbidden'],
    handler: async (request) => {
      refuseIfPasswordsAreOff(deps);
      const ended = await reset(request.body, request, languageOf(request));
      return messageResponse(appendRevokedCounts('Password changed', ended));
    },
  });

  api.put('/api/auth/email', {
    auth: 'session',
    config: { attempt: { action: 'email.change', countsSuccess: true } },
    operationId: 'changeEmail',
    summary: 'Change my email',
    description:
      'If this gallery sends mail, a link is sent to the new email. The email changes when that ' +
      'link is opened within an hour. At most five links an hour are sent. A request with the ' +
      'current email sends a link that confirms the email (`email_confirmed` of `GET ' +
      '/api/auth/user`). If the gallery sends no mail, the email changes immediately.',
    body: EmailChange,
    answer: CurrentEmail,
    refusals: ['wrongOldPassword', 'emailTaken'],
    handler: async (request) => {
      const email = await changeEmail(request.viewer, request.body, languageOf(request));
      return resultResponse(
        deps.config.mail ? 'Open the link that was sent to the new email' : 'Email changed',
        {
          email,
        },
      );
    },
  });

  api.post('/api/auth/email/confirm', {
    auth: 'optional',
    config: { openToVisitors: true, attempt: { action: 'email.confirm', countsSuccess: true } },
    operationId: 'confirmEmail',
    summary: 'Confirm an email with a link',
    description:
      'Needs the token of the link that was sent to the email. The account then uses that email. ' +
      'The email counts as confirmed (`email_confirmed`) only if the request is sent in a session ' +
      'of the account. Without a session, the link may belong to an account that a stranger ' +
      'created. At most 10 attempts a minute.',
    body: EmailConfirmation,
    answer: ConfirmedEmail,
    refusals: ['forbidden', 'emailTaken'],
    handler: async (request) => {
      const confirmed = await confirmEmail(request.body.token, request, languageOf(request));
      return resultResponse('Email confirmed', confirmed);
    },
  });
}
