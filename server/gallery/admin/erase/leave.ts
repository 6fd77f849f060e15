/** Leaving: a user deletes the account, as an admin would. */
import type { Deps } from '../../../deps.ts';
import type { Job } from '../../../platform/concurrency/job.ts';
import type { App } from '../../../platform/http/app.ts';
import { done } from '../../../platform/http/envelope.ts';
import { Type } from '../../../platform/schema/type.ts';
import { createConfirm } from '../../accounts/confirm.ts';
import { endpoints } from '../../accounts/endpoints.ts';
import { lockAmongAdmins } from '../../accounts/last-admin.ts';
import { lockProven } from '../../accounts/password.ts';
import { givenPassword } from '../../accounts/schema.ts';
import { clearSessionCookie } from '../../accounts/sessions/cookie.ts';
import { hideSoon, markDeleted } from './erase.ts';

const Leaving = Type.Object({ password: givenPassword }, { title: 'Leaving' });

export async function leavingRoutes(app: App, deps: Deps, eraser: Job): Promise<void> {
  const confirm = createConfirm(deps, app.shared);

  endpoints(app, 'Accounts').delete('/api/auth/user', {
    auth: 'session',
    config: { attempt: { action: 'user.delete' } },
    operationId: 'deleteMyAccount',
    summary: 'Delete my account and its content',
    description:
      'With the password. As when an admin does it: the account disappears at once and its name is free; its photos, ' +
      'albums, comments, likes and follows are deleted permanently in the background. The last admin cannot leave. ' +
      '`GET /api/auth/export` before that gives everything to take along.',
    body: Leaving,
    refusals: ['wrongOldPassword', 'lastAdmin'],
    handler: async (request, reply) => {
      const user = await confirm(request.viewer, request.body.password);
      await deps.db.kysely.transaction().execute(async (transaction) => {
        // The order of locks: all admins with the account, never the account alone.
        await lockAmongAdmins(transaction, user.id);
        await lockProven(transaction, user);
        await markDeleted(deps, transaction, { id: user.id }, user.id);
      });
      await hideSoon(deps, user.id);
      eraser.start();
      if (request.viewer.hasCookie) clearSessionCookie(request, reply, deps.config);
      return done('Your account was deleted');
    },
  });
}
