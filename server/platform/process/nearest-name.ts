/** Finds the name that was meant by a name with a typing mistake. */

/** Returns the name that differs least, if at most a quarter of its characters differ. */
export function findNearestName(typed: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const allowed = Math.floor(name.length / 4);
    if (Math.abs(name.length - typed.length) > allowed) continue;
    const distance = countEdits(typed, name);
    if (distance <= allowed && distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** Returns how many characters must be inserted, deleted or replaced to get from one text to the other. */
function countEdits(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const line = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = above[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      line.push(Math.min(replaced, above[column]! + 1, line[column - 1]! + 1));
    }
    above = line;
  }
  return above[to.length]!;
}
