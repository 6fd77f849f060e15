/** `npm run torture`: see torture/README.md. Exits with 1 if a figure is over its limit. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { type SetupName, setupNames } from './gallery-setups.ts';
import type { Part } from './part.ts';
import { parts } from './parts.ts';
import { countFailures, listUntried, runParts } from './run-parts.ts';
import { formatTable } from './table.ts';

interface Options {
  minutes: number;
  database?: SetupName;
  seed: number;
  kills?: number;
  requests?: number;
  decisions?: number;
  perFormat?: number;
}

/** Damaged pictures of each format in a full run, which takes an hour or more. */
const fullPerFormat = 10_000;

const command = new Command('npm run torture --')
  .description(
    'Tries to make a gallery lose photos, let somebody in or stop answering, and prints what came of it.',
  )
  .argument('[parts...]', `only these: ${parts.map(({ name }) => name).join(', ')}`)
  .option('--minutes <number>', 'how long all of it takes, about', positive, 10)
  .addOption(new Option('--database <name>', 'only on this one').choices([...setupNames]))
  .option('--seed <number>', 'repeats the random choices of a run', positive, Date.now() % 1_000_000_000)
  .option(
    '--kills <number>',
    'so many under load at least, on each database, however long it takes',
    positive,
  )
  .option('--requests <number>', 'so many of `api` at least, on each database', positive)
  .option('--decisions <number>', 'so many compared answers of `visibility`, on each database', positive)
  .option(
    '--per-format <number>',
    `of \`images\`, so many damaged pictures of each format, and a tenth of HEIC (${fullPerFormat} where only it runs, without minutes)`,
    positive,
  )
  .addHelpText(
    'after',
    `\nParts:\n${parts.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join('\n')}`,
  )
  .parse();
const options = command.opts<Options>();

console.log(`seed ${options.seed}, ${options.minutes} minutes`);
const results = await runParts(partsNamed(command.args), { ...withPerFormat(), tell: console.log });
console.log(`\n${formatTable(results)}`);
const failed = countFailures(results);
const untried = listUntried(results);
if (untried.length > 0) console.log(`\nNot tried on this machine:\n${untried.join('\n')}`);
const all = untried.length === 0 ? 'Every figure is held.' : 'Every figure that could be tried is held.';
console.log(failed === 0 ? `\n${all}` : `\n${failed} figures are not held.`);
// A trial that could not run proves nothing, so the exit code is 2. Name parts that this machine can run to
// avoid it.
process.exitCode = failed === 0 ? (untried.length === 0 ? 0 : 2) : 1;

function withPerFormat(): Options {
  const hasTime = command.getOptionValueSource('minutes') !== 'default';
  const isFull = command.args.join() === 'images' && options.perFormat === undefined && !hasTime;
  return isFull ? { ...options, perFormat: fullPerFormat } : options;
}

function partsNamed(names: string[]): Part[] {
  const unknown = names.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) command.error(`there is no part ${unknown.join(', ')}`);
  return parts.filter(({ name }) => names.length === 0 || names.includes(name));
}

function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('It is not a number above 0.');
  return number;
}
