/** Reads and writes tables as CSV. */

/** Maximum rows and fields of a table, because its content is not trusted. */
const maxRows = 200_000;
const maxFields = 100;

/** Returns the rows of a CSV of RFC 4180. Rows beyond the limits are dropped. */
export function parseCsv(bytes: Uint8Array): string[][] {
  const text = new TextDecoder().decode(bytes);
  const rows: string[][] = [];
  const field = /(?:"([^"]*(?:""[^"]*)*)"|([^,\r\n]*))(,|\r?\n|\r|$)/y;
  let row: string[] = [];
  while (field.lastIndex < text.length && rows.length < maxRows) {
    const match = field.exec(text);
    if (!match) break;
    const [, quoted, plain = '', end] = match;
    if (row.length < maxFields) row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Returns a line of CSV. A spreadsheet never takes a field for a formula. */
export function formatCsvRow(fields: (string | number)[]): string {
  return `${fields.map(formatField).join(',')}\r\n`;
}

/** A spreadsheet runs fields that start with these characters, also behind a blank. */
const formulaStart = /^[\s\0]*[=+\-@|%＝＋－＠]/;

function formatField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = formulaStart.test(value) ? `'${value}` : value;
  return /[",\r\n;\t]|^\s|\s$|^'/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
