/** The corpus' list of malicious values, and checks of the responses to them. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { errorCatalogue } from '../../server/platform/errors/catalogue.ts';
import { corpusFile } from '../platform/imaging/corpus.ts';

/**
 * Malicious values by the field they are meant for. Values with a repeated unit are stored in full length.
 */
export interface Payloads {
  filenames: string[];
  ids: string[];
  pages_limits: string[];
  sort: string[];
  order: string[];
  keywords: string[];
  strings: string[];
  usernames: string[];
  emails: string[];
  passwords: unknown[];
  dates: unknown[];
  gender: unknown[];
  expires: unknown[];
  tags: string[];
  edit_actions: unknown[];
  json_bodies: string[];
  raw_bytes_hex: Record<string, string>;
  content_types: (string | null)[];
  headers: string[];
  paths: string[];
  methods: string[];
}

const payloadFile = corpusFile('bad/payloads.json');

/** Value for the option `skip`: false, or the reason why the tests are skipped. */
export const withoutPayloads: false | string = existsSync(payloadFile)
  ? false
  : 'the corpus is not here: set LIGHTWELL_CORPUS to its folder';

const emptyPayloads = new Proxy({}, { get: () => [] }) as Payloads;
export const payloads: Payloads = withoutPayloads
  ? emptyPayloads
  : expandPayloads(readFileSync(payloadFile, 'utf8'));

function expandPayloads(json: string): Payloads {
  return JSON.parse(json, (_key, value) => {
    if (!Array.isArray(value?.$repeat)) return value;
    const [unit, count, suffix] = value.$repeat as [string, number, string];
    return (value.prefix ?? '') + unit.repeat(count) + suffix;
  });
}

/** Shortens a value for the name of a test or an error message. */
export function describeValue(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 80);
}

interface PayloadAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

const statusByCode = new Map<number, number>(
  Object.values(errorCatalogue).map(({ code, status }) => [code as number, status as number]),
);
statusByCode.set(0, 200);
statusByCode.set(408, 408);

/**
 * Matches texts that no response may contain: stacks, SQL, server paths, names and versions of dependencies.
 */
export const internalsPattern =
  /\n\s+at \S|\.[jt]s:\d+|node_modules|node:internal|\/tmp\/|lightwell-test|SELECT .+ FROM|INSERT INTO|sqlite|SQLITE_|postgres|kysely|fastify|FST_|ajv|libvips|constraint|syntax error/i;

/**
 * Asserts that the response is an envelope with a known code and the code's status, never 5xx, and leaks no
 * internals. A successful response may contain texts of the request.
 */
export function assertNoLeak({ status, body }: PayloadAnswer, request: unknown): void {
  const what = `${describeValue(request)}: ${status} ${describeValue(body)}`;
  assert.ok(Number.isInteger(body.code), `no envelope for ${what}`);
  assert.equal(statusByCode.get(body.code), status, `code and status differ for ${what}`);
  assert.ok(status < 500, what);
  if (body.code === 0) return;
  assert.equal(typeof body.message, 'string', what);
  assert.doesNotMatch(JSON.stringify(body), internalsPattern, what);
  if (body.code === 400 && body.errors) {
    for (const messages of Object.values(body.errors)) assert.ok(Array.isArray(messages), what);
  }
  assert.deepEqual(
    Object.keys(body).filter((key) => !['code', 'message', 'errors'].includes(key)),
    [],
    what,
  );
}

/** Asserts that the error response names the invalid field. */
export function assertNamesField(field: string, { status, body }: PayloadAnswer, request: unknown): void {
  assert.equal(status, 400, `${describeValue(request)}: ${status} ${describeValue(body)}`);
  assert.ok(
    Object.keys(body.errors ?? {}).some((name) => name.startsWith(field)),
    `${describeValue(request)}: ${describeValue(body)}`,
  );
}

/** Asserts that no payload changed the prototype of all objects. */
export function assertPrototypeUntouched(): void {
  const names = Object.getOwnPropertyNames(Object.prototype);
  const polluted = ['is_admin', 'status', 'polluted', 'a'].filter((name) => name in {});
  assert.deepEqual(polluted, []);
  assert.equal(names.length, prototypeNameCount);
}
const prototypeNameCount = Object.getOwnPropertyNames(Object.prototype).length;
