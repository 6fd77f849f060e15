/** Parses JSON bodies: bounded in size, valid UTF-8 only. An empty body counts as absent, whatever its content type. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errors } from '../errors/catalogue.ts';

/**
 * Maximum bytes of a JSON body. The largest legitimate body has a few kilobytes, and a low limit also bounds the cost
 * of validation.
 */
export const jsonBodyLimit = 128 * 1024;

const utf8Decoder = new TextDecoder('utf-8', { fatal: true });

export function parseJsonBodies(app: FastifyInstance): void {
  // A key that could change a prototype is removed, like every key that no schema names.
  const parseText = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (isBodyCompressed(request)) return done(errors.wrongContentType());
    let text: string;
    try {
      text = utf8Decoder.decode(body as Buffer);
    } catch {
      return done(errors.invalid({ message: 'The request body is not valid UTF-8' }));
    }
    parseText(request, text, (error, value) => {
      if (error) done(errors.invalid({ message: 'The request body is not valid JSON' }));
      else done(null, value);
    });
  });
  acceptEmptyBodies(app);
}

/** Whether the body is compressed. The server never decompresses a body. */
export function isBodyCompressed({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['content-encoding'] !== undefined;
}

/**
 * Accepts empty bodies with any content type. `curl -d ''` sends the type of a form, and some proxies send an empty
 * body in chunks.
 */
function acceptEmptyBodies(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers, routeOptions }, _reply, done) => {
    const isEmpty =
      headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
    if (isEmpty && !routeOptions.config.form) delete headers['content-type'];
    done();
  });
  app.addContentTypeParser('*', (request, body, done) => {
    if (request.is404) return done(null, undefined);
    if (request.headers['transfer-encoding'] === undefined) return done(errors.wrongContentType());
    const settle = (error: Error | null) => {
      body.off('data', refuse).off('end', accept).off('error', settle);
      done(error, undefined);
    };
    const refuse = () => settle(errors.wrongContentType());
    const accept = () => settle(null);
    body.on('data', refuse).on('end', accept).on('error', settle);
  });
}
