/** Calls of the API: the envelope is opened, a refusal is an ApiError. Only files called `queries.ts` call it. */
import { inReadersWords } from '../errors/readers-words.ts';
import { account } from './account.ts';
import { governor, type Urgency } from './governor.ts';
import { session } from './session.ts';

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

type Value = string | number | boolean | null | undefined;

export interface Call {
  query?: Record<string, Value>;
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** `ahead`: nobody waits for it, so it stays away where few calls are left. */
  urgency?: Urgency;
  /** It is sent although the page goes; nobody reads the answer. Its body is short. */
  isLast?: boolean;
}

/** Throws ApiError. */
export async function call<Data>(method: string, path: string, options: Call = {}): Promise<Data> {
  const { query, body, signal, urgency = 'page', isLast = false } = options;
  await governor.before(method === 'GET' ? urgency : 'act', signal);
  await account.check();
  const response = await send(`${path}${searchOf(query)}`, {
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
  governor.note(response.headers);
  // A call that was one too many is sent once more when the minute is over.
  if (response.status === 429 && governor.isEmpty()) return call(method, path, options);
  const envelope = await read<Data>(response);
  if (envelope.code === 0) return envelope.data;
  // The session has ended while one works: once one has signed in again, the call goes on.
  if (isOfEndedSession(envelope.code) && urgency !== 'ahead' && (await session.renew())) {
    return call(method, path, options);
  }
  const told = await inReadersWords(envelope.code, envelope.message ?? '', envelope.errors);
  throw new ApiError(response.status, envelope.code, ...told, envelope.data);
}

/** Not logged in; token expired. */
function isOfEndedSession(code: number): boolean {
  return code === 401 || code === 10006;
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: 'same-origin' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(offline, 0, '');
  }
}

/** What is no envelope comes from a proxy. */
async function read<Data>(response: Response): Promise<Envelope<Data>> {
  try {
    return (await response.json()) as Envelope<Data>;
  } catch {
    throw new ApiError(response.status, response.status, '');
  }
}

function searchOf(query: Record<string, Value> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search && `?${search}`;
}
