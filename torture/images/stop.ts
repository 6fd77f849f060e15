/** Sends SIGTERM during heavy pictures: all processes must end in time, and no file may remain. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { MemoryGroup } from '../../test/support/memory-group.ts';
import { type Person, register } from '../../test/support/people.ts';
import { findPictureWorkers } from '../../test/support/picture-workers.ts';
import type { ServerProcess } from '../../test/support/server-process.ts';
import { atLeast, atMost, createInfoFigure, type Figure, none } from '../part.ts';
import type { Sent } from './use-gallery.ts';

const maxSeconds = 10;
const patienceMs = 60_000;
const lookMs = 20;
const untilMiddleMs = 1000;
/** Time limit until a job has begun, because a worker for a heavy picture is newly started. */
const untilBusyMs = 30_000;
const sendersOfEach = 4;

interface Stopped {
  server: ServerProcess;
  group: MemoryGroup | undefined;
  dataDir: string;
  /** Pictures that each occupy a worker for seconds. */
  heavy: Sent[];
}

export async function stopAmidHostile({ server, group, dataDir, heavy }: Stopped): Promise<Figure[]> {
  const person = await register(server, 'last');
  const pictures = Array.from({ length: sendersOfEach }, () => heavy).flat();
  const answers = pictures.map(({ bytes }) => uploadForStatus(person, bytes));
  // SIGTERM is sent while the first jobs run and others wait.
  await pause(untilMiddleMs);
  const busy = performance.now() + untilBusyMs;
  let atWork = await foldersAtWork(dataDir);
  while (atWork === 0 && performance.now() < busy) {
    await pause(lookMs);
    atWork = await foldersAtWork(dataDir);
  }
  const begin = performance.now();
  const code = await Promise.race([server.end('SIGTERM'), pause(patienceMs, 'never', { ref: false })]);
  const ended = (performance.now() - begin) / 1000;
  const left = () => [...new Set([...findPictureWorkers(dataDir), ...(group?.processes() ?? [])])];
  while (left().length > 0 && performance.now() - begin < patienceMs) await pause(lookMs);
  const seconds = (performance.now() - begin) / 1000;
  await Promise.all(answers);
  return [
    atLeast('picture workers at work at SIGTERM', atWork, 1),
    none('exits other than 0 after SIGTERM', code === 0 ? [] : [String(code)]),
    createInfoFigure('the server ended after', `${ended.toFixed(1)} s`),
    atMost('SIGTERM until its last process ended', seconds, maxSeconds, 's'),
    none('processes left', left().map(String)),
    none('folders of workers left', await readdir(join(dataDir, 'workers'))),
  ];
}

/** Uploads a picture. The status does not matter, because the server stops. */
function uploadForStatus(person: Person, bytes: Buffer): Promise<number> {
  return person.upload(bytes).then(
    ({ status }) => status,
    () => 0,
  );
}

async function foldersAtWork(dataDir: string): Promise<number> {
  const folder = join(dataDir, 'workers');
  const inEach = (await readdir(folder)).map((name) => readdir(join(folder, name)).catch(() => []));
  return (await Promise.all(inEach)).filter((names) => names.length > 0).length;
}
