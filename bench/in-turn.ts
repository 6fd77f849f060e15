/**
 * What a request costs servers, measured in turn by bursts of a few hundredths of a second: on a machine that others
 * use, a second is long enough for one server to meet a slow moment and for the next to miss it.
 */
import { type Load, openLoad, type RequestOf } from './burst.ts';
import type { Server } from './measure.ts';

const connections = 10;
const perBurst = 300;
const warmUp = 3000;

export interface Subject {
  server: Server;
  requestOf: RequestOf;
}

/** Microseconds of CPU of one request of each subject, round by round. */
export async function costsInTurn<Name extends string>(
  subjects: Record<Name, Subject>,
  rounds = 60,
): Promise<Record<Name, number[]>> {
  const costs = {} as Record<Name, number[]>;
  const loads: { name: Name; server: Server; load: Load }[] = [];
  for (const [name, { server, requestOf }] of Object.entries<Subject>(subjects)) {
    const load = await openLoad(server.url, connections, requestOf);
    // At once: a server ends connections that ask for nothing.
    await load.burst(warmUp);
    costs[name as Name] = [];
    loads.push({ name: name as Name, server, load });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { name, server, load } of loads) {
      const before = (await server.usage()).cpuMicros;
      await load.burst(perBurst);
      costs[name].push(((await server.usage()).cpuMicros - before) / perBurst);
    }
  }
  for (const { load } of loads) load.close();
  return costs;
}
