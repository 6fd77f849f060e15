/**
 * Checks that docs/security.md lists every ASVS requirement of its chapters, and that tests in
 * docs/security.md and docs/threats.md exist.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

/**
 * Minimum number of tests that each page names. With fewer, this check can probably no longer read the page.
 */
const minTests = { 'docs/security.md': 100, 'docs/threats.md': 80 };

/** Number of requirements in each section of ASVS 5.0.0. */
const sections = {
  ...{ '6.1': 3, '6.2': 12, '6.3': 8, '6.4': 6, '6.5': 8, '6.6': 4, '6.7': 2, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 3, '7.6': 2, '9.1': 3, '9.2': 4 },
};

/** Requirements that are met without a test, each with the reason. */
const withoutTest: Record<string, string> = {
  '6.1.2': 'asks for a text',
  '6.2.10': 'that something is nowhere',
  '6.4.2': 'that something is nowhere',
  '6.5.3': 'no answer tells what made it: read where it is made',
  '6.5.7': 'what never comes here',
  '7.1.1': 'asks for a text',
  '7.1.3': 'asks for a text',
};

/** Titles of tests that run once for each place; the place's name precedes the title. */
const inEachPlace = [
  'a refused action reveals nothing of the object to the user',
  'shows a photo in its permitted places and in no others',
];

/** Returns one line for each fault in docs/security.md and docs/threats.md. */
export function securityPageFaults(): string[] {
  return [
    ...walkFaults(read('docs/security.md')),
    ...threatFaults(read('docs/threats.md')),
    ...Object.entries(minTests).flatMap(([page, least]) => namedTestFaults(page, least)),
  ];
}

function walkFaults(page: string): string[] {
  const rows = page.split('\n').filter((line) => /^\| \d+\.\d+\.\d+ \|/.test(line));
  const numbers = rows.map((row) => row.split(' | ')[0]!.slice(2));
  const expected = Object.entries(sections).flatMap(([section, n]) =>
    Array.from({ length: n }, (_, index) => `${section}.${index + 1}`),
  );
  return [
    ...expected
      .filter((number) => numbers.filter((one) => one === number).length !== 1)
      .map((number) => `docs/security.md must have line ${number} of ASVS once`),
    ...numbers
      .filter((number) => !expected.includes(number))
      .map((number) => `docs/security.md has line ${number}, which ASVS has not`),
    ...rows.flatMap(rowFaults),
  ];
}

function rowFaults(row: string): string[] {
  const [first, , , state = '', how = ''] = row.split(' | ');
  const number = first!.slice(2);
  if (!/^(held|in part|not held|does not apply)$/.test(state))
    return [`docs/security.md ${number} has the state "${state}"`];
  const hasTest = how.includes('`test/');
  if (!hasTest && how.replace(/ \|$/, '').length <= 8)
    return [`docs/security.md ${number} does not say how it is held`];
  const needsTest = state === 'held' && !(number in withoutTest);
  if (needsTest && !hasTest) return [`docs/security.md ${number} is held and names no test`];
  if (number in withoutTest && hasTest)
    return [`docs/security.md ${number} names a test: take it off the list`];
  return [];
}

function threatFaults(page: string): string[] {
  const tables = page.split('\n## ').filter((section) => section.includes('| Threat |'));
  const threats = tables.flatMap((section) =>
    section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Threat |')),
  );
  return [
    ...(tables.length > 5 ? [] : ['docs/threats.md has too few tables']),
    ...threats
      .filter((line) => !line.split(' | ')[2]?.includes('`test/'))
      .map((line) => `docs/threats.md names no test for: ${line.slice(2, 80)}`),
  ];
}

function namedTestFaults(page: string, least: number): string[] {
  const named = [...read(page).matchAll(/`(test\/[\w./-]+\.ts)`(?:: “([^”]+)”)?/g)];
  const missing = named.filter(([, file, title]) => {
    if (!existsSync(resolve(root, file!))) return true;
    return title !== undefined && !hasTest(read(file!), title);
  });
  return [
    ...(named.length > least ? [] : [`${page} names ${named.length} tests`]),
    ...missing.map(([text]) => `${page} names a test that does not exist: ${text}`),
  ];
}

/** Returns whether the source has a test with exactly this title, outside comments. */
function hasTest(source: string, title: string): boolean {
  const quoted = inEachPlace.includes(title)
    ? [`\`\${name}: ${title}\``]
    : [`'${title}'`, `"${title}"`, `\`${title}\``];
  const begun = [...source.matchAll(/^ *test\(\s*/gm)].map(({ 0: text, index }) => index + text.length);
  return begun.some((at) => quoted.some((text) => source.startsWith(`${text},`, at)));
}
