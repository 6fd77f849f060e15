/** Routes of `/api/uploads`: uploads that survive a broken connection, by the protocol tus 1.0 (https://tus.io). */
import type { FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { App } from '../../platform/http/app.ts';
import { messageResponse, resultResponse, writeResponseSchema } from '../../platform/http/envelope.ts';
import { isBodyCompressed } from '../../platform/http/json-body.ts';
import { createEndpointMethods } from '../identity/endpoints.ts';
import { UploadResponse } from '../photos/schema.ts';
import * as schema from './schema.ts';
import { createUploadOperations, type SignedInUploadRequest, type UploadProgress } from './serve.ts';
import * as tus from './tus.ts';

const uploadsPath = '/api/uploads';

export async function uploadRoutes(app: App, deps: Deps): Promise<void> {
  const { maxUploadBytes, baseUrl = '' } = deps.config;
  const uploads = createUploadOperations(deps);
  const config = { isUploading: true, crossOrigin: tus.corsOfUploads };

  await app.register(async (scope: App) => {
    acceptPieces(scope);
    speakTus(scope);
    const api = createEndpointMethods(scope, 'Uploads');

    api.post(uploadsPath, {
      auth: 'required',
      config,
      operationId: 'createUpload',
      summary: 'Start a resumable upload',
      description:
        'Creation of tus 1.0. The headers are `Tus-Resumable`, `Upload-Length` and `Upload-Metadata` ' +
        '(`filename`, `title`, `description`, `album_id`, `tags`, `visibility`, `is_public`, `file_time`, `utc_time`, `place`, ' +
        '`xmp`, `sha256`). The response has the URL of the upload in `Location`. The body can contain the first bytes. The ' +
        'quota is reserved for the whole file, until the upload ends, at most a day. If the user ' +
        'already has a photo with the `sha256`, the request is refused with 20009, `data.id` and ' +
        '`data.album` (`id` and `name`, or null).',
      headers: schema.newUploadHeaders,
      successes: { 201: schema.CreatedUpload },
      refusals: [
        'protocolVersion',
        'unsupportedFormat',
        'fileTooLarge',
        'quotaExceeded',
        'photoExists',
        'albumNotFound',
        'albumForbidden',
        'albumIsSmart',
        'uploadNotFound',
        'uploadConflict',
        'checksumMismatch',
        'noSpace',
      ],
      handler: async (request, reply) => {
        const progress = await uploads.create(request as SignedInUploadRequest);
        reply.code(201).header('Location', `${baseUrl}${uploadsPath}/${progress.upload.id}`);
        return sendUploadProgress(reply, progress).send(
          presentUploaded(progress) ?? messageResponse('Upload started'),
        );
      },
    });

    api.head(`${uploadsPath}/:id`, {
      auth: 'required',
      config: { ...config, swagger: { exposeHeadRoute: true } },
      operationId: 'getUploadOffset',
      summary: 'Get the offset of a resumable upload',
      description:
        '`Upload-Offset` of the response is the number of bytes that are stored durably. When it ' +
        'equals the length, the photo exists.',
      params: schema.uploadParams,
      headers: schema.uploadStatusHeaders,
      successes: { 200: schema.emptyResponseSchema('Offset and length of the upload, in headers') },
      refusals: ['protocolVersion', 'uploadNotFound'],
      handler: async (request, reply) =>
        reply
          .headers(
            tus.buildUploadStateHeaders(
              await uploads.find(request as SignedInUploadRequest, request.params.id),
            ),
          )
          .send(),
    });

    api.patch(`${uploadsPath}/:id`, {
      auth: 'required',
      config,
      operationId: 'continueUpload',
      summary: 'Send bytes of a resumable upload',
      description:
        'The body has type `application/offset+octet-stream` and starts at `Upload-Offset`. With ' +
        '`Upload-Checksum` (sha1, sha256), either all bytes of the body are stored or none. The ' +
        'request with the last byte completes the upload: it responds with 200 and the photo, or with ' +
        'an error. A new request ends an earlier one for the same upload.',
      params: schema.uploadParams,
      headers: schema.continuedUploadHeaders,
      successes: {
        200: writeResponseSchema(UploadResponse),
        204: schema.emptyResponseSchema('The bytes are stored'),
      },
      refusals: [
        'protocolVersion',
        'unsupportedFormat',
        'fileTooLarge',
        'quotaExceeded',
        'albumNotFound',
        'albumForbidden',
        'albumIsSmart',
        'photoNotFound',
        'uploadNotFound',
        'uploadConflict',
        'uploadLocked',
        'checksumMismatch',
        'noSpace',
      ],
      handler: async (request, reply) => {
        const progress = await uploads.append(request as SignedInUploadRequest, request.params.id);
        const photo = presentUploaded(progress);
        return sendUploadProgress(reply.code(photo ? 200 : 204), progress).send(photo);
      },
    });

    api.delete(`${uploadsPath}/:id`, {
      auth: 'required',
      config,
      operationId: 'endUpload',
      summary: 'Cancel a resumable upload',
      description:
        'Deletes the received bytes and releases the quota. A completed upload is a photo, and can ' +
        'only be deleted as a photo.',
      params: schema.uploadParams,
      headers: schema.uploadStatusHeaders,
      successes: { 204: schema.emptyResponseSchema('Upload canceled') },
      refusals: ['protocolVersion', 'uploadNotFound', 'uploadLocked'],
      handler: async (request, reply) => {
        await uploads.end(request as SignedInUploadRequest, request.params.id);
        return reply.code(204).send();
      },
    });

    // This handler never runs: a hook answers every OPTIONS request, see platform/http/security.ts.
    for (const url of [uploadsPath, `${uploadsPath}/:id`]) {
      scope.route({
        method: 'OPTIONS',
        url,
        config: { ...config, auth: 'none', optionsHeaders: tus.buildTusOptionsHeaders(maxUploadBytes) },
        schema: { hide: true },
        handler: () => {
          throw errors.methodNotAllowed();
        },
      });
    }
  });
}

/** Lets requests pass with their bodies unread, because the route itself reads the bytes. */
function acceptPieces(scope: App): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(tus.uploadBytesMediaType, (request, _bytes, next) =>
    next(isBodyCompressed(request) ? errors.wrongContentType() : null),
  );
}

function speakTus(scope: App): void {
  scope.addHook('onRequest', (_request, reply, next) => {
    reply.header('Tus-Resumable', tus.tusVersion);
    next();
  });
  scope.addHook('preHandler', async ({ headers }) => tus.requireTusVersion(headers));
  scope.addHook('onSend', (_request, reply, _payload, next) => {
    if (reply.statusCode === 412) reply.header('Tus-Version', tus.tusVersion);
    next();
  });
}

function presentUploaded({ photo }: UploadProgress) {
  return photo && resultResponse('Photo uploaded', photo);
}

function sendUploadProgress(reply: FastifyReply, { upload, offset }: UploadProgress): FastifyReply {
  return reply.headers(tus.buildUploadProgressHeaders(upload, offset));
}
