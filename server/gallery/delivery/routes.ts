/**
 * Defines the route `/storage/{name}`, which sends the bytes of images. Each request checks the database rows for
 * access.
 */

import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { ApiError, errors } from '../../platform/errors/catalogue.ts';
import type { App } from '../../platform/http/app.ts';
import { errorResponseSchemas } from '../../platform/http/envelope.ts';
import { createSetCorsHeader } from '../../platform/http/security.ts';
import { parseObjectName } from '../../platform/storage/keys.ts';
import { createRefuseAnonymous } from '../identity/guard.ts';
import { createServeAvatar } from './avatars.ts';
import { createServeImage } from './images.ts';
import { createRenditionCache } from './renditions.ts';
import { ImageFileParams, ImageSignatureQuery, imageMediaTypes, StorageRedirect } from './schema.ts';

export async function imageFileRoutes(app: App, deps: Deps): Promise<void> {
  const renditions = createRenditionCache(deps.storage);
  const serveImage = createServeImage(deps, renditions);
  const serveAvatar = createServeAvatar(deps, renditions);
  const allowOrigin = createSetCorsHeader(deps.config);
  const refuseAnonymous = createRefuseAnonymous(deps);

  /** Throws the error. Visitors of a gallery for members get 401 instead, and do not learn which images exist. */
  async function throwFor(request: FastifyRequest, error: unknown): Promise<never> {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) {
      await refuseAnonymous(request);
    }
    throw error;
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/storage/:name',
    schema: {
      operationId: 'getImage',
      tags: ['Files'],
      summary: 'Get an image',
      description:
        'Public photos have plain paths. Other photos need the signed paths that the API returns, or ' +
        "the owner's token or cookie. In a gallery for members, all images need a signed path, a token " +
        'or a cookie. Only the owner gets the original bytes; others get a copy without metadata.',
      security: [{}, { bearer: [] }, { cookie: [] }],
      params: ImageFileParams,
      querystring: ImageSignatureQuery,
      response: {
        302: StorageRedirect,
        // The error `invalid` is for a path that is not valid UTF-8.
        ...errorResponseSchemas(
          'invalid',
          'notFound',
          'unauthenticated',
          'badToken',
          'photoNotFound',
          'photoForbidden',
          'rangeNotSatisfiable',
        ),
      },
    },
    // The handler decides by the signature of the path.
    config: { openToVisitors: false, produces: imageMediaTypes },
    // No validation by schema: an invalid name must give 404 and an invalid signature 403, not 400 with field
    // errors.
    validatorCompiler: () => () => true,
    handler: async (request, reply) => {
      const parsed = parseObjectName(request.params.name);
      if (!parsed) return throwFor(request, errors.notFound());
      allowOrigin(request, reply);
      const answer = parsed.kind === 'avatar' ? serveAvatar : serveImage;
      return answer(request, reply, parsed).catch((error: unknown) => throwFor(request, error));
    },
  });
}
