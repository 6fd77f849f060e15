/**
 * Serves `/robots.txt` and the sitemap of public photos. Search engines may read an open gallery, and nothing of a
 * gallery for members.
 */
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { callerKey } from '../../platform/connections/address.ts';
import { Visibility } from '../../platform/db/states.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { App } from '../../platform/http/app.ts';
import { html } from '../../platform/http/html.ts';
import { createThrottle } from '../../platform/http/rate-limiters.ts';
import { Type } from '../../platform/schema/type.ts';
import { createIsMembersOnly } from '../identity/members-only.ts';
import { isPublic } from '../library/permissions.ts';
import { currentVisibilityColumn } from '../library/visibility-sql.ts';

/** Photo ids that one file of the sitemap covers. A file of 2,000 URLs takes milliseconds to build. */
const idsPerFile = 2000;
/** Maximum files that the index lists, a limit of the protocol. */
const maxFiles = 50_000;
/** Requests of one address for the sitemap in a minute. */
const requestsPerMinute = 120;

const open = { config: { openToVisitors: true }, schema: { hide: true } };
const xml = 'application/xml; charset=utf-8';
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

export function robotsRoutes(app: App, deps: Deps): void {
  const isMembersOnly = createIsMembersOnly(deps);
  const { baseUrl, sitemap } = deps.config;
  const throttle = createThrottle(app.shared, 'sitemap', requestsPerMinute);

  /** Throws notFound unless the sitemap is turned on and the gallery is open. */
  async function requireSitemap(request: FastifyRequest): Promise<string> {
    if (!sitemap || baseUrl === undefined || (await isMembersOnly())) throw errors.notFound();
    await throttle.consume(callerKey(undefined, request));
    return baseUrl;
  }

  app.get('/robots.txt', open, async (_request, reply) => {
    const isClosed = await isMembersOnly();
    const map = !isClosed && sitemap && baseUrl !== undefined ? `Sitemap: ${baseUrl}/sitemap.xml\n` : '';
    reply.type('text/plain; charset=utf-8').header('Cache-Control', 'no-cache');
    return reply.send(`User-agent: *\nDisallow:${isClosed ? ' /' : ''}\n${map}`);
  });

  app.get('/sitemap.xml', open, async (request, reply) => {
    const url = await requireSitemap(request);
    const files = Array.from(
      { length: await countFiles(deps) },
      (_, index) => `${url}/sitemap/${index + 1}.xml`,
    );
    const { text } = html`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="${namespace}">
${files.map((file) => html`<sitemap><loc>${file}</loc></sitemap>\n`)}</sitemapindex>
`;
    return reply.type(xml).header('Cache-Control', 'no-cache').send(text);
  });

  const params = Type.Object({ file: Type.String() });
  app.get('/sitemap/:file', { ...open, schema: { hide: true, params } }, async (request, reply) => {
    const url = await requireSitemap(request);
    const number = Number(/^([1-9]\d{0,5})\.xml$/.exec(request.params.file)?.[1] ?? 0);
    if (number === 0 || number > (await countFiles(deps))) throw errors.notFound();
    const photos = await findPublicPhotos(deps, number);
    const { text } = html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="${namespace}">
${photos.map(({ id, update_time }) => html`<url><loc>${url}/photos/${id}</loc><lastmod>${formatDay(update_time)}</lastmod></url>\n`)}</urlset>
`;
    return reply.type(xml).header('Cache-Control', 'no-cache').send(text);
  });
}

/** Returns the number of files, at least one. Each file covers a range of ids, so that no query skips rows. */
async function countFiles({ db }: Deps): Promise<number> {
  const last = await db.kysely
    .selectFrom('photos')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return Math.min(maxFiles, Math.max(1, Math.ceil((last?.id ?? 0) / idsPerFile)));
}

async function findPublicPhotos({ db }: Deps, number: number) {
  const photos = await db
    .slow()
    .selectFrom('photos')
    .select(['id', 'update_time', currentVisibilityColumn])
    .where('visibility', '=', Visibility.public)
    .where('id', '>', (number - 1) * idsPerFile)
    .where('id', '<=', number * idsPerFile)
    .orderBy('id')
    .execute();
  return photos.filter(isPublic);
}

function formatDay(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 10);
}
