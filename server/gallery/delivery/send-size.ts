/**
 * Sends a size and renders it first if it does not exist yet. Redirects to the preview if the size cannot be
 * rendered now, or if it has more bytes than the image's file.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requestCaller } from '../../platform/connections/address.ts';
import { logLevelFor } from '../../platform/db/dialect.ts';
import { ApiError, errorCatalogue } from '../../platform/errors/catalogue.ts';
import { toApiError } from '../../platform/http/error-handler.ts';
import { AbandonedJobError, ImageError, QueueFullError } from '../../platform/imaging/errors.ts';
import { objectName } from '../../platform/storage/keys.ts';
import type { ImageRequester } from './access.ts';
import type { ImageAccessRow } from './image-rows.ts';
import { createRenderStoredSize } from './make-size.ts';
import { type RenditionCache, sendRendition } from './renditions.ts';
import type { RecheckAccess } from './send.ts';
import { signRelatedImage } from './signatures.ts';
import { clearRenderedSizes } from './size-rows.ts';
import { buildSizeName, isSizeOversized, type RenderedSizeSpec } from './sizes.ts';

export interface ImageSizeToSend {
  request: FastifyRequest;
  reply: FastifyReply;
  image: ImageAccessRow;
  size: RenderedSizeSpec;
  /** Checks access again after the size was rendered, which may take a minute. */
  decide: RecheckAccess;
}

export function createSendImageSize(deps: Deps, renditions: RenditionCache) {
  const makeSize = createRenderStoredSize(deps, renditions);

  /**
   * Sends a size to a requester who had access before the wait. `isLost` means that the object of the size is
   * missing although the image's row has the size.
   */
  return async (
    asked: ImageSizeToSend,
    requester: ImageRequester,
    isLost: boolean,
  ): Promise<FastifyReply> => {
    const { request, reply, image, size, decide } = asked;
    const name = buildSizeName(image.key, size);
    if (isSizeOversized(image, size)) return sendPreview(deps, asked, requester);
    try {
      if (isLost) await clearRenderedSizes(deps, image.key, [size]);
      const outcome = await makeSize(image, size, requestCaller(requester.viewer, request));
      if (outcome === 'oversized') return sendPreview(deps, asked, requester);
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (!(error instanceof QueueFullError || error instanceof AbandonedJobError)) {
        deps.log[levelOfSize(error)]({ err: error, name }, 'an image size could not be created');
      }
      return sendPreview(deps, asked, requester);
    }
    return sendRendition(request, reply, { renditions, deps, object: await decide(), decide });
  };
}

/**
 * Returns whether the preview can replace a size after this error: a full queue, no disk space, or a picture that
 * needs too many resources.
 */
function isTransient(error: unknown): boolean {
  const { status } = toApiError(error);
  const isRefused = status === errorCatalogue.busy.status || status === errorCatalogue.noSpace.status;
  const isOurs = error instanceof ApiError && error.status >= 500;
  return isRefused || isOurs || error instanceof AbandonedJobError || error instanceof ImageError;
}

/**
 * Returns the log level of a failed size. A picture too large for the server's memory is only a warning. A picture
 * that does not decode is an error, because its upload succeeded.
 */
function levelOfSize(error: unknown): 'warn' | 'error' {
  return error instanceof ImageError && error.reason === 'too-large' ? 'warn' : logLevelFor(error);
}

/**
 * Redirects to the preview. The URL is relative, so that it works behind a proxy that adds a path prefix.
 * Clients do not cache the redirect, because the size may exist at the next request.
 */
function sendPreview(
  { secret }: Deps,
  { reply, image }: ImageSizeToSend,
  { grant }: ImageRequester,
): FastifyReply {
  const preview = objectName(image.key, 'preview', image.preview_extension);
  reply.header('cache-control', 'no-store');
  return reply.redirect(preview + (grant ? signRelatedImage(grant, preview, secret) : ''), 302);
}
