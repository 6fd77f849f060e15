/** One attempt: a signed POST, as https://www.standardwebhooks.com has it. Redirects are answers like any other. */
import { createHmac } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import pkg from '../../../package.json' with { type: 'json' };
import { createLookup, isPublic, literalAddress, PrivateTarget, type TargetRules } from './target.ts';

// Not imported: see platform/connections/server.ts.
const { request: requestHttp } = process.getBuiltinModule('node:http');

/** From looking up the name to the last byte of the answer that is waited for. */
const attemptTimeoutMs = 10_000;
/** Of an answer: it is not kept, but a target that is cut off might take that for a failure. */
const maxAnswerBytes = 16 * 1024;
const maxHeaderBytes = 16 * 1024;

export interface Shipment {
  url: string;
  secret: string;
  eventId: string;
  /** Unix seconds of this attempt. */
  time: number;
  payload: string;
}

export interface Result {
  /** null: there was no answer. */
  status: number | null;
  durationMs: number;
  /** '' for an answer from 200 to 299. */
  error: string;
}

export type Send = (shipment: Shipment) => Promise<Result>;

/** Never rejects: whatever goes wrong is a result. */
export function createSend(rules: TargetRules): Send {
  const lookup = createLookup(rules);

  return async (shipment) => {
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    const signal = AbortSignal.timeout(attemptTimeoutMs);
    try {
      const url = new URL(shipment.url);
      const address = literalAddress(url);
      // A socket looks up names only: an address is checked here, since the setting may have changed.
      if (address !== undefined && !rules.allowPrivate && !isPublic(address)) throw new PrivateTarget();
      const request = url.protocol === 'https:' ? requestHttps : requestHttp;
      const answer = await answerOf(
        request(url, {
          method: 'POST',
          agent: false,
          lookup,
          signal,
          maxHeaderSize: maxHeaderBytes,
          headers: headersOf(shipment),
        }),
        shipment.payload,
      );
      const durationMs = elapsed();
      await drain(answer);
      const status = answer.statusCode ?? 0;
      return {
        status,
        durationMs,
        error: status >= 200 && status < 300 ? '' : `The target answered ${status}`,
      };
    } catch (error) {
      return {
        status: null,
        durationMs: elapsed(),
        error: signal.aborted ? 'No answer in time' : wordsFor(error),
      };
    }
  };
}

function headersOf({ secret, eventId, time, payload }: Shipment) {
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(payload),
    'user-agent': `Lightwell/${pkg.version}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(time),
    'webhook-signature': signatureOf(secret, `${eventId}.${time}.${payload}`),
  };
}

function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

function answerOf(request: ClientRequest, payload: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.on('response', resolve).on('error', reject);
  // A switch of protocols is no answer, and no other code would close its socket.
  request.on('upgrade', (_answer, socket) => {
    socket.destroy();
    reject(new Error('upgrade'));
  });
  request.end(payload);
  return promise;
}

/** Reads the answer to its end, within bounds, and keeps none of it: no text of a target gets into the log. */
function drain(answer: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Its socket may have ended in the turn that brought the answer.
  if (answer.destroyed) resolve();
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) answer.destroy();
  });
  answer.on('error', () => {}).on('close', resolve);
  return promise;
}

/** What the log says: a code at most, nothing of what the target or its network said. */
function wordsFor(error: unknown): string {
  if (error instanceof PrivateTarget) return error.message;
  const code = (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code)
    ? `No connection: ${code}`
    : 'No connection';
}
