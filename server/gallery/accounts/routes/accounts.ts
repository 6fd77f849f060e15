/** Sign up, in and out; the current user, the profile, the password, the avatar. */

import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { addressOf } from '../../../platform/connections/address.ts';
import type { App } from '../../../platform/http/app.ts';
import {
  dataAnswer,
  done,
  doneWith,
  failures,
  messageAnswer,
  ok,
  writeAnswer,
} from '../../../platform/http/envelope.ts';
import { fileForm } from '../../../platform/http/openapi.ts';
import { acceptForms } from '../../../platform/http/upload-form.ts';
import { viewerOf } from '../access.ts';
import { replaceAvatar } from '../avatar.ts';
import { createCheckLogin } from '../login.ts';
import { createChangePassword } from '../password.ts';
import { hashPassword } from '../passwords.ts';
import { avatarPath, presentAccount, presentCurrentUser } from '../present.ts';
import * as schema from '../schema.ts';
import { endSession, type SessionPlace, startSession } from '../sessions/sessions.ts';
import { checkFree, getUser, insertUser, updateProfile, userStats } from '../store.ts';

const tags = ['Accounts'];

export async function authRoutes(app: App, deps: Deps): Promise<void> {
  const checkLogin = createCheckLogin(deps, app.shared);
  const changePassword = createChangePassword(deps, app.shared);

  app.post(
    '/api/auth/register',
    {
      config: { auth: 'none' },
      schema: {
        operationId: 'register',
        tags,
        summary: 'Register an account',
        description:
          'Returns a token, so no login has to follow. Username and email must be unique, regardless of case.',
        body: schema.Register,
        response: {
          200: writeAnswer(schema.Registered),
          ...failures('invalid', 'usernameTaken', 'emailTaken'),
        },
      },
    },
    async (request) => {
      const { username, email, password } = request.body;
      await checkFree(deps, username, email);
      const passwordHash = await hashPassword(password, deps.config.passwordCosts);
      const user = await insertUser(deps, { username, email, passwordHash });
      const token = await startSession(deps, user, placeOf(request));
      return doneWith('Welcome', { user: presentAccount(user), token });
    },
  );

  app.post(
    '/api/auth/login',
    {
      config: { auth: 'none' },
      schema: {
        operationId: 'login',
        tags,
        summary: 'Log in',
        description:
          'By username or email. Returns a token that is valid for `expires_in` seconds. Attempts are limited per ' +
          'account and per address.',
        body: schema.Login,
        response: {
          200: writeAnswer(schema.LoggedIn),
          ...failures('invalid', 'wrongLogin', 'accountDisabled'),
        },
      },
    },
    async (request) => {
      const user = await checkLogin(request.body, addressOf(request));
      const token = await startSession(deps, user, placeOf(request));
      return doneWith('Logged in', { user: presentAccount(user), token, expires_in: deps.config.tokenTtl });
    },
  );

  app.post(
    '/api/auth/logout',
    {
      config: { auth: 'session' },
      schema: {
        operationId: 'logout',
        tags,
        summary: 'Log out',
        description: 'Revokes the token of this request; other sessions stay.',
        response: { 200: messageAnswer, ...failures('unauthenticated', 'badToken') },
      },
    },
    async (request) => {
      await endSession(deps, viewerOf(request).sessionId);
      return done('Logged out');
    },
  );

  app.get(
    '/api/auth/user',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'getCurrentUser',
        tags,
        summary: 'Get the current user',
        description:
          'Includes the fields that only the user and admins see: email, birthday, telephone number.',
        response: { 200: dataAnswer(schema.CurrentUser), ...failures('unauthenticated', 'badToken') },
      },
    },
    async (request) => {
      const { id } = viewerOf(request);
      return ok(presentCurrentUser(await getUser(deps, id), await userStats(deps, id)));
    },
  );

  app.put(
    '/api/auth/profile',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'updateProfile',
        tags,
        summary: 'Update my profile',
        description: 'Fields that are left out keep their values.',
        body: schema.Profile,
        response: {
          200: writeAnswer(schema.UpdatedProfile),
          ...failures('invalid', 'unauthenticated', 'badToken'),
        },
      },
    },
    async (request) => {
      const { id } = viewerOf(request);
      const { nickname, bio, gender, birthday, mobile } = request.body;
      await updateProfile(deps, id, { nickname, bio, gender, birthday, mobile });
      return doneWith('Profile saved', await getUser(deps, id));
    },
  );

  app.put(
    '/api/auth/password',
    {
      config: { auth: 'session' },
      schema: {
        operationId: 'changePassword',
        tags,
        summary: 'Change my password',
        description:
          'Revokes all other sessions, and with `end_keys` all API keys; `data` says how many keys remain, if any. At ' +
          'most 10 wrong attempts a minute.',
        body: schema.ChangePassword,
        response: {
          200: schema.PasswordChanged,
          ...failures('invalid', 'wrongOldPassword', 'unauthenticated', 'badToken'),
        },
      },
    },
    async (request) => {
      const keys = await changePassword(viewerOf(request), request.body);
      return keys > 0 ? doneWith('Password changed', { api_keys: keys }) : done('Password changed');
    },
  );

  await app.register(async (scope: App) => {
    await acceptForms(scope);
    scope.post(
      '/api/auth/avatar',
      {
        config: { auth: 'required', form: fileForm('AvatarForm', {}) },
        schema: {
          operationId: 'uploadAvatar',
          tags,
          summary: 'Upload my avatar',
          description: 'A picture of at most 5 MB in any accepted format; it is cut to a square.',
          consumes: ['multipart/form-data'],
          response: {
            200: writeAnswer(schema.NewAvatar),
            ...failures('invalid', 'unsupportedFormat', 'fileTooLarge', 'unauthenticated', 'badToken'),
          },
        },
      },
      async (request) => {
        const name = await replaceAvatar(deps, viewerOf(request), request);
        return doneWith('Avatar saved', { avatar: avatarPath(name) });
      },
    );
  });
}

function placeOf(request: FastifyRequest): SessionPlace {
  return { userAgent: String(request.headers['user-agent'] ?? ''), ip: addressOf(request) };
}
