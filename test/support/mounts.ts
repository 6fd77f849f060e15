/** Small file systems of their own, where this machine lets them be mounted. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export const runProgram = promisify(execFile);

/** What `mount` is given but for the folder; returns why it was refused, or undefined. */
export async function mount(folder: string, ...args: string[]): Promise<string | undefined> {
  try {
    await runProgram('mount', [...args, folder]);
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return (stderr || message).trim().split('\n')[0];
  }
}

/** Also where something is still open in it: then it goes once that is closed. */
export async function unmount(folder: string): Promise<void> {
  await runProgram('umount', [folder]).catch(() => runProgram('umount', ['--lazy', folder]));
}
