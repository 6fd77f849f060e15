/** Measures the CPU of a compressed list, compared with the same list uncompressed. */
import { costsInTurn } from './in-turn.ts';
import { report } from './limits.ts';
import { median, type Server } from './measure.ts';

const accepted: Record<string, { acceptEncoding?: string }> = {
  plain: {},
  'zstd, as browsers ask': { acceptEncoding: 'gzip, deflate, br, zstd' },
  'gzip, as browsers ask over plain http': { acceptEncoding: 'gzip, deflate' },
};

/** The path of the nth request: a page near the list's beginning. */
const pagePath = (n: number) => `/api/photos?page=${1 + (n % 90)}&limit=${16 + (Math.floor(n / 90) % 9)}`;

export async function benchCompression(server: Server): Promise<void> {
  // All subjects request the same pages in the same order: bursts of a round differ only in `Accept-Encoding`.
  const subjects = Object.entries(accepted).map(([name, accept]) => {
    const createRequest = (n: number) => ({ path: pagePath(n), ...accept });
    return [name, { server, createRequest }];
  });
  const costs: Record<string, number[]> = await costsInTurn(Object.fromEntries(subjects));
  const plain = costs.plain!;
  for (const [name, values] of Object.entries(costs)) {
    const ratio = median(values.map((value, round) => value / plain[round]!));
    report(`a list, ${name}: ${median(values).toFixed(0)} µs`, ratio, 'times plain', 2);
  }
}
