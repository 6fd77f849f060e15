/** Sends the photo of a link, or the album of a link as a ZIP archive, and counts its views and downloads. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Deps } from '../../deps.ts';
import { callerKey, clientAddress, getIpAddressKey } from '../../platform/connections/address.ts';
import type { VisibilityOutsideTrash } from '../../platform/db/states.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { createSendAlbumArchive } from '../albums/archive/archive.ts';
import { testSmartAlbumRule } from '../albums/archive/smart-album-photos.ts';
import { isSmartAlbum } from '../library/albums.ts';
import { didStartDownload, sendPhoto, wereFileBytesSent } from '../photos/download.ts';
import { admitShareDownload, canResumeShareDownload, refundShareDownload } from './downloads.ts';
import { openAlbum } from './inner-albums.ts';
import type { ShareLinkServices } from './links.ts';
import {
  type AlbumShareLink,
  chooseDecidingViewer,
  hasShareAccess,
  isShareUnlocked,
  type PhotoShareLink,
  type ShareLink,
} from './open.ts';
import type { ShareDownloadQuery } from './schema.ts';

type Download = FastifyRequest<{
  Params: { token: string };
  Querystring: Static<typeof ShareDownloadQuery>;
}>;

type Send = (admit: () => Promise<void>) => Promise<FastifyReply>;

export function createSendShared(
  deps: Deps,
  { findLink, openLink }: Pick<ShareLinkServices, 'findLink' | 'openLink'>,
) {
  const sendArchive = createSendAlbumArchive(deps);

  const identifyDownload = ({ share }: ShareLink, request: FastifyRequest) => ({
    shareId: share.id,
    client: getIpAddressKey(clientAddress(request)),
  });
  /** Returns true for a range request of a photo. ZIP archives support no ranges. */
  const isRange = (link: ShareLink, { headers }: FastifyRequest) =>
    headers.range !== undefined && 'photo' in link;

  /** Returns true if the request resumes a download that has already used a view. */
  async function mayResume(link: ShareLink, request: Download): Promise<boolean> {
    if (link.share.max_views === null || request.method !== 'GET' || !isRange(link, request)) return false;
    return (
      isShareUnlocked(deps, link, request.query.access) &&
      canResumeShareDownload(deps, identifyDownload(link, request))
    );
  }

  /**
   * Sends a download through a link and counts a view if the link has limited views. No view is counted if the caller
   * has a valid access token or resumes a download. `send` calls `admit` before it sends bytes, because the link may
   * have changed since the request arrived.
   */
  async function withViewCount(link: ShareLink, request: Download, reply: FastifyReply, send: Send) {
    const download = identifyDownload(link, request);
    const { access } = request.query;
    let isTaken = false;
    const admit = async () => {
      const now = await findAgain(link);
      if (now.share.max_views === null || request.method !== 'GET' || hasShareAccess(deps, now, access))
        return;
      if (!isShareUnlocked(deps, now, access)) throw errors.sharePassword();
      isTaken = await admitShareDownload(deps, download, isRange(link, request));
    };
    try {
      return await send(admit);
    } finally {
      // The view is refunded if the caller received nothing because of an error or a disconnect.
      if (isTaken && !wereFileBytesSent(reply)) await refundShareDownload(deps, download);
    }
  }

  async function sendOne(
    link: PhotoShareLink,
    request: Download,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const find = async () => (await findAgain(link)).photo;
    try {
      return await withViewCount(link, request, reply, (admit) =>
        sendPhoto(deps, undefined, { find, admit }, request, reply),
      );
    } finally {
      if (didStartDownload(request, reply)) deps.db.counters.count('shareDownloads', link.share.id);
    }
  }

  function sendAlbum(link: AlbumShareLink, request: Download, reply: FastifyReply): Promise<FastifyReply> {
    const { album_id, kind } = request.query;
    const open = async () => openAlbum(deps, await findAgain(link), album_id);
    return withViewCount(link, request, reply, async (reserveView) => {
      const opened = await open();
      const { album, root, share } = opened;
      return sendArchive(request, reply, {
        album,
        kind,
        caller: callerKey(undefined, request),
        inner: [root.visibility as VisibilityOutsideTrash],
        getAudience: async () => ({ seer: chooseDecidingViewer(await open()), reader: undefined }),
        admit: async () => {
          if (isSmartAlbum(album)) await testSmartAlbumRule(deps, chooseDecidingViewer(opened), album);
          await reserveView();
        },
        begin: () => deps.db.counters.count('shareDownloads', share.id),
      });
    });
  }

  /**
   * Finds the link again during a long response. Throws an error if the link no longer opens or its password has
   * changed.
   */
  async function findAgain<Opened extends ShareLink>({ share }: Opened): Promise<Opened> {
    const now = await findDownloadable(share.token);
    if (now.share.password_hash !== share.password_hash) throw errors.sharePassword();
    // A link shows the same photo or album forever, so the type of the link is still correct.
    return now as Opened;
  }

  async function findDownloadable(token: string): Promise<ShareLink> {
    const link = await findLink(token);
    if (link.share.allow_download === 1) return link;
    throw errors.forbidden({ message: 'This link does not allow downloads' });
  }

  return async (request: Download, reply: FastifyReply): Promise<FastifyReply> => {
    const link = await findDownloadable(request.params.token);
    if (!(await mayResume(link, request))) await openLink(link, request.query.access, 'check');
    if ('album' in link) return sendAlbum(link, request, reply);
    if (request.query.album_id !== undefined) throw errors.shareNotFound();
    return sendOne(link, request, reply);
  };
}
