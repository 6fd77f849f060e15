/** Route to download all data of the signed-in user. */
import type { Deps } from '../../deps.ts';
import { sendZipArchive } from '../../gallery/albums/archive/archive.ts';
import { createEndpointMethods } from '../../gallery/identity/endpoints.ts';
import { getUser } from '../../gallery/identity/users.ts';
import { callerKey } from '../../platform/connections/address.ts';
import type { App } from '../../platform/http/app.ts';
import { yieldExportArchiveEntries } from './export/archive.ts';

export async function exportRoutes(app: App, deps: Deps): Promise<void> {
  createEndpointMethods(app, 'Accounts').get('/api/auth/export', {
    auth: 'required',
    config: { produces: ['application/zip'] },
    operationId: 'exportAccount',
    summary: 'Export all my data',
    description:
      'Returns a ZIP of all my originals in folders of albums, with a JSON file of metadata for ' +
      'each. The ZIP has the format of `lightwell export`, which `lightwell import` can read. The ' +
      'ZIP also contains my profile, avatar, likes, favorites, comments, follows and shares. Photos ' +
      'in the trash are in the folder `Trash`. Photos that I cannot see are listed by id only. The ' +
      'archive is created while it is sent, without `Content-Length`, and ends early when the ' +
      'session ends. `missing.txt` lists originals that are missing.',
    refusals: ['busy'],
    handler: async (request, reply) => {
      const user = await getUser(deps, request.viewer.id);
      const whose = { name: user.username, caller: callerKey(request.viewer, request) };
      return sendZipArchive(request, reply, whose, () =>
        yieldExportArchiveEntries(deps, user, () => request.confirmViewer()),
      );
    },
  });
}
