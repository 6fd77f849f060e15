/** Reads the page's one form, and nothing else. */
import type { FastifyInstance } from 'fastify';

/** 128 characters, each of four bytes, each of those as %XX; and the field's name. */
const maxBytes = 2048;

/** Makes the routes of this scope take `password=…` as browsers send it. */
export function acceptPasswordForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBytes },
    (_request, body, done) => {
      const passwords = new URLSearchParams(body as string).getAll('password');
      done(null, passwords.length === 1 ? { password: passwords[0] } : {});
    },
  );
}
