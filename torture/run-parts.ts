/** Runs parts one after the other, each on the homes that it knows, and gathers their figures. */
import { inspect } from 'node:util';
import { type HomeName, homeNames, makeHome } from './homes.ts';
import { type Figure, none, type Part } from './part.ts';

export interface RunOptions {
  minutes: number;
  /** Only on this one. */
  database?: HomeName;
  seed: number;
  tell(line: string): void;
}

/** What ran, and where. */
export interface Result {
  part: Part;
  /** Of the home. */
  title: string;
  seconds: number;
  figures: Figure[];
}

export async function runParts(parts: Part[], options: RunOptions): Promise<Result[]> {
  const turns = parts.flatMap((part) => homesOf(part, options).map((name) => ({ part, name })));
  const shares = turns.reduce((sum, { part }) => sum + part.share, 0);
  const results: Result[] = [];
  for (const { part, name } of turns) {
    results.push(await run(part, name, (options.minutes * 60_000 * part.share) / shares, options));
  }
  return results;
}

/** How many figures are not what they must be. */
export function failuresOf(results: Result[]): number {
  return results.flatMap(({ figures }) => figures.filter(({ isHeld }) => !isHeld)).length;
}

async function run(part: Part, name: HomeName, milliseconds: number, options: RunOptions): Promise<Result> {
  const started = performance.now();
  const home = await makeHome(name);
  options.tell(`\n${part.name} on ${home.title}: ${part.about}`);
  const tell = (line: string) => options.tell(`  ${line}`);
  try {
    const figures = await part.run({ home, milliseconds, seed: options.seed, tell }).catch((error) => {
      // What could not be tried is no figure that is held.
      tell(inspect(error));
      return [none('parts that broke off', [String(error instanceof Error ? error.message : error)])];
    });
    for (const { name, value, limit, isHeld } of figures) {
      tell(`${isHeld ? 'ok    ' : 'FAILED'}  ${name}: ${value}${limit ? ` (${limit})` : ''}`);
    }
    return { part, title: home.title, seconds: (performance.now() - started) / 1000, figures };
  } finally {
    await home.end();
  }
}

function homesOf(part: Part, { database }: RunOptions): HomeName[] {
  return homeNames.filter(
    (name) => (part.homes ?? homeNames).includes(name) && (database === undefined || database === name),
  );
}
