/** Lets users delete their own account, with the same result as a deletion by an admin. */

import type { Static } from 'typebox';
import type { Deps } from '../../../deps.ts';
import { foldText } from '../../../platform/db/fold.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { ValueRule } from '../../../platform/http/ajv.ts';
import type { App } from '../../../platform/http/app.ts';
import { messageResponse } from '../../../platform/http/envelope.ts';
import { nullableField } from '../../../platform/http/schema.ts';
import type { SharedLimits } from '../../../platform/http/shared-limits.ts';
import { isWithinValidity } from '../../../platform/process/clock.ts';
import { Type } from '../../../platform/schema/type.ts';
import { createConfirmPassword } from '../../accounts/confirm.ts';
import { lockUserAndAdmins } from '../../accounts/last-admin.ts';
import { lockIfPasswordUnchanged } from '../../accounts/password.ts';
import { currentPasswordField } from '../../accounts/schema.ts';
import { clearSessionCookie } from '../../identity/cookie.ts';
import { createEndpointMethods } from '../../identity/endpoints.ts';
import { getUser } from '../../identity/users.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { hideDeletedUserPhotos, markAccountDeleted } from './erase.ts';

const requirePasswordOrUsername: ValueRule = ({ password, username }: Record<string, unknown>) =>
  password == null && username == null ? { password: 'Is required, unless username is given' } : undefined;

const DeleteOwnAccount = Type.Object(
  {
    password: Type.Optional(nullableField(currentPasswordField)),
    username: Type.Optional(
      nullableField(
        Type.String({
          trims: 'blanks',
          maxLength: 100,
          description:
            'Own username, instead of the password. For accounts without a password, and for galleries ' +
            'without password sign-in. The session must have begun in the last ten minutes',
          examples: ['ansel'],
        }),
      ),
    ),
  },
  {
    title: 'Leaving',
    rule: requirePasswordOrUsername,
    examples: [{ password: 'half dome 1927' }, { username: 'ansel' }],
  },
);

export async function ownAccountRoutes(app: App, deps: Deps): Promise<void> {
  const confirmLeaving = createConfirmDeletion(deps, app.shared);

  createEndpointMethods(app, 'Accounts').delete('/api/auth/user', {
    auth: 'session',
    config: { attempt: { action: 'user.delete' } },
    operationId: 'deleteMyAccount',
    summary: 'Delete my account and its content',
    description:
      'Needs the password. An account without a password needs the username instead, in a session ' +
      'that began in the last ten minutes (10010 otherwise). The account disappears immediately, ' +
      "and its username becomes free. The account's photos, albums, comments, likes and follows are " +
      'deleted permanently in the background. The last admin cannot delete their account. `GET ' +
      '/api/auth/export` downloads all content before that.',
    body: DeleteOwnAccount,
    refusals: ['wrongOldPassword', 'signInAgain', 'lastAdmin'],
    handler: async (request, reply) => {
      const user = await confirmLeaving(request.viewer, request.body);
      await deps.db.kysely.transaction().execute(async (transaction) => {
        // Lock all admins together with the account, never the account alone, to keep the order of locks.
        await lockUserAndAdmins(transaction, user.id);
        await lockIfPasswordUnchanged(transaction, user);
        await markAccountDeleted(deps, transaction, { id: user.id }, user.id);
      });
      await hideDeletedUserPhotos(deps, user.id);
      if (request.viewer.hasCookie) clearSessionCookie(request, reply, deps.config);
      return messageResponse('Your account was deleted');
    },
  });
}

/**
 * Seconds that a session without a password counts as fresh. The time is enough to decide, and short enough to
 * assume the same person.
 */
const freshSessionSeconds = 600;

/**
 * Returns a function that confirms the deletion of the own account. Users confirm with their password. An account
 * without a usable password needs a fresh session and the typed username, so that a single click is not enough.
 */
function createConfirmDeletion(deps: Deps, shared: SharedLimits) {
  const confirm = createConfirmPassword(deps, shared);
  return async (
    viewer: Viewer,
    { password, username }: Static<typeof DeleteOwnAccount>,
  ): Promise<UserRow> => {
    if (password != null) return confirm(viewer, password);
    const user = await getUser(deps, viewer.id);
    if (user.password_hash !== '' && deps.config.passwordLogin) return confirm(viewer, '');
    if (username == null || foldText(username) !== foldText(user.username)) {
      throw errors.invalid({ fields: { username: ['Is not your username'] } });
    }
    const { create_time } = await getSession(deps, viewer.sessionId);
    if (!isWithinValidity(create_time + freshSessionSeconds, deps.clock(), freshSessionSeconds))
      throw errors.signInAgain();
    return user;
  };
}

/** Returns when the viewer's session was created. Throws badToken if the session has ended meanwhile. */
async function getSession({ db }: Deps, id: number): Promise<{ create_time: number }> {
  const session = await db.kysely
    .selectFrom('sessions')
    .select('create_time')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!session) throw errors.badToken();
  return session;
}
