/**
 * Calls the API: returns the data of a response, and throws ApiError for a refusal. Only `queries.ts` files
 * use this module.
 */
import { localizeError } from '../errors/localize-error.ts';
import { accountWatch } from './account-watch.ts';
import { type ApiCallUrgency, rateLimiter } from './rate-limiter.ts';
import { sessionRenewal } from './session-renewal.ts';

export class ApiError extends Error {
  readonly status: number;
  readonly code: number;
  /** Messages for each field of a refused form. */
  readonly fields: Record<string, string[]>;
  /** Data of the response beside its message. */
  readonly data: unknown;

  constructor(
    status: number,
    code: number,
    message: string,
    fields: Record<string, string[]> = {},
    data?: unknown,
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.data = data;
  }
}

/** Status of an ApiError for a call that did not reach the server. */
export const offlineStatus = 0;

interface Envelope<Data> {
  code: number;
  message?: string;
  data: Data;
  errors?: Record<string, string[]>;
}

type QueryValue = string | number | boolean | null | undefined;

export interface CallOptions {
  query?: Record<string, QueryValue>;
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** `ahead` is for prefetches: they are not sent while few calls are left. */
  urgency?: ApiCallUrgency;
  /**
   * Sends the call although the page is being closed. Nobody reads the response, and the body must be short.
   */
  isLast?: boolean;
}

/** Calls the API and returns the data of its response. Throws ApiError. */
export async function callApi<Data>(method: string, path: string, options: CallOptions = {}): Promise<Data> {
  const { query, body, signal, urgency = 'page', isLast = false } = options;
  await rateLimiter.before(method === 'GET' ? urgency : 'act', signal);
  await accountWatch.check();
  const response = await sendRequest(`${path}${toQueryString(query)}`, {
    method,
    ...(signal && { signal }),
    ...(isLast && { keepalive: true }),
    // The browser sets the content type of a FormData body.
    ...(body instanceof FormData && { body }),
    ...(body !== undefined &&
      !(body instanceof FormData) && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
  });
  rateLimiter.note(response.headers);
  // A call that exceeded the rate limit is sent again in the next minute.
  if (response.status === 429 && rateLimiter.isEmpty()) return callApi(method, path, options);
  const envelope = await readEnvelope<Data>(response);
  if (envelope.code === 0) return envelope.data;
  // The session has expired: the call is sent again after the user has signed in again.
  if (isSessionEnded(envelope.code) && urgency !== 'ahead' && (await sessionRenewal.renew())) {
    return callApi(method, path, options);
  }
  const told = await localizeError(envelope.code, envelope.message ?? '', envelope.errors);
  throw new ApiError(response.status, envelope.code, ...told, envelope.data);
}

/** 401 means that the request has no session; 10006 means that the session has expired. */
function isSessionEnded(code: number): boolean {
  return code === 401 || code === 10006;
}

async function sendRequest(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: 'same-origin' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(offlineStatus, 0, '');
  }
}

/** A response without the API's envelope comes from a proxy. */
async function readEnvelope<Data>(response: Response): Promise<Envelope<Data>> {
  try {
    return (await response.json()) as Envelope<Data>;
  } catch {
    throw new ApiError(response.status, response.status, '');
  }
}

function toQueryString(query: Record<string, QueryValue> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search && `?${search}`;
}
