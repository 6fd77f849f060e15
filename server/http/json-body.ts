/** Reads JSON bodies: bounded, valid UTF-8 only, and an absent body is simply absent. */
import type { FastifyInstance } from 'fastify';
import { errors } from './errors.ts';

/** The largest honest body is a few kilobytes; a bound this low also bounds what validation may report. */
export const jsonBodyLimit = 128 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function parseJsonBodies(app: FastifyInstance): void {
  const parseText = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (request.headers['content-encoding'] !== undefined) return done(errors.wrongContentType());
    let text: string;
    try {
      text = utf8.decode(body as Buffer);
    } catch {
      return done(errors.invalid({ message: 'The body is not valid UTF-8' }));
    }
    parseText(request, text, (error, value) => {
      if (error) done(errors.invalid({ message: 'The body is not valid JSON' }));
      else done(null, value);
    });
  });
}
