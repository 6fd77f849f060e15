/** Defines the routes by which admins manage accounts. */

import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { getBaseUrl } from '../../../platform/http/base-url.ts';
import { done, doneWith, pageSchema } from '../../../platform/http/envelope.ts';
import { languageOf } from '../../../platform/http/language.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { withRevokedDetails } from '../../accounts/keys/revoke-access.ts';
import { linkLifetime, linkUrl } from '../../accounts/links.ts';
import { checkNewPassword } from '../../accounts/password-rules.ts';
import { endpoints } from '../../identity/endpoints.ts';
import { createPasswords } from '../../identity/passwords.ts';
import { deleteUser } from '../erase/erase.ts';
import { changeUser } from './change.ts';
import { endUserSessions } from './end-sessions.ts';
import { makeResetLink } from './reset-link.ts';
import { AdminUser, ResetLink, UsersQuery, UserUpdate } from './schema.ts';
import { listUsers, readUser } from './users.ts';

const params = idParams('user');

export async function adminUserRoutes(app: App, deps: Deps): Promise<void> {
  const api = endpoints(app, 'Administration');
  const passwords = createPasswords(deps, app.shared);

  api.get('/api/admin/users', {
    auth: 'admin-session',
    operationId: 'adminListUsers',
    summary: 'List accounts',
    description: 'Includes the fields that only admins see: email, quota, the time of the last visit.',
    querystring: UsersQuery,
    answer: pageSchema(AdminUser),
    handler: ({ query }) => listUsers(deps, query),
  });

  api.put('/api/admin/users/:id', {
    auth: 'admin-session',
    operationId: 'adminUpdateUser',
    summary: 'Update an account',
    description:
      'Fields that are left out keep their values. Disabling and a new password revoke all sessions of the ' +
      'account; API keys, passkeys and the tie to the OpenID provider stay, unless `end_keys` is true, and are refused while ' +
      'it is disabled. Other users stop ' +
      "seeing a disabled account's photos, albums and links at once, and see them again when it is enabled; totals " +
      'follow in the background. The last admin can be neither demoted nor disabled.',
    params,
    body: UserUpdate,
    answer: AdminUser,
    refusals: ['userNotFound', 'lastAdmin'],
    handler: async (request) => {
      const { id } = request.params;
      const { password, ...change } = request.body;
      if (password !== undefined) checkNewPassword(deps.config, password, await readUser(deps, id));
      // Hash the password before the transaction, because hashing is slow.
      const passwordHash = password === undefined ? undefined : await passwords.hash(password);
      const wanted = { ...change, passwordHash };
      const ended = await changeUser(deps, request.viewer, id, wanted, languageOf(request));
      return doneWith(withRevokedDetails('User saved', ended), await readUser(deps, id));
    },
  });

  api.post('/api/admin/users/:id/reset-link', {
    auth: 'admin-session',
    operationId: 'adminMakeResetLink',
    summary: 'Make a link to a new password',
    description:
      'For an account whose owner forgot the password, also where this gallery sends no mail: hand it on yourself. It ' +
      'works once, for an hour, and is told here alone. Refused where passwords do not sign in (`GET /api/site`: ' +
      '`sign_in`).',
    params,
    answer: ResetLink,
    refusals: ['userNotFound'],
    handler: async (request) => {
      const token = await makeResetLink(deps, request.viewer, request.params.id);
      const url = linkUrl(getBaseUrl(request, deps.config), 'reset', token);
      return doneWith('Link made', { url, expires_in: linkLifetime });
    },
  });

  api.delete('/api/admin/users/:id/sessions', {
    auth: 'admin-session',
    operationId: 'adminEndSessions',
    summary: 'Revoke all sessions of an account',
    description:
      'Its owner is signed out everywhere at once, and may sign in again. API keys stay: `PUT /api/admin/users/{id}` ' +
      'with `end_keys` ends them. One may do this to oneself, too.',
    params,
    refusals: ['userNotFound'],
    handler: async (request) => {
      await endUserSessions(deps, request.viewer, request.params.id);
      return done('Signed out everywhere');
    },
  });

  api.delete('/api/admin/users/:id', {
    auth: 'admin-session',
    operationId: 'adminDeleteUser',
    summary: 'Delete an account and its content',
    description:
      'It disappears from every list at once and its name is free; its photos, albums, comments, likes and ' +
      'follows are deleted permanently in the background. The last admin cannot be deleted.',
    params,
    refusals: ['userNotFound', 'lastAdmin'],
    handler: async (request) => {
      await deleteUser(deps, request.viewer, request.params.id);
      return done('User deleted');
    },
  });
}
