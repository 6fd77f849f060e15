/** What a list costs that is compressed, next to the same uncompressed: the same page again and again, and others each time. */
import { costsInTurn } from './in-turn.ts';
import { report } from './limits.ts';
import { median, type Server } from './measure.ts';

const accepted: Record<string, { acceptEncoding?: string }> = {
  plain: {},
  'zstd, as browsers ask': { acceptEncoding: 'gzip, deflate, br, zstd' },
  'gzip, as browsers ask over plain http': { acceptEncoding: 'gzip, deflate' },
};

/** By the number of a request: more pages than are kept compressed, each as near to the list's beginning. */
const reads = {
  'the same list': () => '/api/photos',
  'a list read anew': (n: number) =>
    `/api/photos?page=${1 + (n % 90)}&limit=${16 + (Math.floor(n / 90) % 9)}`,
};

export async function benchCompression(server: Server): Promise<void> {
  for (const [what, pathOf] of Object.entries(reads)) {
    // All ask for the same pages in the same order: a round's bursts differ by nothing but what they accept.
    const subjects = Object.entries(accepted).map(([name, accept]) => {
      const requestOf = (n: number) => ({ path: pathOf(n), ...accept });
      return [name, { server, requestOf }];
    });
    const costs: Record<string, number[]> = await costsInTurn(Object.fromEntries(subjects));
    const plain = costs.plain!;
    for (const [name, values] of Object.entries(costs)) {
      const ratio = median(values.map((value, round) => value / plain[round]!));
      report(`${what}, ${name}: ${median(values).toFixed(0)} µs`, ratio, 'times plain', 1.33);
    }
  }
}
