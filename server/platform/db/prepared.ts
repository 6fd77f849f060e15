/**
 * Prepared queries for hot paths: Kysely builds and compiles each query once, and the query then runs with changing
 * arguments. Building a query costs several times as much as running it on SQLite.
 */
import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { OpenedDatabase } from './dialect.ts';
import { retryBriefly } from './retry.ts';
import type { Tables } from './tables.ts';

/** Placeholder for a named argument in a query. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Argument = string | number | null;

/** Number in a query: an argument, or a fixed part of the SQL text. */
export type QueryNumber = number | RawBuilder<number>;

/** Function that `build` receives. `arg('id')` has the type of the value that replaces it. */
export type BindArgument = <Value extends Argument>(name: string) => Value;

export type PreparedRead<Row> = (args: Record<string, Argument>) => Promise<Row[]>;

/** Offset from which a page is read by the connection for slow reads. */
const minSlowOffset = 2000;

/**
 * Prepares a read, which is compiled on first use. An argument named `offset` selects the ordinary or the slow
 * connection.
 */
export function prepareRead<Row>(
  db: Pick<OpenedDatabase, 'kysely' | 'slow'>,
  build: (query: Kysely<Tables>, arg: BindArgument) => Compilable<Row>,
): PreparedRead<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (args) => {
    compiled ??= compileQuery(db.kysely, build);
    const query = { ...compiled, parameters: bindParameters(compiled, args) };
    const door = Number(args.offset ?? 0) < minSlowOffset ? db.kysely : db.slow();
    return (await retryBriefly(() => door.executeQuery<Row>(query))).rows;
  };
}

function compileQuery<Row>(
  kysely: Kysely<Tables>,
  build: (query: Kysely<Tables>, arg: BindArgument) => Compilable<Row>,
): CompiledQuery<Row> {
  const arg = ((name: string) => new Placeholder(name)) as unknown as BindArgument;
  const compiled = build(kysely, arg).compile();
  if (/\blimit (\?|\$\d)/i.test(compiled.sql))
    throw new Error('a limit is an argument by itself: sql.lit or plannedOnce');
  return compiled;
}

function bindParameters({ parameters }: CompiledQuery, args: Record<string, Argument>): Argument[] {
  return parameters.map((value) => {
    if (!(value instanceof Placeholder)) return value as Argument;
    const given = args[value.name];
    if (given === undefined) throw new Error(`the query's argument ${value.name} is missing`);
    return given;
  });
}

/**
 * Returns a limit that does not cause a new query plan. SQLite makes a new plan for each value of a plain limit
 * argument, which takes longer than reading the page.
 */
export function limitWithStablePlan(limit: number) {
  return sql<number>`CAST(${limit} AS bigint)`;
}
