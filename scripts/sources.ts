/** The source files that the checks read, and the limit of their size. */
const folders = '{server,bin,web,scripts,torture,bench,test}';
export const code = `${folders}/**/*.{ts,tsx,js,mjs}`;
export const sources = `${folders}/**/*.{ts,tsx,js,mjs,css}`;

const maxLines = 300;

/** Returns one line if a source file has too many lines. */
export function sizeFaults(file: string, text: string): string[] {
  const lines = text.split('\n').length - 1;
  return lines <= maxLines
    ? []
    : [`${file} has ${lines} lines; split it by what it does (at most ${maxLines})`];
}
