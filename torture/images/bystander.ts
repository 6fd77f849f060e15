/**
 * An honest user during attacks, in its own thread, because an attacker's busy event loop would count as the
 * server's. Every second the thread starts an upload, requests the health and an original, and signs in. On
 * any message the thread finishes and reports its timings.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface BystanderData {
  url: string;
  token: string;
  login: { username: string; password: string };
  /** Id of the user's photo, whose original is requested. */
  photo: number;
  /** Bytes of the JPEG that the honest user uploads. */
  picture: Uint8Array<ArrayBuffer>;
}

export interface BystanderTiming {
  what: 'upload' | 'ready' | 'original' | 'login';
  /** Start of the request by the system's clock, in milliseconds. */
  begin: number;
  ms: number;
  /** Status of the response, or the reason why there was none. */
  status: number | string;
}

interface Answer {
  status: number;
  bytes: Buffer;
}

const everyMs = 1000;
/** Maximum of parallel uploads: a fourth one would wait for the user's other uploads. */
const maxUploads = 3;
const patienceMs = 120_000;

const { url, token, login, photo, picture } = workerData as BystanderData;
const authorization = `Bearer ${token}`;
const seen: BystanderTiming[] = [];
const underWay = new Set<Promise<void>>();
let uploads = 0;
let isOver = false;
let number = 0;

parentPort!.once('message', () => {
  isOver = true;
});

for (let next = Date.now(); !isOver; next = Math.max(next + everyMs, Date.now())) {
  await pause(Math.max(0, next - Date.now()));
  begin(see('ready', () => send('GET', '/health/ready')));
  begin(see('original', () => send('GET', `/api/photos/${photo}/download`)));
  begin(logIn());
  if (uploads < maxUploads) begin(upload());
}
await Promise.all(underWay);
parentPort!.postMessage(seen);

function begin(work: Promise<void>): void {
  underWay.add(work);
  void work.finally(() => underWay.delete(work));
}

/** Signs in, and signs out again, because an account has at most a hundred sessions. */
async function logIn(): Promise<void> {
  let session: string | undefined;
  await see('login', async () => {
    const answer = await send('POST', '/api/auth/login', {
      body: JSON.stringify(login),
      headers: { 'Content-Type': 'application/json' },
    });
    session = parseData(answer).token;
    return answer;
  });
  const headers = { authorization: `Bearer ${session}` };
  if (session) await send('POST', '/api/auth/logout', { headers }).catch(() => {});
}

/** Uploads a photo and deletes it again. */
async function upload(): Promise<void> {
  uploads++;
  const form = new FormData();
  form.append('title', `Photo ${number}`);
  // A different number at the end makes each uploaded file unique.
  form.append('file', new Blob([picture, String(number++)]), 'photo.jpg');
  let id: number | undefined;
  await see('upload', async () => {
    const answer = await send('POST', '/api/photos/upload', { body: form });
    id = parseData(answer).id;
    return answer;
  });
  uploads--;
  if (id === undefined) return;
  await send('DELETE', `/api/photos/${id}`).catch(() => {});
  await send('DELETE', `/api/trash/${id}`).catch(() => {});
}

async function see(what: BystanderTiming['what'], ask: () => Promise<{ status: number }>): Promise<void> {
  const [begin, start] = [Date.now(), performance.now()];
  const status = await ask().then(
    (answer) => answer.status,
    (error: Error) => `${error.name}: ${error.message}`,
  );
  seen.push({ what, begin, ms: performance.now() - start, status });
}

function parseData({ bytes }: Answer): { id?: number; token?: string } {
  return (JSON.parse(bytes.toString()) as { data?: object }).data ?? {};
}

async function send(
  method: string,
  path: string,
  { body, headers }: { body?: string | FormData; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization, ...headers },
    signal: AbortSignal.timeout(patienceMs),
    ...(body !== undefined && { body }),
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}
