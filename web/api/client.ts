/** Calls of the API: the envelope is opened, a refusal is an ApiError. Only files called `queries.ts` call it. */
import { localizeError } from '../errors/readers-words.ts';
import { accountWatch } from './account.ts';
import { rateLimiter, type Urgency } from './governor.ts';
import { sessionRenewal } from './session.ts';

export class ApiError extends Error {
  readonly status: number;
  readonly code: number;
  /** What is wrong with each field, of a form that was refused. */
  readonly fields: Record<string, string[]>;
  /** What the answer holds beside its message. */
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

/** Status of a call that did not arrive. */
export const offline = 0;

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
  /** `ahead`: nobody waits for it, so it stays away where few calls are left. */
  urgency?: Urgency;
  /** It is sent although the page goes; nobody reads the answer. Its body is short. */
  isLast?: boolean;
}

/** Throws ApiError. */
export async function callApi<Data>(method: string, path: string, options: CallOptions = {}): Promise<Data> {
  const { query, body, signal, urgency = 'page', isLast = false } = options;
  await rateLimiter.before(method === 'GET' ? urgency : 'act', signal);
  await accountWatch.check();
  const response = await sendRequest(`${path}${toQueryString(query)}`, {
    method,
    ...(signal && { signal }),
    ...(isLast && { keepalive: true }),
    // A form says by itself what it is.
    ...(body instanceof FormData && { body }),
    ...(body !== undefined &&
      !(body instanceof FormData) && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
  });
  rateLimiter.note(response.headers);
  // A call that was one too many is sent once more when the minute is over.
  if (response.status === 429 && rateLimiter.isEmpty()) return callApi(method, path, options);
  const envelope = await readEnvelope<Data>(response);
  if (envelope.code === 0) return envelope.data;
  // The session has ended while one works: once one has signed in again, the call goes on.
  if (isSessionEnded(envelope.code) && urgency !== 'ahead' && (await sessionRenewal.renew())) {
    return callApi(method, path, options);
  }
  const told = await localizeError(envelope.code, envelope.message ?? '', envelope.errors);
  throw new ApiError(response.status, envelope.code, ...told, envelope.data);
}

/** Not logged in; token expired. */
function isSessionEnded(code: number): boolean {
  return code === 401 || code === 10006;
}

async function sendRequest(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: 'same-origin' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(offline, 0, '');
  }
}

/** What is no envelope comes from a proxy. */
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
