/** Defines the routes by which admins manage accounts. */

import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { getBaseUrl } from '../../../platform/http/base-url.ts';
import { listPageSchema, messageResponse, resultResponse } from '../../../platform/http/envelope.ts';
import { languageOf } from '../../../platform/http/language.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { appendRevokedCounts } from '../../accounts/keys/revoke-access.ts';
import { buildLinkUrl, oneTimeLinkLifetime } from '../../accounts/links.ts';
import { checkNewPassword } from '../../accounts/password-rules.ts';
import { createEndpointMethods } from '../../identity/endpoints.ts';
import { createPasswordHashing } from '../../identity/passwords.ts';
import { deleteUser } from '../erase/erase.ts';
import { changeUser } from './change.ts';
import { endUserSessions } from './end-sessions.ts';
import { createPasswordResetLink } from './reset-link.ts';
import { AdminUser, AdminUsersQuery, AdminUserUpdate, PasswordResetLink } from './schema.ts';
import { listUsers, readUser } from './users.ts';

const params = idParams('user');

export async function adminUserRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Administration');
  const passwords = createPasswordHashing(deps, app.shared);

  api.get('/api/admin/users', {
    auth: 'admin-session',
    operationId: 'adminListUsers',
    summary: 'List accounts',
    description: 'Includes the fields that only admins see: email, quota, time of the last visit.',
    querystring: AdminUsersQuery,
    answer: listPageSchema(AdminUser),
    handler: ({ viewer, query }) => listUsers(deps, viewer, query),
  });

  api.put('/api/admin/users/:id', {
    auth: 'admin-session',
    operationId: 'adminUpdateUser',
    summary: 'Update an account',
    description:
      'Fields that are left out keep their values. Disabling the account or setting a password ' +
      'revokes all its sessions. API keys, passkeys and the connection with the OpenID provider ' +
      'stay, unless `end_keys` is true. A disabled account cannot use any of these. Other users immediately ' +
      'stop seeing the photos, albums and links of a disabled account, and see them again when it ' +
      'is enabled. Totals follow in the background. The last admin cannot be demoted or disabled.',
    params,
    body: AdminUserUpdate,
    answer: AdminUser,
    refusals: ['userNotFound', 'lastAdmin'],
    handler: async (request) => {
      const { id } = request.params;
      const { password, ...change } = request.body;
      if (password !== undefined) await checkNewPassword(deps, password, await readUser(deps, id));
      // Hash the password before the transaction, because hashing is slow.
      const passwordHash = password === undefined ? undefined : await passwords.hash(password);
      const wanted = { ...change, passwordHash };
      const ended = await changeUser(deps, request.viewer, id, wanted, languageOf(request));
      return resultResponse(
        appendRevokedCounts('User saved', ended),
        await readUser(deps, id, request.viewer),
      );
    },
  });

  api.post('/api/admin/users/:id/reset-link', {
    auth: 'admin-session',
    operationId: 'adminMakeResetLink',
    summary: 'Create a password reset link',
    description:
      'For a user who forgot the password, also if this gallery sends no mail. Only this response ' +
      'contains the link, which works once, within an hour. Send the link to the user yourself. ' +
      'Refused if signing in with a password is turned off (`sign_in` of `GET /api/site`).',
    params,
    answer: PasswordResetLink,
    refusals: ['userNotFound'],
    handler: async (request) => {
      const token = await createPasswordResetLink(deps, request.viewer, request.params.id);
      const url = buildLinkUrl(getBaseUrl(request, deps.config), 'reset', token);
      return resultResponse('Link created', { url, expires_in: oneTimeLinkLifetime });
    },
  });

  api.delete('/api/admin/users/:id/sessions', {
    auth: 'admin-session',
    operationId: 'adminEndSessions',
    summary: 'Revoke all sessions of an account',
    description:
      'The user is signed out everywhere immediately, and can sign in again. API keys stay valid; ' +
      '`PUT /api/admin/users/{id}` with `end_keys` deletes them. Admins can also revoke their own ' +
      'sessions.',
    params,
    refusals: ['userNotFound'],
    handler: async (request) => {
      await endUserSessions(deps, request.viewer, request.params.id);
      return messageResponse('All sessions revoked');
    },
  });

  api.delete('/api/admin/users/:id', {
    auth: 'admin-session',
    operationId: 'adminDeleteUser',
    summary: 'Delete an account and its content',
    description:
      'The account disappears from every list immediately, and its username becomes free. The ' +
      "account's photos, albums, comments, likes and follows are deleted permanently in the " +
      'background. The last admin cannot be deleted.',
    params,
    refusals: ['userNotFound', 'lastAdmin'],
    handler: async (request) => {
      await deleteUser(deps, request.viewer, request.params.id);
      return messageResponse('User deleted');
    },
  });
}
