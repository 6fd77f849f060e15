/** `npm run torture`: see torture/README.md. Ends with 1 where a figure is not held. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { type HomeName, homeNames, makeHome } from './homes.ts';
import { type Figure, none, type Part } from './part.ts';
import { parts } from './parts.ts';
import { tableOf } from './table.ts';

interface Options {
  minutes: number;
  database?: HomeName;
  seed: number;
}

/** What ran, and where. */
interface Result {
  part: Part;
  title: string;
  seconds: number;
  figures: Figure[];
}

const command = new Command('npm run torture --')
  .description(
    'Tries to make a gallery lose photos, let somebody in or stop answering, and prints what came of it.',
  )
  .argument('[parts...]', `only these: ${parts.map(({ name }) => name).join(', ')}`)
  .option('--minutes <number>', 'how long all of it takes, about', positive, 10)
  .addOption(new Option('--database <name>', 'only on this one').choices([...homeNames]))
  .option('--seed <number>', 'repeats the random choices of a run', positive, Date.now() % 1_000_000_000)
  .addHelpText(
    'after',
    `\nParts:\n${parts.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join('\n')}`,
  )
  .parse();
const options = command.opts<Options>();

const wanted = partsNamed(command.args);
const turns = wanted.flatMap((part) => homesOf(part).map((name) => ({ part, name })));
const shares = turns.reduce((sum, { part }) => sum + part.share, 0);
console.log(`seed ${options.seed}, ${options.minutes} minutes`);

const results: Result[] = [];
for (const { part, name } of turns) {
  results.push(await run(part, name, (options.minutes * 60_000 * part.share) / shares));
}
console.log(`\n${tableOf(results)}`);
const failed = results.flatMap(({ figures }) => figures.filter(({ isHeld }) => !isHeld));
console.log(failed.length === 0 ? '\nEvery figure is held.' : `\n${failed.length} figures are not held.`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function run(part: Part, name: HomeName, milliseconds: number): Promise<Result> {
  const started = performance.now();
  const home = await makeHome(name);
  console.log(`\n${part.name} on ${home.title}: ${part.about}`);
  const tell = (line: string) => console.log(`  ${line}`);
  try {
    const figures = await part.run({ home, milliseconds, seed: options.seed, tell }).catch((error) => {
      // What could not be tried is no figure that is held.
      tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
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

function partsNamed(names: string[]): Part[] {
  const unknown = names.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) command.error(`there is no part ${unknown.join(', ')}`);
  return parts.filter(({ name }) => names.length === 0 || names.includes(name));
}

function homesOf(part: Part): HomeName[] {
  return homeNames.filter(
    (name) =>
      (part.homes ?? homeNames).includes(name) &&
      (options.database === undefined || options.database === name),
  );
}

function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('It is not a number above 0.');
  return number;
}
