/**
 * Routes for the OpenAPI document (`/openapi.json`) and for `/docs`, where Swagger UI shows it. All files come from
 * this server.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding } from '../http/accepted-encoding.ts';
import type { App } from '../http/app.ts';
import { handlePageError } from '../http/error-page.ts';

const resolveOwnFile = (name: string) => new URL(name, import.meta.url);
const swaggerUi = (name: string) => new URL(import.meta.resolve(`swagger-ui-dist/${name}`));

interface Page {
  file: URL;
  type: string;
}

const contract: Page = {
  file: resolveOwnFile('../../../openapi.json'),
  type: 'application/json; charset=utf-8',
};
const page: Page = { file: resolveOwnFile('docs.html'), type: 'text/html; charset=utf-8' };
const pageFiles: Record<string, Page> = {
  'start.js': { file: resolveOwnFile('docs.js'), type: 'text/javascript; charset=utf-8' },
  'swagger-ui.js': { file: swaggerUi('swagger-ui-bundle.js'), type: 'text/javascript; charset=utf-8' },
  'swagger-ui.css': { file: swaggerUi('swagger-ui.css'), type: 'text/css; charset=utf-8' },
  'icon.png': { file: swaggerUi('favicon-32x32.png'), type: 'image/png' },
};

/** Content security policy of `/docs`. Swagger UI sets inline styles and draws its icons from `data:` URLs. */
const documentationPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export async function documentationRoutes(app: App): Promise<void> {
  const send = createSend();
  const tags = ['Operations'];

  app.get(
    '/openapi.json',
    {
      config: { openToVisitors: true, produces: ['application/json'], hasEtag: true },
      schema: {
        operationId: 'getContract',
        tags,
        summary: 'Get this OpenAPI document',
        description: 'The document changes only with the version of the service.',
      },
    },
    (request, reply) => send(contract, request, reply),
  );

  app.get(
    '/docs',
    {
      errorHandler: handlePageError,
      config: { openToVisitors: true, produces: ['text/html'], hasEtag: true },
      schema: {
        operationId: 'getDocumentation',
        tags,
        summary: 'Open the interactive documentation',
        description:
          'Swagger UI, which can send requests to every operation. All its files come from this server.',
      },
    },
    (request, reply) => send(page, request, reply.header('Content-Security-Policy', documentationPolicy)),
  );

  for (const [name, part] of Object.entries(pageFiles)) {
    app.get(`/docs/${name}`, { config: { openToVisitors: true }, schema: { hide: true } }, (request, reply) =>
      send(part, request, reply),
    );
  }
}

interface Content {
  plain: Buffer;
  zipped: Buffer;
  etag: string;
}

/**
 * Returns a function that sends a page. Each file is read and compressed at its first request, then cached, so an
 * unused documentation costs nothing.
 */
function createSend() {
  const contents = new Map<Page, Content>();

  return async (page: Page, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const content = contents.get(page) ?? (await readPageContent(page.file));
    contents.set(page, content);
    const { plain, zipped, etag } = content;
    reply.type(page.type).headers({ ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    if (!chooseEncoding(request.headers['accept-encoding'], ['gzip'])) return reply.send(plain);
    return reply.header('Content-Encoding', 'gzip').send(zipped);
  };
}

async function readPageContent(file: URL): Promise<Content> {
  const plain = await readFile(file);
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { plain, zipped: await promisify(gzip)(plain), etag };
}
