/**
 * Generates requests for an operation of openapi.json: valid ones, and requests that no client should send.
 */
import { contract } from '../../support/contract.ts';
import type { Random } from '../../support/random.ts';
import { type Known, objectFor, resolved, type Schema, valueFor, wildText, wildValue } from './values.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Schema;
}

export interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  body: Schema | undefined;
  mediaType: string;
}

export interface GeneratedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

export function readOperations(): Operation[] {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const { parameters = [], requestBody } = operation as unknown as Schema;
      const content = ((requestBody as Schema | undefined)?.content ?? {}) as Record<
        string,
        { schema?: Schema }
      >;
      const [mediaType = 'application/json', media] = Object.entries(content)[0] ?? [];
      return {
        method: method.toUpperCase(),
        path,
        parameters: (parameters as Schema[]).map(resolved) as unknown as Parameter[],
        body: media?.schema && resolved(media.schema),
        mediaType,
      };
    }),
  );
}

export interface World extends Known {
  picture: Buffer;
  /** Values for `{id}` by path, for operations that must not hit an important row by chance. */
  safeIds: Record<string, (string | number)[]>;
}

export function requestFor(random: Random, operation: Operation, world: World): GeneratedRequest {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    pathValue(random, operation, name, world),
  );
  const query = queryFor(random, operation, world);
  const { headers, body } = bodyFor(random, operation, world);
  return { method: operation.method, path: query ? `${path}?${query}` : path, headers, body };
}

function pathValue(random: Random, { path, parameters }: Operation, name: string, world: World): string {
  const safe = world.safeIds[path];
  if (safe) return encoded(random, random.pick(safe));
  const schema = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema;
  const value = random.chance(0.75)
    ? random.pick([...world.ids, ...world.names])
    : valueFor(random, schema ?? {}, world);
  // An empty path segment would make another path, so it becomes `1`.
  return encoded(random, value).slice(0, 180) || '1';
}

function queryFor(random: Random, { parameters }: Operation, world: World): string {
  const pairs: string[] = [];
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'query' || random.chance(0.6)) continue;
    const times = random.chance(0.06) ? 2 : 1;
    for (let time = 0; time < times; time++) {
      pairs.push(`${name}=${encoded(random, valueFor(random, schema, world))}`);
    }
  }
  if (random.chance(0.05))
    pairs.push(`${encoded(random, wildText(random))}=${encoded(random, wildText(random))}`);
  if (random.chance(0.02)) pairs.push(random.pick(['page[]=1', '&&=', '%ff', 'sort', '__proto__=1']));
  return pairs.join('&');
}

/** Encodes a value for a path or query. Now and then returns an invalid percent-encoding instead. */
function encoded(random: Random, value: unknown): string {
  if (random.chance(0.02)) return random.pick(['%ff', '%E0%A4%A', '%', '%00', '%zz']);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return encodeURIComponent(text.slice(0, 3000).toWellFormed());
}

type Body = Pick<GeneratedRequest, 'headers' | 'body'>;

function bodyFor(random: Random, { method, body, mediaType }: Operation, world: World): Body {
  if (method === 'GET' || method === 'HEAD') return { headers: {}, body: undefined };
  if (!body)
    return random.chance(0.8) ? { headers: {}, body: undefined } : createJsonBody(random, wildValue(random));
  if (random.chance(0.02)) return { headers: {}, body: undefined };
  if (random.chance(0.02)) return { headers: { 'content-type': 'text/plain' }, body: wildText(random) };
  if (mediaType === 'multipart/form-data') return createFormBody(random, body, world);
  const value = random.chance(0.05) ? wildValue(random) : bodyValue(random, body, world);
  if (mediaType === 'application/json') return createJsonBody(random, value);
  const text = Object.entries((value ?? {}) as object).map((pair) =>
    pair.map((part) => encoded(random, part)).join('='),
  );
  return { headers: { 'content-type': mediaType }, body: text.join('&') };
}

function bodyValue(random: Random, body: Schema, world: World): unknown {
  return body.properties ? objectFor(random, body, world) : valueFor(random, body, world);
}

function createJsonBody(random: Random, value: unknown): Body {
  const headers = { 'content-type': 'application/json' };
  const text = JSON.stringify(value) ?? '';
  if (random.chance(0.97)) return { headers, body: text };
  const broken = [
    text.slice(0, -1),
    `${text}}`,
    '',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":1}}',
  ];
  return { headers, body: random.chance(0.2) ? Buffer.from([0x7b, 0x22, 0xff]) : random.pick(broken) };
}

const boundary = 'generated';

function createFormBody(random: Random, body: Schema, world: World): Body {
  const { file: _, ...properties } = body.properties as Record<string, Schema>;
  const parts: (string | Buffer)[] = [];
  const add = (disposition: string, value: string | Buffer) =>
    parts.push(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`, value, '\r\n');
  for (const [name, schema] of Object.entries(properties)) {
    const times = random.pick([0, 0, 1, 1, 1, 1, 1, 1, 1, 2]);
    for (let time = 0; time < times; time++) add(`name="${name}"`, String(valueFor(random, schema, world)));
  }
  const files = random.pick([0, 1, 1, 1, 1, 2]);
  for (let file = 0; file < files; file++) {
    const name = random.chance(0.95) ? 'file' : 'picture';
    const bytes = random.pick([world.picture, world.picture, Buffer.alloc(0), Buffer.from('GIF89a nothing')]);
    add(`name="${name}"; filename="a.jpg"`, bytes);
  }
  if (random.chance(0.05)) add(`name="${random.pick(['__proto__', 'constructor', 'other', ''])}"`, 'x');
  if (random.chance(0.95)) parts.push(`--${boundary}--\r\n`);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat(parts.map((part) => Buffer.from(part as string))),
  };
}
