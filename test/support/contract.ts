/**
 * Checks a response against openapi.json. The operation must have the status, the body must match the schema
 * without additional fields, and the operation must list the error code.
 */
import { readFileSync } from 'node:fs';
import type { AnySchema, ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats, { type FormatsPlugin } from 'ajv-formats';

/** A response before its body is parsed. */
interface RawAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

type Json = Record<string, unknown>;

interface Media {
  examples?: Record<string, { $ref?: string; value?: { code?: number } }>;
}

interface Response {
  $ref?: string;
  content?: Record<string, Media>;
}

interface Operation {
  responses: Record<string, Response>;
}

interface Contract {
  paths: Record<string, Record<string, Operation>>;
}

export const contract: Contract = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
);

const contractId = 'openapi';
let compiler: Ajv2020 | undefined;

/**
 * Returns the parts of a response that the contract does not promise. Returns none for a path outside the
 * contract.
 */
export function findContractViolations(method: string, path: string, answer: RawAnswer): string[] {
  const found = findOperation(method, path);
  if (!found) return [];
  const { pattern, operation } = found;
  if (!operation) return answer.status === 405 ? [] : [`${answer.status} instead of 405`];
  const known = operation.responses[answer.status];
  if (!known) return [`${answer.status} is not a status of ${method} ${pattern}`];
  const pointer =
    known.$ref ??
    `#/paths/${escapePointer(pattern)}/${findMethodKey(contract.paths[pattern]!, method)}/responses/${answer.status}`;
  return findBodyViolations(method, pointer, answer);
}

interface FoundOperation {
  pattern: string;
  /** The operation of the path and method. Undefined if the contract has the path only with other methods. */
  operation: Operation | undefined;
}

/** Finds the operation of a path. A path without parameters has priority, like in the router. */
function findOperation(method: string, path: string): FoundOperation | undefined {
  const plain = path.split(/[?#]/, 1)[0]!;
  const pattern =
    plain in contract.paths ? plain : compilePathPatterns().find(([, regex]) => regex.test(plain))?.[0];
  // Skips parameters this long, which the router refuses, and preflight requests, which the server answers
  // for every path.
  if (!pattern || method === 'OPTIONS' || plain.split('/').some((part) => part.length > 200))
    return undefined;
  const item = contract.paths[pattern]!;
  return { pattern, operation: item[findMethodKey(item, method)] };
}

let pathPatterns: [string, RegExp][] | undefined;

function compilePathPatterns(): [string, RegExp][] {
  pathPatterns ??= Object.keys(contract.paths).map((path) => [
    path,
    new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  ]);
  return pathPatterns;
}

/** Every GET operation may also be requested with HEAD. */
const findMethodKey = (item: object, method: string) =>
  method === 'HEAD' && !('head' in item) ? 'get' : method.toLowerCase();

function findBodyViolations(method: string, pointer: string, { headers, bytes }: RawAnswer): string[] {
  const { content } = resolvePointer(pointer) as Response;
  if (method === 'HEAD') return [];
  if (!content) return bytes.length === 0 ? [] : ['has a body, and none is promised'];
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]!;
  const promised = [type, `${type.split('/')[0]}/*`].find((name) => name in content);
  if (!promised) return [`is of type "${type}", and not of ${Object.keys(content).join(', ')}`];
  if (type !== 'application/json') return [];
  const body = JSON.parse(bytes.toString());
  return [
    ...findCodeViolations(content[promised]!, body),
    ...findShapeViolations(`${pointer}/content/${escapePointer(promised)}/schema`, body),
  ];
}

/** Checks the error code: the examples of an error's media type list the allowed codes. */
function findCodeViolations({ examples = {} }: Media, { code }: { code?: number }): string[] {
  if (!code) return [];
  const codes = Object.values(examples).map(
    ({ $ref, value }) => (value ?? (resolvePointer($ref!) as { value: { code?: number } }).value).code,
  );
  return codes.includes(code) ? [] : [`has the code ${code}, and not one of ${codes.join(', ')}`];
}

function findShapeViolations(pointer: string, body: unknown): string[] {
  compiler ??= createCompiler();
  const validate = compiler.getSchema(`${contractId}${encodeURI(pointer)}`) as ValidateFunction;
  if (validate(body)) return [];
  return validate.errors!.map(({ instancePath, message, params }: ErrorObject) => {
    return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`;
  });
}

/** Creates the schema validator. A schema is compiled when a response first needs it. */
function createCompiler(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  (formats as unknown as FormatsPlugin)(ajv, ['date', 'date-time', 'email', 'binary']);
  return ajv.addSchema(closeSchema(contract) as AnySchema, contractId);
}

/** Returns the schemas in a form that refuses unnamed properties. */
function closeSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeSchema);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closeSchema(part)]));
  return isOpenObject(inner) ? { ...inner, additionalProperties: false } : inner;
}

function isOpenObject({ type, properties, additionalProperties }: Json): boolean {
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  return isObject && properties !== undefined && additionalProperties === undefined;
}

function resolvePointer(pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<unknown>((inner, key) => (inner as Json)[unescapePointer(key)], contract);
}

const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');
const unescapePointer = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~');
