/**
 * Main program of a picture worker. The worker reads jobs from standard input, one line of JSON each, and answers each
 * with a line. The worker starts with as few rights as possible (`pool/launch.ts`), and drops the rest before it sees a
 * picture. Arguments: the user id to switch to, or `-`; and `heic` to load that decoder.
 */
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import type { ImagingJob } from '../jobs.ts';
import { dropPrivileges } from './drop-privileges.ts';
import { toWorkerFailure } from './failures.ts';
import { type HeicDecoder, runImagingJob } from './run-job.ts';

const [user = '-', also] = process.argv.slice(2);
let heicDecoder: HeicDecoder | undefined;
if (also === 'heic') heicDecoder = (await import('./heic.ts')).decodeHeic;
// The compile cache is saved while the server user's files can still be written. The cache halves the start time of the
// next worker.
flushCompileCache();
dropPrivileges(user);

const inputLines = createInterface({ input: process.stdin });
inputLines.on('line', async (line) => {
  const { id, job } = JSON.parse(line) as { id: string; job: ImagingJob };
  try {
    sendMessage({ id, answer: await runImagingJob(job, heicDecoder) });
  } catch (error) {
    sendMessage({ id, failure: toWorkerFailure(error) });
  }
});
// The server has ended. A decoder in its thread would block `exit`, and the first process of a namespace ignores its
// own signals.
inputLines.on('close', () => process.abort());
sendMessage({ id: 'ready' });

function sendMessage(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
