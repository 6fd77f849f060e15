/** A gallery under load whose machine gets into trouble, and whose server is never restarted. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../test/support/gallery-counts.ts';
import { asVisitor } from '../../test/support/people.ts';
import { createRandom, type Random } from '../../test/support/random.ts';
import { type ServerProcess, startServer } from '../../test/support/server-process.ts';
import { checkAgainstLedger } from '../load/check-ledger.ts';
import { type Faults, noFaults } from '../load/faults.ts';
import { createLedger, type Ledger } from '../load/ledger.ts';
import { createLoad, registerUsers, someWork } from '../load/load.ts';
import { tryAll } from '../load/try-all.ts';
import { isTemporary, leftovers } from './leftovers.ts';

export interface Settings {
  dataDir: string;
  environment: Record<string, string>;
}

export interface Troubles {
  faults: Faults;
  /** Reads that failed during the trouble, and refusals where none are allowed. */
  failedReads: string[];
  /** Kinds of change that failed after the trouble. */
  notRecovered: string[];
  /** Unreferenced files after the trouble. */
  leftOver: string[];
}

export interface Scene {
  random: Random;
  server: ServerProcess;
  ledger: Ledger;
  troubles: Troubles;
  /** Runs the load before `begin`, for some time after it, and until `end` is done. */
  work(trouble: Trouble): Promise<void>;
  /** Checks that everything works again and nothing is lost. */
  assess(isLast: boolean, trouble: Trouble): Promise<void>;
  end(): Promise<void>;
}

export interface Trouble {
  begin(): Promise<void>;
  end(): Promise<void>;
  /** True if connections may be lost and reads refused. */
  isOfConnections?: boolean;
  /** Returns whether reads of this path may have been refused with 503; called after the trouble. */
  refusesReads?(path: string): boolean;
  /** True if no request may be refused, because the server works without the missing dependency. */
  refusesNothing?: boolean;
  /** True if stored objects cannot be removed during the trouble; they stay until the maintenance run. */
  keepsObjects?: boolean;
  /** Milliseconds after the trouble in which 503 is still allowed. The default is 0. */
  recoversInMs?: number;
}

/** Statuses of a clear refusal: retry later, or no space. */
const clearRefusals = [503, 507];
const readEveryMs = 50;
const recoveryMs = 20_000;

export async function openScene(settings: Settings, seed: number): Promise<Scene> {
  const random = createRandom(seed);
  // With io_uring, libuv would bypass the intercepted system calls.
  const environment = { ...settings.environment, UV_USE_IO_URING: '0' };
  const server = await startServer({ ...settings, environment });
  const ledger = createLedger();
  for (const status of clearRefusals) ledger.refusals.set(status, 0);
  const troubles: Troubles = { faults: noFaults(), failedReads: [], notRecovered: [], leftOver: [] };
  await registerUsers(ledger, server);
  const load = await createLoad(ledger, random);
  const orphans = new Set<string>();

  return {
    random,
    server,
    ledger,
    troubles,
    async work({ begin, end, refusesReads, refusesNothing, isOfConnections = false }) {
      const refusalsBefore = countClearRefusals(ledger);
      const workers = load.begin(server, isOfConnections);
      const reading = new AbortController();
      const failed: FailedRead[] = [];
      const reads = isOfConnections
        ? undefined
        : readOn(server, reading.signal, failed).catch((error) => {
            failed.push({ path: String(error), status: 0 });
          });
      try {
        await someWork(ledger, random);
        await begin();
        await someWork(ledger, random);
      } finally {
        await end();
        await workers.end();
        reading.abort();
        await reads;
        troubles.failedReads.push(
          ...failed
            .filter(({ path, status }) => status !== 503 || !refusesReads?.(path))
            .map(({ path, status }) => `GET ${path}: ${status}`),
        );
        const refused = countClearRefusals(ledger) - refusalsBefore;
        if (refusesNothing && refused > 0) troubles.failedReads.push(`${refused} requests were refused`);
      }
    },
    async assess(isLast, { keepsObjects, recoversInMs }) {
      await tryAll(server, ledger, troubles.notRecovered, recoversInMs);
      const isChosen = () => isLast || random.chance(0.1);
      const { faults } = troubles;
      await checkAgainstLedger({
        ledger,
        faults,
        place: server,
        settings,
        isChosen,
        check: isLast ? 'full' : 'none',
      });
      // Removal of a refused request's files may still be running.
      const look = async () => {
        const found = await leftovers(settings);
        if (keepsObjects) for (const name of found) if (!isTemporary(name)) orphans.add(name);
        assert.deepEqual(
          found.filter((name) => !orphans.has(name)),
          [],
        );
      };
      await eventually(look, recoveryMs).catch((error) => troubles.leftOver.push(String(error.actual)));
    },
    async end() {
      await server.end('SIGKILL');
    },
  };
}

function countClearRefusals({ refusals }: Ledger): number {
  return clearRefusals.reduce((sum, status) => sum + (refusals.get(status) ?? 0), 0);
}

interface FailedRead {
  path: string;
  /** Status of the failed read, or 0 without a response. */
  status: number;
}

/** Reads a list and a picture as a visitor, over and over. */
async function readOn(server: ServerProcess, stop: AbortSignal, failed: FailedRead[]): Promise<void> {
  const visitor = asVisitor(server);
  while (!stop.aborted) {
    const { status, body } = await visitor.get('/api/photos');
    if (status !== 200) failed.push({ path: '/api/photos', status });
    const photo = body.data?.list?.[0];
    const shown = photo ? (await visitor.get(photo.thumb)).status : 200;
    // The photo may have been deleted or hidden meanwhile.
    if (![200, 403, 404].includes(shown)) failed.push({ path: photo.thumb, status: shown });
    await pause(readEveryMs);
  }
}
