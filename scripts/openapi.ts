/**
 * Writes `openapi.json` from the routes and their schemas. With `--check` the script only fails if the file
 * is outdated.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { buildContract } from './contract/build.ts';
import { mistakesIn } from './contract/mistakes.ts';

const file = new URL('../openapi.json', import.meta.url);

const contract = await buildContract();
const mistakes = mistakesIn(contract);
for (const mistake of mistakes) console.error(`openapi: ${mistake}`);
const wanted = `${JSON.stringify(contract, null, 2)}\n`;

if (mistakes.length > 0) {
  process.exitCode = 1;
} else if (!process.argv.includes('--check')) {
  await writeFile(file, wanted);
  console.log(`openapi.json: ${Object.keys(contract.paths).length} paths`);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== wanted) {
  console.error('openapi.json is not what the routes say. Run "npm run openapi" and commit it.');
  process.exitCode = 1;
}
