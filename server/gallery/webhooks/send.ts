/**
 * Sends one delivery as a signed POST request in the format of https://www.standardwebhooks.com. A redirect counts as a
 * failure and is not followed.
 */
import { createHmac } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import pkg from '../../../package.json' with { type: 'json' };
import {
  createPublicAddressLookup,
  isPublicAddress,
  literalAddress,
  PrivateTargetError,
  type WebhookTargetRules,
} from './target.ts';

// An `import` would evaluate all exports of the module, such as `WebSocket`, which need 4 MB and are never used.
const { request: requestHttp } = process.getBuiltinModule('node:http');

/** Milliseconds for a whole attempt, from the name lookup to the last byte of the response. */
const attemptTimeoutMs = 10_000;
/**
 * Bytes of a response that are read. The server reads them without using them, because a receiver may treat a closed
 * connection as a failure.
 */
const maxAnswerBytes = 16 * 1024;
const maxHeaderBytes = 16 * 1024;

export interface DeliveryToSend {
  url: string;
  secret: string;
  eventId: string;
  /** Time of this delivery attempt in Unix seconds. */
  time: number;
  payload: string;
}

export interface DeliveryResult {
  /** HTTP status of the receiver's response, or null without a response. */
  status: number | null;
  durationMs: number;
  /** Reason why the delivery failed, or '' after a status from 200 to 299. */
  error: string;
}

export type SendDelivery = (shipment: DeliveryToSend) => Promise<DeliveryResult>;

/**
 * Returns the function that sends a delivery. The promise of that function never rejects, because every failure is a
 * result.
 */
export function createSendDelivery(rules: WebhookTargetRules): SendDelivery {
  const lookup = createPublicAddressLookup(rules);

  return async (shipment) => {
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    const signal = AbortSignal.timeout(attemptTimeoutMs);
    try {
      const url = new URL(shipment.url);
      const address = literalAddress(url);
      // A socket calls `lookup` only for names. The check of an IP address is repeated here, because the setting may
      // have changed.
      if (address !== undefined && !rules.allowPrivate && !isPublicAddress(address))
        throw new PrivateTargetError();
      const request = url.protocol === 'https:' ? requestHttps : requestHttp;
      const answer = await sendRequest(
        request(url, {
          method: 'POST',
          agent: false,
          lookup,
          signal,
          maxHeaderSize: maxHeaderBytes,
          headers: createHeaders(shipment),
        }),
        shipment.payload,
      );
      const durationMs = elapsed();
      await drainResponse(answer);
      const status = answer.statusCode ?? 0;
      return {
        status,
        durationMs,
        error: status >= 200 && status < 300 ? '' : `The target responded with ${status}`,
      };
    } catch (error) {
      return {
        status: null,
        durationMs: elapsed(),
        error: signal.aborted ? 'The target did not respond in time' : describeFailure(error),
      };
    }
  };
}

function createHeaders({ secret, eventId, time, payload }: DeliveryToSend) {
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(payload),
    'user-agent': `Lightwell/${pkg.version}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(time),
    'webhook-signature': signPayload(secret, `${eventId}.${time}.${payload}`),
  };
}

function signPayload(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

function sendRequest(request: ClientRequest, payload: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.on('response', resolve).on('error', reject);
  // A response with a protocol upgrade is refused, and its socket must be closed here.
  request.on('upgrade', (_answer, socket) => {
    socket.destroy();
    reject(new Error('upgrade'));
  });
  request.end(payload);
  return promise;
}

/** Reads and discards a response, up to a limit, so that no text of a receiver gets into the delivery's record. */
function drainResponse(answer: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // The socket may have closed in the event-loop tick that delivered the response.
  if (answer.destroyed) resolve();
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) answer.destroy();
  });
  answer.on('error', () => {}).on('close', resolve);
  return promise;
}

/**
 * Returns the text of a failure for the delivery's record: at most an error code, and no text of the receiver or its
 * network.
 */
function describeFailure(error: unknown): string {
  if (error instanceof PrivateTargetError) return error.message;
  const code = (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code)
    ? `Cannot connect to the target: ${code}`
    : 'Cannot connect to the target';
}
