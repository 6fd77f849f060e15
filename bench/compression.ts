/** What a compressed list costs, next to the same uncompressed. */
import { costsInTurn } from './in-turn.ts';
import { report } from './limits.ts';
import { median, type Server } from './measure.ts';

const accepted: Record<string, { acceptEncoding?: string }> = {
  plain: {},
  'zstd, as browsers ask': { acceptEncoding: 'gzip, deflate, br, zstd' },
  'gzip, as browsers ask over plain http': { acceptEncoding: 'gzip, deflate' },
};

/** By the number of a request: pages near to the list's beginning. */
const pathOf = (n: number) => `/api/photos?page=${1 + (n % 90)}&limit=${16 + (Math.floor(n / 90) % 9)}`;

export async function benchCompression(server: Server): Promise<void> {
  // All ask for the same pages in the same order: a round's bursts differ by nothing but what they accept.
  const subjects = Object.entries(accepted).map(([name, accept]) => {
    const requestOf = (n: number) => ({ path: pathOf(n), ...accept });
    return [name, { server, requestOf }];
  });
  const costs: Record<string, number[]> = await costsInTurn(Object.fromEntries(subjects));
  const plain = costs.plain!;
  for (const [name, values] of Object.entries(costs)) {
    const ratio = median(values.map((value, round) => value / plain[round]!));
    report(`a list, ${name}: ${median(values).toFixed(0)} µs`, ratio, 'times plain', 2);
  }
}
