/** Defines the routes by which admins manage invites. */
import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { getBaseUrl } from '../../../platform/http/base-url.ts';
import { done, doneWith, pageSchema } from '../../../platform/http/envelope.ts';
import { languageOf } from '../../../platform/http/language.ts';
import { pageQuery } from '../../../platform/http/pagination.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { linkUrl } from '../../accounts/links.ts';
import {
  createInvite,
  deleteInvite,
  listInvites,
  presentInvite,
} from '../../accounts/registration/invites.ts';
import { CreatedInviteResponse, Invite, NewInvite } from '../../accounts/registration/schema.ts';
import { endpoints } from '../../identity/endpoints.ts';
import { getActorName } from '../../moderation/audit.ts';

export async function adminInviteRoutes(app: App, deps: Deps): Promise<void> {
  const api = endpoints(app, 'Administration');

  api.post('/api/admin/invites', {
    auth: 'admin-session',
    operationId: 'createInvite',
    summary: 'Invite somebody',
    description:
      'Answers a link, `/join/{token}`, that is told here alone. Who has it may register, also where registration is by ' +
      'invitation (`REGISTRATION=invite`); where it is closed, no invite is good. ' +
      'With `email`, it is also sent there, where this gallery sends mail.',
    body: NewInvite,
    answer: CreatedInviteResponse,
    handler: async (request) => {
      const { row, token } = await createInvite(deps, request.viewer, request.body, languageOf(request));
      const username = await getActorName(deps.db.kysely, request.viewer);
      const url = linkUrl(getBaseUrl(request, deps.config), 'invite', token);
      return doneWith('Invite made', { ...presentInvite({ ...row, username }), url, token });
    },
  });

  api.get('/api/admin/invites', {
    auth: 'admin-session',
    operationId: 'listInvites',
    summary: 'List invites',
    description: 'The latest first, without their links. Those that expired stay in it for a month.',
    querystring: pageQuery({}),
    answer: pageSchema(Invite),
    handler: ({ query }) => listInvites(deps, query),
  });

  api.delete('/api/admin/invites/:id', {
    auth: 'admin-session',
    operationId: 'deleteInvite',
    summary: 'Revoke an invite',
    description: 'Its link is good no more. Accounts that were made by it stay.',
    params: idParams('invite'),
    refusals: ['notFound'],
    handler: async (request) => {
      await deleteInvite(deps, request.viewer, request.params.id);
      return done('Invite revoked');
    },
  });
}
