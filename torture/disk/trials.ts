/** What is done to the machine below a server, and undone. */
import { readdirSync } from 'node:fs';
import { type FailingCalls, failCalls } from '../../test/support/failing-calls.ts';
import { runProgram } from '../../test/support/mounts.ts';
import type { FillableVolume } from '../../test/support/volumes.ts';
import type { Scene, Trouble } from '../trouble/scene.ts';

/** Less than what one photo takes, mostly. */
const maxFreeBytes = 500_000;
/** Free descriptors, but for a few. */
const maxFreeDescriptors = 12;
const tries = 40;
const failingCalls = ['fsync,fdatasync', 'pwrite64', 'fsync,fdatasync,pwrite64,rename'];
/** Of descriptors. */
const usual = 1024;

export function full({ random }: Scene, volume: FillableVolume): Trouble {
  return {
    begin: () => volume.leaveFree(random.below(maxFreeBytes)),
    end: volume.makeRoom,
  };
}

/** Tries again while a file is open for writing. */
export function readOnly(volume: FillableVolume, onRefused: () => void): Trouble {
  return {
    keepsObjects: true,
    async begin() {
      for (let left = tries; left > 0; left--) if (!(await volume.setReadOnly(true))) return;
      onRefused();
    },
    async end() {
      await volume.setReadOnly(false);
    },
  };
}

/** Single writes and flushes of the database and of files give EIO, of each thread the first few and every so many. */
export function failing({ random, server }: Scene): Trouble {
  let calls: FailingCalls | undefined;
  return {
    // Of a commit that was not flushed they stay: after a crash it may be there.
    keepsObjects: true,
    async begin() {
      const when = `${1 + random.below(4)}+${1 + random.below(4)}`;
      calls = await failCalls(server.pid, { calls: random.pick(failingCalls), when });
    },
    async end() {
      await calls?.end();
    },
  };
}

/** By what the system lets a process have open at most, changed while it runs. */
export function withoutDescriptors({ random, server }: Scene): Trouble {
  const limit = (count: number | 'unlimited') =>
    runProgram('prlimit', ['--pid', String(server.pid), `--nofile=${count}:`]);
  return {
    isOfConnections: true,
    async begin() {
      const open = readdirSync(`/proc/${server.pid}/fd`).length;
      await limit(open + random.below(maxFreeDescriptors) - 4);
    },
    async end() {
      await limit(usual);
    },
  };
}
