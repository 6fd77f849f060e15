/** Asks the gallery which files it has, many in one call. */
import type { KnownFile } from './queries.ts';

const maxPerCall = 200;
/** Milliseconds to wait for further files before a call. */
const delayMs = 400;

interface Waiting {
  sha256: string;
  resolve(known: KnownFile | undefined): void;
  reject(error: unknown): void;
}

export function createKnownFiles(find: (checksums: string[]) => Promise<KnownFile[]>) {
  let waiting: Waiting[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function ask(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const asked = waiting;
    waiting = [];
    try {
      const found = new Map((await find(asked.map(({ sha256 }) => sha256))).map((one) => [one.sha256, one]));
      for (const { sha256, resolve } of asked) resolve(found.get(sha256));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return (sha256: string): Promise<KnownFile | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ sha256, resolve, reject });
      if (waiting.length >= maxPerCall) void ask();
      else timer ??= setTimeout(() => void ask(), delayMs);
    });
}
