/**
 * An honest person while others attack: a thread of its own, so that an attacker's event loop does not count as the
 * server's. Each second begins an upload, the health and an original are asked, and somebody logs in. On any message it
 * finishes, and tells what it saw.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface BystanderData {
  url: string;
  token: string;
  login: { username: string; password: string };
  /** A photo of the person's, whose original is asked for. */
  photo: number;
  /** A JPEG. */
  picture: Uint8Array<ArrayBuffer>;
}

export interface BystanderTiming {
  what: 'upload' | 'ready' | 'original' | 'login';
  /** Of the system's clock, in milliseconds. */
  begin: number;
  ms: number;
  /** Or why there was none. */
  status: number | string;
}

interface Answer {
  status: number;
  bytes: Buffer;
}

const everyMs = 1000;
/** An upload that would be the fourth under way is left out: it would wait for the person's own. */
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

/** And out again: an account has a hundred sessions at most. */
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

/** And deletes it again. */
async function upload(): Promise<void> {
  uploads++;
  const form = new FormData();
  form.append('title', `Photo ${number}`);
  // Each is another file.
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
