/** Reads the Markdown pages of the repository for checks. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const maxCharacters = 120;

export const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTEXT.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'torture/README.md',
  ...globSync('docs/**/*.md', { cwd: root }).sort(),
];

/** Returns lines that are too long to read, except tables and code. */
export function longLines(page: string): string[] {
  return textLines(page).filter((line) => !line.startsWith('|') && [...line].length > maxCharacters);
}

/** Returns the lines of a Markdown page without its code blocks. */
export function textLines(page: string): string[] {
  const text = readFileSync(resolve(root, page), 'utf8');
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '').split('\n');
}
