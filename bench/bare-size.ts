/**
 * Measures bare sharp in its own process: `bare-size.ts FILE` renders a 640 px size of the file on request.
 * The settings are those of `sizes.ts` of the server. The process answers with the CPU microseconds of each
 * rendering.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { sharp } from '../server/platform/imaging/worker/sharp.ts';
import { waitForAnswer } from './measure.ts';

export interface BareSize {
  /** Renders `many` sizes, and returns the CPU microseconds of each. */
  cost(many: number): Promise<number>;
  stop(): Promise<void>;
}

export function startBareSize(file: string): BareSize {
  const child: ChildProcess = fork(import.meta.filename, [file]);
  return {
    cost(many) {
      child.send(many);
      return waitForAnswer<number>(child);
    },
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

if (import.meta.main) {
  const file = process.argv[2]!;
  process.on('message', async (many: number) => {
    const before = process.cpuUsage();
    for (let n = 0; n < many; n++)
      await sharp(file).resize({ width: 640 }).webp({ quality: 80, effort: 2 }).toBuffer();
    const { user, system } = process.cpuUsage(before);
    process.send!((user + system) / many);
  });
}
