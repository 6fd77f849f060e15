/** Which of our encodings a client takes (RFC 9110, 12.5.3). What it names with `q=0` it refuses, also beside a `*`. */
import { LRUCache } from 'lru-cache';

/** Browsers send a few headers; what others write into it is not kept for long. */
const maxHeaders = 100;
const maxHeaderLength = 200;

const item = /^\s*([\w*-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i;

/** `ours`: the one that we would rather send first. What it makes returns undefined for no encoding. */
export function createChooseEncoding<Encoding extends string>(ours: readonly Encoding[]) {
  const known = new LRUCache<string, { encoding: Encoding | undefined }>({ max: maxHeaders });

  return (header: string | string[] | undefined): Encoding | undefined => {
    if (typeof header !== 'string' || header.length > maxHeaderLength) return undefined;
    const kept = known.get(header);
    if (kept) return kept.encoding;
    const encoding = choose(header, ours);
    known.set(header, { encoding });
    return encoding;
  };
}

function choose<Encoding extends string>(header: string, ours: readonly Encoding[]): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const text of header.split(',')) {
    const [, name = '', weight = '1'] = item.exec(text) ?? [];
    weights.set(name.toLowerCase(), Number(weight));
  }
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  // Stable: of equal ones our first stays first.
  const [best] = ours.toSorted((one, other) => weightOf(other) - weightOf(one));
  return best !== undefined && weightOf(best) > 0 ? best : undefined;
}
