/**
 * The program of a picture worker: takes one job after the other from its standard input, a line of JSON each, and
 * answers each with a line. It is started with as few rights as the system can take away (pool/launch.ts), gives up what
 * it needed to start, and only then sees a picture. Arguments: the user id to become or `-`, and `heic` where it is to
 * decode that.
 */
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import type { Job } from '../jobs.ts';
import { giveUpRights } from './rights.ts';
import { type HeicDecoder, runJob } from './run-job.ts';
import { toFailure } from './undecodable.ts';

const [user = '-', also] = process.argv.slice(2);
let heic: HeicDecoder | undefined;
if (also === 'heic') heic = (await import('./heic.ts')).decodeHeic;
// While files of the server's user may still be written: the next worker starts in half the time.
flushCompileCache();
giveUpRights(user);

const lines = createInterface({ input: process.stdin });
lines.on('line', async (line) => {
  const { id, job } = JSON.parse(line) as { id: string; job: Job };
  try {
    tell({ id, answer: await runJob(job, heic) });
  } catch (error) {
    tell({ id, failure: toFailure(error) });
  }
});
// The server has gone. A decoder in its thread would keep `exit` waiting, and no signal of its own ends the first
// process of a namespace.
lines.on('close', () => process.abort());
tell({ id: 'ready' });

function tell(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
