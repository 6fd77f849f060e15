/**
 * Queries of the hot paths: built and compiled by Kysely once, then run with changing arguments.
 * Building a query costs several times what SQLite needs to answer it.
 */
import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { OpenedDatabase } from './dialect.ts';
import { retryBriefly } from './retry.ts';
import type { Tables } from './tables.ts';

/** Stands in a query for the argument of that name. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Argument = string | number | null;

/** In a query: an argument, or part of its text. */
export type QueryNumber = number | RawBuilder<number>;

/** What `build` gets: `arg('id')` is typed as the value that will be there. */
export type Arg = <Value extends Argument>(name: string) => Value;

export type Prepared<Row> = (args: Record<string, Argument>) => Promise<Row[]>;

/** From this offset on, a page is read by the slow door. */
const farOffset = 2000;

/** A read that is compiled on first use. The argument `offset`, if there is one, chooses the door. */
export function prepare<Row>(
  db: Pick<OpenedDatabase, 'kysely' | 'slow'>,
  build: (query: Kysely<Tables>, arg: Arg) => Compilable<Row>,
): Prepared<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (args) => {
    compiled ??= compile(db.kysely, build);
    const query = { ...compiled, parameters: bindParameters(compiled, args) };
    const door = Number(args.offset ?? 0) < farOffset ? db.kysely : db.slow();
    return (await retryBriefly(() => door.executeQuery<Row>(query))).rows;
  };
}

function compile<Row>(
  kysely: Kysely<Tables>,
  build: (query: Kysely<Tables>, arg: Arg) => Compilable<Row>,
): CompiledQuery<Row> {
  const arg = ((name: string) => new Placeholder(name)) as unknown as Arg;
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
 * SQLite plans a statement anew for each argument that is a limit by itself, which takes longer than reading the page.
 */
export function plannedOnce(limit: number) {
  return sql<number>`CAST(${limit} AS bigint)`;
}
