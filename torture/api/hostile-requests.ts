/** Puts one hostile value of the corpus, if available, into a generated request. */
import {
  type GeneratedRequest,
  type Operation,
  requestFor,
  type World,
} from '../../test/contract/generated/requests.ts';
import { payloads, withoutPayloads } from '../../test/support/payloads.ts';
import type { Random } from '../../test/support/random.ts';

/** Returns the corpus values that suit a parameter or field of this name. */
function valuesFor(name: string): readonly unknown[] {
  if (/^(page|limit)$/.test(name)) return payloads.pages_limits;
  if (/^(sort|order)$/.test(name)) return payloads[name as 'sort' | 'order'];
  if (/id$|^around$/.test(name)) return payloads.ids;
  if (/^(q|keyword|tag|rule)$/.test(name)) return payloads.keywords;
  if (/^(username|email|tags|gender|expires)$/.test(name)) return byField[name]!;
  if (/password/.test(name)) return payloads.passwords;
  if (/date|birthday/.test(name)) return payloads.dates;
  return payloads.strings;
}
const byField: Record<string, readonly unknown[]> = {
  username: payloads.usernames,
  email: payloads.emails,
  tags: payloads.tags,
  gender: payloads.gender,
  expires: payloads.expires,
};

/** Headers that define the framing or encoding of a message; separate tests cover them. */
const framing =
  /^(content-length|transfer-encoding|expect|connection|upgrade|host|te|trailer|accept-encoding)$/i;

export function nastyRequest(random: Random, operation: Operation, world: World): GeneratedRequest {
  const request = requestFor(random, operation, world);
  if (withoutPayloads) return request;
  const ways = [
    inQuery,
    inHeader,
    ...(operation.path.includes('{') ? [inPath, inPath] : []),
    ...(operation.body ? [inBody, inBody, asBody] : []),
  ];
  return random.pick(ways)(random, operation, request);
}

type Put = (random: Random, operation: Operation, request: GeneratedRequest) => GeneratedRequest;

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const encoded = (value: unknown) => encodeURIComponent(text(value).toWellFormed()).slice(0, 6000);

const inPath: Put = (random, { path }, request) => {
  const changed = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const values = random.chance(0.7) ? valuesFor(name) : payloads.strings;
    return encoded(random.pick(values)).slice(0, 180) || '0';
  });
  return { ...request, path: changed };
};

const inQuery: Put = (random, { parameters }, request) => {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const name = random.pick([...names, 'page', 'sort']);
  const value = random.pick(valuesFor(name));
  const isRaw = /^[\w[\]$=&.%+-]+$/.test(text(value)) && random.chance(0.3);
  const pair = isRaw ? text(value) : `${name}=${encoded(value)}`;
  return { ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}${pair}` };
};

const inHeader: Put = (random, _operation, request) => {
  const line = random.pick(payloads.headers);
  const colon = text(line).indexOf(':');
  const [name, value] = [
    text(line).slice(0, colon),
    text(line)
      .slice(colon + 1)
      .trim(),
  ];
  const isSendable = /^[\w-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value) && value.length < 8000;
  if (!isSendable || framing.test(name)) return request;
  return { ...request, headers: { ...request.headers, [name]: value } };
};

const inBody: Put = (random, { body, path, mediaType }, request) => {
  if (mediaType !== 'application/json') return request;
  if (/\/edits?$/.test(path)) return withJson(request, random.pick(payloads.edit_actions));
  const fields = Object.keys((body?.properties ?? {}) as object);
  if (fields.length === 0) return request;
  const field = random.pick(fields);
  return withJson(request, { ...parsed(request), [field]: random.pick(valuesFor(field)) });
};

const asBody: Put = (random, _operation, request): GeneratedRequest => {
  const body = random.chance(0.8)
    ? random.pick(payloads.json_bodies)
    : Buffer.from(random.pick(Object.values(payloads.raw_bytes_hex)).replace(/[^0-9a-f]/gi, ''), 'hex');
  const type = random.chance(0.7) ? 'application/json' : (random.pick(payloads.content_types) ?? '');
  const headers: Record<string, string> = /^[\x20-\x7e]+$/.test(type) ? { 'content-type': type } : {};
  return { ...request, headers, body };
};

function withJson(request: GeneratedRequest, value: unknown): GeneratedRequest {
  return { ...request, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function parsed({ body }: GeneratedRequest): object {
  try {
    return Object(JSON.parse(String(body)));
  } catch {
    return {};
  }
}
