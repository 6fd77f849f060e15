/** Counts requests and responses, and collects forbidden responses. */
import type { UnderWay } from './save-files.ts';

export interface Tally {
  /** Number of pictures sent, by their kind. */
  sent: Map<string, number>;
  accepted: number;
  refused: number;
  /** Number of responses, by `kind request status`. */
  statuses: Map<string, number>;
  /** Responses with 5xx, and those that openapi.json does not promise. */
  faults: string[];
  /** Files that caused the first faults. */
  faulty: UnderWay[];
  crashes: string[];
  /** Files in work when the first connection broke; one or several of them may have ended the server. */
  atCrash: UnderWay[];
  differing: string[];
  /** Time of the slowest response, in milliseconds. */
  slowest: number;
  slowestWhat: string;
  underWay: Set<UnderWay>;
}

const maxFaulty = 100;

export function createTally(): Tally {
  return {
    sent: new Map(),
    accepted: 0,
    refused: 0,
    statuses: new Map(),
    faults: [],
    faulty: [],
    crashes: [],
    atCrash: [],
    differing: [],
    slowest: 0,
    slowestWhat: '',
    underWay: new Set(),
  };
}

export function countOne(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

export function addFault(tally: Tally, file: UnderWay, what: string): void {
  tally.faults.push(what);
  if (tally.faulty.length < maxFaulty) tally.faulty.push({ ...file });
}

/**
 * Returns text such as `jpeg: 200 180, 413 3, 415 20; png: …`: the responses to uploads and avatars by kind.
 */
export function answersByKind({ statuses }: Tally): string {
  const kinds = new Map<string, Map<string, number>>();
  for (const [key, times] of statuses) {
    const [kind = '', request = '', status = ''] = key.split(' ');
    const counts = kinds.get(kind) ?? new Map<string, number>();
    kinds.set(kind, counts);
    const name = request === 'upload' ? status : `${request} ${status}`;
    counts.set(name, times);
  }
  const told = [...kinds].map(([kind, counts]) => {
    const each = [...counts].sort(([a], [b]) => a.localeCompare(b));
    return `${kind}: ${each.map(([name, times]) => `${name} ×${times}`).join(', ')}`;
  });
  return told.join('; ');
}
