/**
 * Defines the routes for registration, sign-in and sign-out, and for the current user's profile, password, avatar
 * and sessions.
 */

import type { Deps } from '../../deps.ts';
import { clientAddress, getIpAddressKey } from '../../platform/connections/address.ts';
import type { App } from '../../platform/http/app.ts';
import { listPageSchema, messageResponse, resultResponse } from '../../platform/http/envelope.ts';
import { languageOf } from '../../platform/http/language.ts';
import { paginatedQuery } from '../../platform/http/pagination.ts';
import { fileFormSchema, idParams } from '../../platform/http/schema.ts';
import { acceptForms } from '../../platform/http/upload-form.ts';
import { createViewerPathSigner } from '../delivery/paths.ts';
import { clearSessionCookie, refuseCrossOriginPages } from '../identity/cookie.ts';
import { createEndpointMethods } from '../identity/endpoints.ts';
import { avatarPath } from '../identity/present.ts';
import { deleteSession, deleteSessions } from '../identity/sessions.ts';
import { getUser } from '../identity/users.ts';
import { replaceAvatar, setAvatar } from './avatar.ts';
import { presentCurrentUser, userStats } from './current-user.ts';
import { requireSecondFactor } from './factor/second-step.ts';
import { appendRevokedCounts } from './keys/revoke-access.ts';
import { createCheckLogin } from './login.ts';
import { createChangePassword } from './password.ts';
import { createRegisterAccount } from './registration/register.ts';
import * as schema from './schema.ts';
import { listSessions, revokeOwnSession } from './sessions/own.ts';
import { createSignIn, refuseIfPasswordsAreOff } from './sessions/sign-in.ts';
import { createFinishSetup } from './setup.ts';
import { updateProfile } from './store.ts';

export async function authRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Accounts');
  const checkLogin = createCheckLogin(deps, app.shared);
  const changePassword = createChangePassword(deps, app.shared);
  const setup = createFinishSetup(deps, app.shared);
  const registerUser = createRegisterAccount(deps, app.shared);
  const signIn = createSignIn(deps);

  api.post('/api/auth/register', {
    auth: 'none',
    config: { openToVisitors: true, attempt: { action: 'user.create', countsSuccess: true } },
    operationId: 'register',
    summary: 'Register an account',
    description:
      'Returns a token, so no sign-in is needed. With `cookie`, the token is set as a cookie instead. ' +
      'Username and email must be unique, regardless of case. With `setup`, the code of the setup ' +
      'link, the first account becomes the admin. An invalid code is refused with 403. At most 10 ' +
      'attempts a minute. If registration is by invitation (`GET /api/site`), `invite` is required. ' +
      'An invalid invite is refused with 10007. Registration is also refused with 10007 if accounts ' +
      'are created only by the OpenID provider.',
    body: schema.RegistrationRequest,
    answer: schema.RegistrationResponse,
    refusals: ['usernameTaken', 'emailTaken', 'forbidden', 'registrationClosed'],
    handler: async (request, reply) => {
      if (request.body.cookie) refuseCrossOriginPages(request, deps.config);
      const user = await registerUser(request.body, getIpAddressKey(clientAddress(request)));
      return resultResponse('Welcome', await signIn(user, request, reply, request.body.cookie === true));
    },
  });

  api.post('/api/auth/setup', {
    auth: 'session',
    config: { attempt: { action: 'setup.use' } },
    operationId: 'becomeFirstAdmin',
    summary: 'Become the first admin',
    description:
      'For a user who already has an account. Needs the code of the setup link that the server ' +
      'prints at its start while the gallery has no admin. At most 10 attempts a minute.',
    body: schema.SetupRequest,
    refusals: ['forbidden'],
    handler: async (request) => {
      const { setup: code, access } = request.body;
      await setup.check(code, getIpAddressKey(clientAddress(request)));
      await setup.promote({ code, access }, await getUser(deps, request.viewer.id));
      return messageResponse('You are now the admin');
    },
  });

  api.post('/api/auth/login', {
    auth: 'none',
    config: { openToVisitors: true, attempt: { action: 'login.password', countsSuccess: true } },
    operationId: 'login',
    summary: 'Sign in',
    description:
      'Needs a username or an email. Returns a token that is valid for `expires_in` seconds. With ' +
      '`cookie`, the token is set as a cookie instead. Attempts are limited per account and per ' +
      'address. An account with two-step verification is refused with 10008 and a `challenge` for `POST ' +
      '/api/auth/login/second`.',
    body: schema.Login,
    answer: schema.LoginResponse,
    refusals: ['wrongLogin', 'secondFactor', 'accountDisabled', 'forbidden'],
    handler: async (request, reply) => {
      refuseIfPasswordsAreOff(deps);
      if (request.body.cookie) refuseCrossOriginPages(request, deps.config);
      const user = await checkLogin(request.body, clientAddress(request), request.attempt);
      await requireSecondFactor(deps, user);
      return resultResponse('Signed in', await signIn(user, request, reply, request.body.cookie === true));
    },
  });

  api.post('/api/auth/logout', {
    auth: 'session',
    config: { attempt: { action: 'session.delete', countsSuccess: true } },
    operationId: 'logout',
    summary: 'Sign out',
    description: 'Revokes the token of this request and deletes its cookie. Other sessions stay valid.',
    handler: async (request, reply) => {
      await deleteSession(deps, request.viewer.sessionId);
      if (request.viewer.hasCookie) clearSessionCookie(request, reply, deps.config);
      return messageResponse('Signed out');
    },
  });

  api.get('/api/auth/user', {
    auth: 'required',
    operationId: 'getCurrentUser',
    summary: 'Get the current user',
    description: 'Includes the fields that only the user and admins see: email, birthday, phone number.',
    answer: schema.CurrentUser,
    handler: async (request) => {
      const { viewer } = request;
      const user = await getUser(deps, viewer.id);
      return presentCurrentUser(user, await userStats(deps, viewer), createViewerPathSigner(deps, viewer));
    },
  });

  api.put('/api/auth/profile', {
    auth: 'required',
    operationId: 'updateProfile',
    summary: 'Update my profile',
    description: 'Fields that are left out keep their values.',
    body: schema.ProfileUpdate,
    answer: schema.UpdatedProfile,
    handler: async (request) => {
      const { id } = request.viewer;
      const { nickname, bio, gender, birthday, mobile } = request.body;
      await updateProfile(deps, id, { nickname, bio, gender, birthday, mobile });
      return resultResponse('Profile saved', await getUser(deps, id));
    },
  });

  api.put('/api/auth/password', {
    auth: 'session',
    config: { attempt: { action: 'password.change' } },
    operationId: 'changePassword',
    summary: 'Change my password',
    description:
      'Revokes all other sessions. With `end_keys`, also deletes all API keys and passkeys, and the ' +
      'connection with the OpenID provider. `data` has the number of API keys that stay valid, if ' +
      'there are any. At most 10 wrong attempts a minute.',
    body: schema.PasswordChange,
    envelope: schema.PasswordChangeResponse,
    refusals: ['wrongOldPassword'],
    handler: async (request) => {
      const { left, ended } = await changePassword(request.viewer, request.body, languageOf(request));
      const message = appendRevokedCounts('Password changed', ended);
      return left > 0 ? resultResponse(message, { api_keys: left }) : messageResponse(message);
    },
  });

  api.delete('/api/auth/avatar', {
    auth: 'required',
    operationId: 'deleteAvatar',
    summary: 'Remove my avatar',
    description: 'Changes nothing if there is no avatar.',
    handler: async (request) => {
      await setAvatar(deps, request.viewer.id, '');
      return messageResponse('Avatar removed');
    },
  });

  await app.register(async (scope: App) => {
    await acceptForms(scope);
    createEndpointMethods(scope, 'Accounts').post('/api/auth/avatar', {
      auth: 'required',
      config: { form: fileFormSchema('AvatarForm', {}) },
      operationId: 'uploadAvatar',
      summary: 'Upload my avatar',
      description:
        'Needs a picture of at most 5 MB in any accepted format. The picture is cropped to a square.',
      answer: schema.AvatarResponse,
      refusals: ['unsupportedFormat', 'fileTooLarge'],
      handler: async (request) => {
        const name = await replaceAvatar(deps, request.viewer, request);
        return resultResponse('Avatar saved', {
          avatar: avatarPath(name, createViewerPathSigner(deps, request.viewer)),
        });
      },
    });
  });

  api.get('/api/auth/sessions', {
    auth: 'session',
    operationId: 'listSessions',
    summary: 'List my sessions',
    description: 'Newest first.',
    querystring: paginatedQuery({}),
    answer: listPageSchema(schema.Session),
    handler: ({ viewer, query }) => listSessions(deps, viewer, query),
  });

  api.delete('/api/auth/sessions', {
    auth: 'session',
    config: { attempt: { action: 'session.delete', countsSuccess: true } },
    operationId: 'endOtherSessions',
    summary: 'Revoke all other sessions',
    description:
      'The tokens of the other sessions stop working immediately. The session of this request and ' +
      'API keys stay valid.',
    handler: async ({ viewer }) => {
      await deleteSessions(deps.db.kysely, viewer.id, viewer.sessionId);
      return messageResponse('Signed out of all other sessions');
    },
  });

  api.delete('/api/auth/sessions/:id', {
    auth: 'session',
    config: { attempt: { action: 'session.delete', countsSuccess: true } },
    operationId: 'endSession',
    summary: 'Revoke a session',
    description:
      'The token of the session stops working immediately. The current session can be revoked, too.',
    params: idParams('session'),
    refusals: ['notFound'],
    handler: async (request) => {
      await revokeOwnSession(deps, request.viewer, request.params.id);
      return messageResponse('Session revoked');
    },
  });
}
