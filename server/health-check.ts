/**
 * Asks the server of this container whether it is alive, at the address on which the settings make it listen. Exits
 * with 0 or 1, as the HEALTHCHECK of the image expects.
 */
import { readConfig } from './config.ts';

/** Milliseconds that the server has to answer. */
const limitMs = 4000;

const { host, port } = readConfig();
const response = await fetch(`http://${reachableHost(host)}:${port}/health/live`, {
  signal: AbortSignal.timeout(limitMs),
}).catch(() => undefined);
process.exitCode = response?.status === 200 ? 0 : 1;

/** Returns a host that a client can connect to. A server that listens on every address also accepts IPv4. */
function reachableHost(listening: string): string {
  if (listening === '::' || listening === '0.0.0.0') return '127.0.0.1';
  return listening.includes(':') ? `[${listening}]` : listening;
}
