/**
 * When this module is preloaded with `NODE_OPTIONS=--import`, it appends each SQL statement for SQLite to the
 * file that RECORD_SQL names. Each line is one JSON text. Statements that differ only in their values are
 * written once.
 */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

const recordFile = process.env.RECORD_SQL;
const recordedStatements = new Set<string>();

subscribe('sqlite.db.query', (message) => {
  const { sql } = message as { sql: string };
  const shape = sql.replaceAll(/'(?:[^']|'')*'|\b\d+(?:\.\d+)?\b/g, '?');
  if (!recordFile || recordedStatements.has(shape)) return;
  recordedStatements.add(shape);
  appendFileSync(recordFile, `${JSON.stringify(sql)}\n`);
});
