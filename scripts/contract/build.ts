/** Builds the OpenAPI document from the routes of the normal application. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import swagger, { type SwaggerTransform } from '@fastify/swagger';
import pkg from '../../package.json' with { type: 'json' };
import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { closeDeps, openDeps } from '../../server/deps.ts';
import type { App } from '../../server/platform/http/app.ts';
import { createLog } from '../../server/platform/operations/log.ts';
import { components } from './components.ts';
import { introduction, tags } from './introduction.ts';
import { polish } from './polish.ts';
import { fileResponses, haveImages, listErrors, ownResponses } from './responses.ts';
import type { Contract, Schema } from './types.ts';

export async function buildContract(): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'lightwell-openapi-'));
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' });
  const deps = await openDeps(config, createLog(config));
  try {
    const app = await createApp(deps, { observe });
    await app.ready();
    const drawn = JSON.parse(JSON.stringify(app.swagger())) as Contract;
    await app.close();
    return polish(drawn);
  } finally {
    await closeDeps(deps);
    await rm(folder, { recursive: true, force: true });
  }
}

async function observe(app: App): Promise<void> {
  const { version, license } = pkg;
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lightwell',
        version,
        description: introduction,
        contact: { name: 'The operator of this server' },
        license: { name: license, identifier: license },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags,
      components: components as never,
    },
    convertConstToEnum: false,
    transform: addWhatRoutesSay,
  });
}

const proofs = [{ bearer: [] }, { cookie: [] }];

const bytesOfUpload = {
  body: { type: 'string', format: 'binary' },
  consumes: ['application/offset+octet-stream'],
};

const securityOf = {
  none: [],
  optional: [{}, ...proofs],
  required: proofs,
  session: proofs,
  admin: proofs,
  'admin-session': proofs,
};

/** Adds facts from a route's config: token, form fields, and responses that are not JSON. */
const addWhatRoutesSay: SwaggerTransform = ({ schema = {}, url, route }) => {
  const config = route.config ?? {};
  const { auth = 'none', form } = config;
  const path = url.replace(/:(\w+)/g, '{$1}');
  const method = [route.method].flat()[0]!;
  const declared = (schema.response ?? {}) as Record<string, Schema>;
  const errors = listErrors(declared, {
    isApi: path.startsWith('/api/'),
    auth,
    takesBody: method !== 'GET' && method !== 'HEAD',
    sendsImages: haveImages(config.produces),
  });
  return {
    url,
    schema: {
      ...schema,
      security: schema.security ?? securityOf[auth],
      ...(form && { body: form, consumes: ['multipart/form-data'] }),
      ...(config.isUploading && method === 'PATCH' && bytesOfUpload),
      response: { ...fileResponses(config), ...ownResponses(declared) },
      'x-errors': errors,
      'x-refuses-by-page': config.refusesByPage === true,
      'x-optional-body': config.hasOptionalBody === true,
    } as never,
  };
};
