/** Route to download all data of the signed-in user. */
import type { Deps } from '../../deps.ts';
import { sendZip } from '../../gallery/albums/archive/archive.ts';
import { endpoints } from '../../gallery/identity/endpoints.ts';
import { getUser } from '../../gallery/identity/users.ts';
import { callerKey } from '../../platform/connections/address.ts';
import type { App } from '../../platform/http/app.ts';
import { archiveEntries } from './export/archive.ts';

export async function exportRoutes(app: App, deps: Deps): Promise<void> {
  endpoints(app, 'Accounts').get('/api/auth/export', {
    auth: 'required',
    config: { produces: ['application/zip'] },
    operationId: 'exportAccount',
    summary: 'Download everything of mine',
    description:
      'A ZIP of all my originals in folders of albums, each with a JSON file of what is known of it, as `lightwell ' +
      'export` writes them and `lightwell import` reads them back, with my profile, avatar, likes, favorites, comments, ' +
      'follows and shares; what is in the trash lies in `Trash`. Of photos that I do not see it has ids alone. It is made ' +
      'while it is sent, without `Content-Length`; it ends early when the session ends. `missing.txt` in it names originals that are lost.',
    refusals: ['busy'],
    handler: async (request, reply) => {
      const user = await getUser(deps, request.viewer.id);
      const whose = { name: user.username, caller: callerKey(request.viewer, request) };
      return sendZip(request, reply, whose, () => archiveEntries(deps, user, () => request.confirmViewer()));
    },
  });
}
