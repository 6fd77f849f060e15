/** Mounts small file systems, if this machine allows it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export const runProgram = promisify(execFile);

/**
 * Mounts a file system on the folder with these arguments of `mount`. Returns the reason if the mount is
 * refused, or undefined.
 */
export async function mount(folder: string, ...args: string[]): Promise<string | undefined> {
  try {
    await runProgram('mount', [...args, folder]);
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return (stderr || message).trim().split('\n')[0];
  }
}

/** Unmounts a file system. If a file is still open, the unmount happens when the file is closed. */
export async function unmount(folder: string): Promise<void> {
  await runProgram('umount', [folder]).catch(() => runProgram('umount', ['--lazy', folder]));
}
