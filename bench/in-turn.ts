/**
 * Measures the cost of requests by alternating short bursts between servers. On a shared machine, longer
 * rounds could let a slow moment affect only one of the servers.
 */
import { type CreateRequest, type Load, openLoad } from './burst.ts';
import type { Server } from './measure.ts';

const connections = 10;
const warmUpMs = 1500;

export interface Subject {
  server: Server;
  createRequest: CreateRequest;
}

/** Returns the CPU microseconds of one request for each subject and round. */
export async function costsInTurn<Name extends string>(
  subjects: Record<Name, Subject>,
  { rounds = 60, perBurst = 300 } = {},
): Promise<Record<Name, number[]>> {
  const all = Object.entries<Subject>(subjects).map(([name, subject]) => ({
    name: name as Name,
    ...subject,
  }));
  for (const { server, createRequest } of all) await warmUp(server, createRequest, perBurst);
  const costs = Object.fromEntries(all.map(({ name }) => [name, [] as number[]])) as Record<Name, number[]>;
  const loads = new Map<Name, Load>();
  for (let round = 0; round < rounds; round++) {
    for (const { name, server, createRequest } of all) {
      // Connections open in the first round, because a server closes connections that send no request.
      const load = loads.get(name) ?? (await openLoad(server.url, connections, createRequest));
      loads.set(name, load);
      const before = (await server.usage()).cpuMicros;
      await load.burst(perBurst);
      costs[name].push(((await server.usage()).cpuMicros - before) / perBurst);
    }
  }
  for (const load of loads.values()) load.close();
  return costs;
}

async function warmUp(server: Server, createRequest: CreateRequest, perBurst: number): Promise<void> {
  const load = await openLoad(server.url, connections, createRequest);
  const end = performance.now() + warmUpMs;
  while (performance.now() < end) await load.burst(perBurst);
  load.close();
}
