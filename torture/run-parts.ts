/** Runs parts one after the other, each at its gallery locations, and collects their figures. */
import { inspect } from 'node:util';
import {
  makeTestGallery,
  type SetupName,
  setupNames,
  setupTitles,
  type TestGallery,
} from './gallery-setups.ts';
import { type Figure, none, type Part } from './part.ts';

export interface RunOptions {
  minutes: number;
  /** Runs the parts only at this gallery location. */
  database?: SetupName;
  seed: number;
  /** For `kills`: minimum number of kills under load at each location, however long it takes. */
  kills?: number;
  /** For `api`: minimum number of requests, however long it takes. */
  requests?: number;
  /** For `visibility`: number of compared answers, however long it takes. */
  decisions?: number;
  /** For `images`: number of damaged pictures of each format, however long it takes. */
  perFormat?: number;
  tell(line: string): void;
}

/** Figures of one part on one database and storage. */
export interface Result {
  part: Part;
  /** Database and storage of the part's gallery, such as "SQLite and a folder". */
  title: string;
  seconds: number;
  figures: Figure[];
}

export async function runParts(parts: Part[], options: RunOptions): Promise<Result[]> {
  const turns = parts.flatMap((part) => listSetups(part, options).map((name) => ({ part, name })));
  const shares = turns.reduce((sum, { part }) => sum + part.share, 0);
  const results: Result[] = [];
  for (const { part, name } of turns) {
    results.push(await run(part, name, (options.minutes * 60_000 * part.share) / shares, options));
  }
  return results;
}

/** Returns one line for each trial that this machine could not run. */
export function listUntried(results: Result[]): string[] {
  return results.flatMap(({ part, title, figures }) =>
    figures
      .filter(({ isUntried }) => isUntried)
      .map(({ name, value }) => `${part.name} on ${title}: ${name}, ${value}`),
  );
}

/** Returns the number of figures over their limits. */
export function countFailures(results: Result[]): number {
  return results.flatMap(({ figures }) => figures.filter(({ isHeld }) => !isHeld)).length;
}

async function run(part: Part, name: SetupName, milliseconds: number, options: RunOptions): Promise<Result> {
  const started = performance.now();
  options.tell(`\n${part.name} on ${setupTitles[name]}: ${part.about}`);
  const reportLine = (line: string) => options.tell(`  ${line}`);
  const figures = await inHome(name, (home) =>
    part.run({ ...options, home, milliseconds, tell: reportLine }),
  ).catch((error) => {
    // A part that failed to run counts as a figure over its limit, and the other parts continue.
    reportLine(inspect(error));
    return [none('parts that broke off', [String(error instanceof Error ? error.message : error)])];
  });
  for (const { name, value, limit, isHeld } of figures) {
    reportLine(`${isHeld ? 'ok    ' : 'FAILED'}  ${name}: ${value}${limit ? ` (${limit})` : ''}`);
  }
  return { part, title: setupTitles[name], seconds: (performance.now() - started) / 1000, figures };
}

async function inHome<Value>(name: SetupName, use: (home: TestGallery) => Promise<Value>): Promise<Value> {
  const home = await makeTestGallery(name);
  try {
    return await use(home);
  } finally {
    await home.end();
  }
}

function listSetups(part: Part, { database }: RunOptions): SetupName[] {
  return setupNames.filter(
    (name) => (part.homes ?? setupNames).includes(name) && (database === undefined || database === name),
  );
}
