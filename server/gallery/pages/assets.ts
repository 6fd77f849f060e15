/** `/assets/{name}`: the scripts and styles of the pages. A name holds a hash of its content, so it is kept for good. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { errors } from '../../platform/errors/catalogue.ts';
import { chooseEncoding } from '../../platform/http/accepted-encoding.ts';
import type { App } from '../../platform/http/app.ts';
import { Type } from '../../platform/schema/type.ts';
import type { Built } from './built.ts';

const forGood = 'public, max-age=31536000, immutable';
const unpack = promisify(gunzip);

export function assetRoutes(app: App, { assets }: Pick<Built, 'assets'>): void {
  app.get(
    '/assets/:name',
    { schema: { hide: true, params: Type.Object({ name: Type.String() }) } },
    async (request, reply) => {
      const asset = assets.get(request.params.name);
      // Never a page: a tab of an older version that asks for its script has to learn that it is gone.
      if (!asset) throw errors.notFound();
      reply.type(asset.type).headers({ 'Cache-Control': forGood, Vary: 'Accept-Encoding' });
      const encoding = chooseEncoding(request.headers['accept-encoding'], ['br', 'gzip']);
      if ('plain' in asset) return reply.send(asset.plain);
      if (!encoding) return reply.send(await unpack(asset.gzip));
      return reply.header('Content-Encoding', encoding).send(asset[encoding]);
    },
  );
}
