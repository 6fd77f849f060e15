/**
 * Serves the scripts and styles of the pages at `/assets/{name}`. Browsers cache each file without expiry, because its
 * name contains a hash of its content.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { errors } from '../../platform/errors/catalogue.ts';
import { chooseEncoding } from '../../platform/http/accepted-encoding.ts';
import type { App } from '../../platform/http/app.ts';
import { Type } from '../../platform/schema/type.ts';
import type { BuiltAssets } from './built-assets.ts';

const cacheForever = 'public, max-age=31536000, immutable';
const decompressGzip = promisify(gunzip);

export function assetRoutes(app: App, { assets }: Pick<BuiltAssets, 'assets'>): void {
  app.get(
    '/assets/:name',
    {
      config: { openToVisitors: true },
      schema: { hide: true, params: Type.Object({ name: Type.String() }) },
    },
    async (request, reply) => {
      const asset = assets.get(request.params.name);
      // The response is an error and no page, so that a tab of an older version learns that its script no longer
      // exists.
      if (!asset) throw errors.notFound();
      reply.type(asset.type).headers({ 'Cache-Control': cacheForever, Vary: 'Accept-Encoding' });
      const encoding = chooseEncoding(request.headers['accept-encoding'], ['br', 'gzip']);
      if ('plain' in asset) return reply.send(asset.plain);
      if (!encoding) return reply.send(await decompressGzip(asset.gzip));
      return reply.header('Content-Encoding', encoding).send(asset[encoding]);
    },
  );
}
