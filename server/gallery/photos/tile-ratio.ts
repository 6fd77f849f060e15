/** Shape of a photo's tile. The server and the browser use the same function, so that no tile moves. */

/** Panoramas and strips are cut to these ratios of width to height, so that rows stay readable. */
const [minRatio, maxRatio] = [0.4, 6];

export function getTileRatio({ width, height }: { width: number; height: number }): number {
  return Math.min(maxRatio, Math.max(minRatio, width / height));
}
