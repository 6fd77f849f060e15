/**
 * Preloaded (`NODE_OPTIONS=--import`), it appends each statement that SQLite is sent, in any thread, to the file that
 * RECORD_SQL names, one JSON text a line. Statements that differ only in their values are written once.
 */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

const file = process.env.RECORD_SQL;
const known = new Set<string>();

subscribe('sqlite.db.query', (message) => {
  const { sql } = message as { sql: string };
  const shape = sql.replaceAll(/'(?:[^']|'')*'|\b\d+(?:\.\d+)?\b/g, '?');
  if (!file || known.has(shape)) return;
  known.add(shape);
  appendFileSync(file, `${JSON.stringify(sql)}\n`);
});
