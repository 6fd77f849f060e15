/** Accounts, for admins. */

import type { Deps } from '../../../deps.ts';
import type { Job } from '../../../platform/concurrency/job.ts';
import type { App } from '../../../platform/http/app.ts';
import {
  done,
  doneWith,
  failures,
  messageAnswer,
  ok,
  pageAnswer,
  writeAnswer,
} from '../../../platform/http/envelope.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { viewerOf } from '../../accounts/access.ts';
import { deleteUser } from '../erase/erase.ts';
import { changeUser } from './change.ts';
import { AdminUser, UsersQuery, UserUpdate } from './schema.ts';
import { listUsers, readUser } from './users.ts';

const tags = ['Administration'];
const params = idParams('user');
const adminOnly = ['unauthenticated', 'badToken', 'forbidden'] as const;

export async function adminUserRoutes(app: App, deps: Deps, eraser: Job): Promise<void> {
  app.get(
    '/api/admin/users',
    {
      config: { auth: 'admin-session' },
      schema: {
        operationId: 'adminListUsers',
        tags,
        summary: 'List accounts',
        description: 'Includes the fields that only admins see: email, quota, the time of the last visit.',
        querystring: UsersQuery,
        response: { 200: pageAnswer(AdminUser), ...failures('invalid', ...adminOnly) },
      },
    },
    async ({ query }) => ok(await listUsers(deps, query)),
  );

  app.put(
    '/api/admin/users/:id',
    {
      config: { auth: 'admin-session' },
      schema: {
        operationId: 'adminUpdateUser',
        tags,
        summary: 'Update an account',
        description:
          'Fields that are left out keep their values. Disabling and a new password revoke all sessions of the ' +
          'account; API keys stay, unless `end_keys` is true, and are refused while it is disabled. Other users stop ' +
          "seeing a disabled account's photos, albums and links at once, and see them again when it is enabled; totals " +
          'follow in the background. The last admin can be neither demoted nor disabled.',
        params,
        body: UserUpdate,
        response: {
          200: writeAnswer(AdminUser),
          ...failures('invalid', 'userNotFound', 'lastAdmin', ...adminOnly),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      await changeUser(deps, viewerOf(request), id, request.body);
      if (request.body.status !== undefined) eraser.start();
      return doneWith('User saved', await readUser(deps, id));
    },
  );

  app.delete(
    '/api/admin/users/:id',
    {
      config: { auth: 'admin-session' },
      schema: {
        operationId: 'adminDeleteUser',
        tags,
        summary: 'Delete an account and its content',
        description:
          'It disappears from every list at once and its name is free; its photos, albums, comments, likes and ' +
          'follows are deleted permanently in the background. The last admin cannot be deleted.',
        params,
        response: {
          200: messageAnswer,
          ...failures('invalid', 'userNotFound', 'lastAdmin', ...adminOnly),
        },
      },
    },
    async (request) => {
      await deleteUser(deps, viewerOf(request), request.params.id);
      eraser.start();
      return done('User deleted');
    },
  );
}
