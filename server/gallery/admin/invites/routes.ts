/** Defines the routes by which admins manage invites. */
import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { getBaseUrl } from '../../../platform/http/base-url.ts';
import { listPageSchema, messageResponse, resultResponse } from '../../../platform/http/envelope.ts';
import { languageOf } from '../../../platform/http/language.ts';
import { paginatedQuery } from '../../../platform/http/pagination.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { buildLinkUrl } from '../../accounts/links.ts';
import {
  createInvite,
  deleteInvite,
  listInvites,
  presentInvite,
} from '../../accounts/registration/invites.ts';
import { CreatedInviteResponse, Invite, NewInvite } from '../../accounts/registration/schema.ts';
import { createEndpointMethods } from '../../identity/endpoints.ts';
import { getActorName } from '../../moderation/audit.ts';

export async function adminInviteRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Administration');

  api.post('/api/admin/invites', {
    auth: 'admin-session',
    operationId: 'createInvite',
    summary: 'Create an invite',
    description:
      'Only this response contains the link, `/join/{token}`. The holder of the link can register, ' +
      'also if registration is by invitation (`REGISTRATION=invite`). If registration is closed, ' +
      'invites do not work. With `email`, the link is also sent to that address, if this gallery ' +
      'sends mail.',
    body: NewInvite,
    answer: CreatedInviteResponse,
    handler: async (request) => {
      const { row, token } = await createInvite(deps, request.viewer, request.body, languageOf(request));
      const username = await getActorName(deps.db.kysely, request.viewer);
      const url = buildLinkUrl(getBaseUrl(request, deps.config), 'invite', token);
      return resultResponse('Invite created', { ...presentInvite({ ...row, username }), url, token });
    },
  });

  api.get('/api/admin/invites', {
    auth: 'admin-session',
    operationId: 'listInvites',
    summary: 'List invites',
    description: 'Newest first, without the links. Expired invites are listed for a month.',
    querystring: paginatedQuery({}),
    answer: listPageSchema(Invite),
    handler: ({ query }) => listInvites(deps, query),
  });

  api.delete('/api/admin/invites/:id', {
    auth: 'admin-session',
    operationId: 'deleteInvite',
    summary: 'Revoke an invite',
    description: 'The link stops working. Accounts that registered with the invite stay.',
    params: idParams('invite'),
    refusals: ['notFound'],
    handler: async (request) => {
      await deleteInvite(deps, request.viewer, request.params.id);
      return messageResponse('Invite revoked');
    },
  });
}
