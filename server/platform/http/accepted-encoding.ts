/**
 * Chooses a content encoding that the client accepts (RFC 9110, 12.5.3). The client rejects an encoding with `q=0`,
 * even beside a `*`.
 */

/** Maximum characters of the header. No real client sends more, and parsing a longer header would waste time. */
const maxHeaderLength = 200;

const encodingItemPattern = /^\s*([\w*-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i;

/** Returns the best encoding of `ours`, which lists preferred encodings first. Returns undefined for no encoding. */
export function chooseEncoding<Encoding extends string>(
  header: string | string[] | undefined,
  ours: readonly Encoding[],
): Encoding | undefined {
  if (typeof header !== 'string' || header.length > maxHeaderLength) return undefined;
  const weights = new Map<string, number>();
  for (const text of header.split(',')) {
    const [, name = '', weight = '1'] = encodingItemPattern.exec(text) ?? [];
    weights.set(name.toLowerCase(), Number(weight));
  }
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  // The sort is stable, so among equal weights our preferred encoding stays first.
  const [best] = ours.toSorted((one, other) => weightOf(other) - weightOf(one));
  return best !== undefined && weightOf(best) > 0 ? best : undefined;
}
