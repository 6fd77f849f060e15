/** Counts why picture workers ended before their jobs were done, from the server's log. */
const pattern = /a picture worker ended \((\w+)\)/;

/** Maps a reason and job, such as `memory upload`, to its number. */
export function findEndings(output: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of output.split('\n')) {
    if (!line.includes('"a picture worker exited before its job was done"')) continue;
    const what = `${pattern.exec(line)?.[1] ?? 'unknown'} ${/"kind":"(\w+)"/.exec(line)?.[1] ?? ''}`.trim();
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return counts;
}

export function formatCounts(counts: Map<string, number>): string {
  const told = [...counts].sort(([a], [b]) => a.localeCompare(b)).map(([what, times]) => `${what} ×${times}`);
  return told.join(', ') || 'none';
}
