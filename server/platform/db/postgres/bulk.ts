/** Bulk operations on PostgreSQL. See `bulk.ts`. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import {
  type BulkDatabase,
  type BulkLoader,
  type BulkReader,
  type BulkTable,
  bulkRowsPerBatch,
  type ColumnValue,
  columnList,
  quoteName,
} from '../bulk.ts';
import { withLibpqTlsMode } from './postgres.ts';
import { createFillStatement, ownTextsQuery } from './search.ts';
import { toDatabaseUnusable } from './start.ts';

const connectTimeoutMs = 10_000;

const { builtins } = pg.types;

/** Parsers that return values as `bulk.ts` defines them: numbers below 2^53, booleans as 0 or 1, JSON as text. */
const parserByType = new Map<number, (text: string) => ColumnValue>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.BOOL, (text) => (text === 't' ? 1 : 0)],
  [builtins.BYTEA, (text) => ({ base64: Buffer.from(text.slice(2), 'hex').toString('base64') })],
  [builtins.JSON, String],
  [builtins.JSONB, String],
]);
const bulkTypeParsers = {
  getTypeParser: ((oid: number, format?: 'text') =>
    parserByType.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export function postgresBulk(url: string): BulkDatabase {
  return {
    reader: () => openReader(url),
    async load(work) {
      const client = await connectForBulk(url, 'BEGIN');
      try {
        const putBack = await dropIndexesAndTriggers(client);
        await work(createLoader(client));
        await putBack();
        await client.query('COMMIT');
      } finally {
        // Closing the connection rolls back an uncommitted transaction.
        await client.end();
      }
    },
  };
}

async function connectForBulk(url: string, begin: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: withLibpqTlsMode(url),
    connectionTimeoutMillis: connectTimeoutMs,
    types: bulkTypeParsers,
  });
  // A lost connection also fails the running statement. Without this listener the event would end the process.
  client.on('error', () => {});
  await client.connect().catch((error: unknown) => {
    throw toDatabaseUnusable(error, url);
  });
  await client.query(begin);
  // `SET LOCAL` applies to this transaction only, because a pooler may give the connection to other clients afterwards.
  await client.query('SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
  return client;
}

async function openReader(url: string): Promise<BulkReader> {
  const client = await connectForBulk(url, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  return {
    tables: () => findTables(client),
    read: ({ name, columns }) => readRows(client, `SELECT ${columnList(columns)} FROM ${quoteName(name)}`),
    query: (sql) => readRows(client, sql),
    async highestIds() {
      const highest: Record<string, number> = {};
      for (const { table, sequence } of await findSequences(client)) {
        const { rows } = await client.query(`SELECT last_value, is_called FROM ${sequence}`);
        highest[table] = rows[0].is_called ? rows[0].last_value : 0;
      }
      return highest;
    },
    close: () => client.end(),
  };
}

function createLoader(client: pg.Client): BulkLoader {
  let fillIndex: string | undefined;
  return {
    async clear(tables) {
      const names = tables.map(({ name }) => quoteName(name));
      await client.query(`TRUNCATE ${names.join(', ')}, photo_texts`);
    },
    insert: (table, rows) => insertPostgresRows(client, table, rows),
    async index(texts) {
      const ids = texts.map(({ photoId }) => photoId);
      fillIndex ??= createFillStatement((await client.query(ownTextsQuery)).rows.length > 0);
      await client.query(fillIndex, [
        ids,
        texts.map(({ text }) => text),
        texts.map(({ ownText }) => ownText),
      ]);
    },
    query: (sql) => readRows(client, sql),
    async advanceIdSequences(highest) {
      for (const { table, sequence } of await findSequences(client)) {
        const id = highest[table] ?? 0;
        await client.query('SELECT setval($1, $2, $3)', [sequence, Math.max(id, 1), id > 0]);
      }
    },
  };
}

/** Inserts rows with a single JSON parameter. PostgreSQL takes the column types from the table. */
export async function insertPostgresRows(
  client: pg.Client,
  { name, columns }: BulkTable,
  rows: ColumnValue[][],
): Promise<void> {
  const objects = rows.map((row) =>
    Object.fromEntries(columns.map((column, at) => [column, plainValue(row[at]!)])),
  );
  const list = columnList(columns);
  await client.query(
    `INSERT INTO ${quoteName(name)} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${quoteName(name)}, $1)`,
    [JSON.stringify(objects)],
  );
}

function plainValue(value: ColumnValue): string | number | null {
  if (typeof value === 'bigint') return String(value);
  if (value === null || typeof value !== 'object') return value;
  return `\\x${Buffer.from(value.base64, 'base64').toString('hex')}`;
}

interface Part {
  table: string;
  name: string;
  definition: string;
}

/**
 * Drops foreign keys, triggers and secondary indexes, and returns a function that restores them. A restored foreign key
 * is checked in one join instead of row by row, so albums and photos may refer to each other.
 */
async function dropIndexesAndTriggers(client: pg.Client): Promise<() => Promise<void>> {
  const ours = `relnamespace = current_schema()::regnamespace AND relkind = 'r'`;
  const find = async (sql: string) => (await client.query<Part>(sql)).rows;
  const keys = await find(`SELECT relname AS table, conname AS name, pg_get_constraintdef(c.oid) AS definition
    FROM pg_constraint c JOIN pg_class t ON t.oid = conrelid WHERE contype = 'f' AND ${ours}`);
  const triggers = await find(`SELECT relname AS table, tgname AS name, pg_get_triggerdef(g.oid) AS definition
    FROM pg_trigger g JOIN pg_class t ON t.oid = tgrelid WHERE NOT tgisinternal AND ${ours}`);
  const indexes = await find(`SELECT t.relname AS table, indexrelid::regclass::text AS name,
      pg_get_indexdef(indexrelid) AS definition
    FROM pg_index i JOIN pg_class t ON t.oid = indrelid
    WHERE ${ours} AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype <> 'f')`);

  for (const { table, name } of keys) {
    await client.query(`ALTER TABLE ${quoteName(table)} DROP CONSTRAINT ${quoteName(name)}`);
  }
  for (const { table, name } of triggers) {
    await client.query(`DROP TRIGGER ${quoteName(name)} ON ${quoteName(table)}`);
  }
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  return async () => {
    for (const { definition } of [...indexes, ...triggers]) await client.query(definition);
    for (const { table, name, definition } of keys) {
      await client.query(`ALTER TABLE ${quoteName(table)} ADD CONSTRAINT ${quoteName(name)} ${definition}`);
    }
  };
}

async function findTables(client: pg.Client): Promise<BulkTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT t.table_name::text AS name, array_agg(c.column_name::text) AS columns
      FROM information_schema.tables t
      JOIN information_schema.columns c USING (table_schema, table_name)
      WHERE t.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
      GROUP BY 1 ORDER BY 1`,
  );
  return rows.map(({ name, columns }) => ({ name, columns: columns.sort() }));
}

/** Returns tables with numbered rows and the quoted names of their sequences. */
async function findSequences(client: pg.Client): Promise<{ table: string; sequence: string }[]> {
  const { rows } = await client.query(
    `SELECT t.relname AS table, pg_get_serial_sequence(t.oid::regclass::text, attname) AS sequence
      FROM pg_attribute JOIN pg_class t ON t.oid = attrelid
      WHERE attidentity <> '' AND relnamespace = current_schema()::regnamespace`,
  );
  return rows;
}

async function* readRows(client: pg.Client, sql: string): AsyncGenerator<ColumnValue[][]> {
  const cursor = `bulk_${randomBytes(8).toString('hex')}`;
  await client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`);
  for (;;) {
    const { rows } = await client.query<ColumnValue[]>({
      text: `FETCH ${bulkRowsPerBatch} FROM ${cursor}`,
      rowMode: 'array',
    });
    if (rows.length > 0) yield rows;
    if (rows.length < bulkRowsPerBatch) break;
  }
  await client.query(`CLOSE ${cursor}`);
}
