/**
 * Runs commands one after the other in a single process, as `command.ts` sends them, because loading the
 * program takes longer than most commands. A command's output goes to the real standard output and error, and
 * ends with a mark.
 */
import { Readable } from 'node:stream';

export interface CommandOrder {
  args: string[];
  environment: Record<string, string>;
  input: string;
  /** Seconds by which the command's clock is ahead. */
  later: number;
  /** Text that is written to standard output and standard error when the command has ended. */
  mark: string;
}

/** Thrown instead of exiting, because this process runs further commands. */
class ProcessEnd extends Error {}

const { now } = Date;
let runCount = 0;

process.exit = (code) => {
  process.exitCode = code ?? process.exitCode;
  throw new ProcessEnd();
};
process.on('message', async (order: CommandOrder) => {
  await runCommandOrder(order);
  for (const stream of [process.stdout, process.stderr]) stream.write(order.mark);
  process.send!(Number(process.exitCode ?? 0));
});

async function runCommandOrder({ args, environment, input, later }: CommandOrder): Promise<void> {
  process.exitCode = undefined;
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true });
  Date.now = () => now() + later * 1000;
  try {
    // The query string makes Node evaluate the module again, which runs the command in process.argv.
    await import(`../../server/cli.ts?run=${++runCount}`);
  } catch (error) {
    if (!(error instanceof ProcessEnd)) throw error;
  }
}
