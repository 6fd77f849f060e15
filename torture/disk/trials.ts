/** Troubles of the machine under a server, which begin and end. */
import { readdirSync } from 'node:fs';
import { type FailingCalls, failCalls } from '../../test/support/failing-calls.ts';
import { runProgram } from '../../test/support/mounts.ts';
import type { FillableVolume } from '../../test/support/volumes.ts';
import type { Scene, Trouble } from '../trouble/scene.ts';

/** Free bytes on a full volume, mostly less than one photo takes. */
const maxFreeBytes = 500_000;
/** Maximum number of free file descriptors during the trouble. */
const maxFreeDescriptors = 12;
const tries = 40;
const failingCalls = ['fsync,fdatasync', 'pwrite64', 'fsync,fdatasync,pwrite64,rename'];
/** Normal limit of file descriptors. */
const usual = 1024;

export function full({ random }: Scene, volume: FillableVolume): Trouble {
  return {
    begin: () => volume.leaveFree(random.below(maxFreeBytes)),
    end: volume.makeRoom,
  };
}

/** Makes the volume read-only. Tries again while a file is open for writing. */
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

/**
 * Lets single writes and flushes of database and files fail with EIO: the first few of each thread, later
 * every n-th.
 */
export function failing({ random, server }: Scene): Trouble {
  let calls: FailingCalls | undefined;
  return {
    // An unflushed commit may appear after a crash, so its objects must stay.
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

/** Lowers the limit of file descriptors of the running server. */
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
