/** What a list costs that is compressed, next to the same uncompressed: the same page again and again, and others each time. */
import { report } from './limits.ts';
import { cpuPerRequest, median, type Server } from './measure.ts';

const rounds = 7;
const requests = 3000;

const accepted: Record<string, Record<string, string>> = {
  plain: {},
  'zstd, as browsers ask': { 'accept-encoding': 'gzip, deflate, br, zstd' },
  'gzip, as browsers ask over plain http': { 'accept-encoding': 'gzip, deflate' },
};

/** More pages than are kept compressed, each as near to the list's beginning. */
let asked = 0;
const reads = {
  'the same list': () => '/api/photos',
  'a list read anew': () => {
    asked++;
    return `/api/photos?page=${1 + (asked % 90)}&limit=${16 + (Math.floor(asked / 90) % 9)}`;
  },
};

export async function benchCompression(server: Server): Promise<void> {
  for (const [what, path] of Object.entries(reads)) {
    const costs = Object.fromEntries(Object.keys(accepted).map((name): [string, number[]] => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [name, headers] of Object.entries(accepted)) {
        costs[name]!.push(await cpuPerRequest(server, { path, headers, requests }));
      }
    }
    const plain = costs.plain!;
    for (const [name, values] of Object.entries(costs)) {
      const ratio = median(values.map((value, round) => value / plain[round]!));
      report(`${what}, ${name}: ${median(values).toFixed(0)} µs`, ratio, 'times plain', 1.33);
    }
  }
}
