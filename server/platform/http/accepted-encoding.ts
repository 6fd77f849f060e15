/** Which of our encodings a client takes (RFC 9110, 12.5.3). What it names with `q=0` it refuses, also beside a `*`. */

/** No client sends as much; the rest of a long header is not worth reading. */
const maxHeaderLength = 200;

const item = /^\s*([\w*-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i;

/** `ours`: the preferred one first. Returns undefined for no encoding. */
export function chooseEncoding<Encoding extends string>(
  header: string | string[] | undefined,
  ours: readonly Encoding[],
): Encoding | undefined {
  if (typeof header !== 'string' || header.length > maxHeaderLength) return undefined;
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
