/** Sends generated requests, and reports every part of a response that openapi.json does not promise. */
import { type Agent, request as httpRequest } from 'node:http';
import { findContractViolations } from '../../support/contract.ts';
import { internalsPattern } from '../../support/payloads.ts';
import type { GalleryUrl, Person } from '../../support/people.ts';
import type { GeneratedRequest, Operation } from './requests.ts';

export interface Outcome {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** Sends one request. Rejects if the connection closes before a response arrives. */
export function exchangeGenerated(
  { url }: GalleryUrl,
  agent: Agent,
  token: string | undefined,
  { method, path, headers, body }: GeneratedRequest,
): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const authorization = token ? { authorization: `Bearer ${token}` } : {};
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const outgoing = httpRequest(
    url,
    { method, path, agent, headers: { ...authorization, ...headers, ...length } },
    (answer) => {
      const chunks: Buffer[] = [];
      const finish = () =>
        resolve({
          status: answer.statusCode!,
          headers: new Headers(answer.headers as Record<string, string>),
          bytes: Buffer.concat(chunks),
        });
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', finish);
      // Generated requests may take the reader's access away during an archive download, and the server then
      // aborts the archive.
      const mayBreakOff = answer.headers['content-type'] === 'application/zip';
      answer.on('error', (cause) => {
        if (mayBreakOff) finish();
        else reject(new Error(`the answer of ${method} ${path} breaks off`, { cause }));
      });
    },
  );
  outgoing.on('error', reject).end(body);
  return promise;
}

/**
 * Returns the faults of a response, each with the request that caused it, so that a developer can send the
 * request again.
 */
export function findFaults(
  { method, path, body }: GeneratedRequest,
  caller: string,
  outcome: Outcome,
): string[] {
  const complaints = findContractViolations(method, path, outcome);
  if (outcome.status >= 500 && outcome.status !== 503) complaints.push(`is ${outcome.status}`);
  if (outcome.status >= 400 && internalsPattern.test(outcome.bytes.toString()))
    complaints.push(`tells of the inside: ${outcome.bytes.toString().slice(0, 300)}`);
  const sent = body === undefined ? '' : body.toString().slice(0, 500);
  return complaints.map((what) => `${caller}: ${method} ${path.slice(0, 300)} ${sent}\n  ${what}`);
}

const endsSessions = new Set(['POST /api/auth/logout', 'PUT /api/auth/password']);

/**
 * Tells whether the operation ends sessions, because the test sends such an operation as a caller whose
 * session may end.
 */
export function endsSession({ method, path }: Operation): boolean {
  return endsSessions.has(`${method} ${path}`) || path.startsWith('/api/auth/sessions');
}

export async function areAlive(people: Person[]): Promise<boolean> {
  const answers = await Promise.all(people.map((one) => one.get('/api/auth/user')));
  return answers.every(({ status }) => status === 200);
}
