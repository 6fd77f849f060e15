/**
 * Queries of the hot paths: built and compiled by Kysely once, then run with changing arguments.
 * Building a query costs several times what SQLite needs to answer it.
 */
import { type Compilable, CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { OpenedDatabase, Outcome, Rows, Statement } from './dialect.ts';
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

export type Prepared<Row> = (args: Record<string, Argument>) => Row[] | Promise<Row[]>;

interface Runner {
  kysely: Kysely<Tables>;
  run(sql: string, parameters: readonly unknown[]): Rows | Promise<Rows>;
}

/** Compiles on first use. The result is an array on SQLite, a promise on PostgreSQL: `await` takes both. */
export function prepare<Row>(
  runner: Runner,
  build: (query: Kysely<Tables>, arg: Arg) => Compilable<Row>,
): Prepared<Row> {
  let statement: Statement | undefined;
  return (args) => {
    statement ??= compile(runner.kysely, build);
    return runner.run(statement.sql, parametersOf(statement, args)) as Row[] | Promise<Row[]>;
  };
}

/** The same for statements that `together` runs, writes among them. */
export function prepareTogether(
  runner: Pick<OpenedDatabase, 'kysely' | 'together'>,
  ...builds: ((query: Kysely<Tables>, arg: Arg) => Compilable<unknown>)[]
): (args: Record<string, Argument>) => Promise<Outcome[]> {
  let statements: Statement[] | undefined;
  return (args) => {
    statements ??= builds.map((build) => compile(runner.kysely, build));
    return runner.together(
      statements.map((statement) => ({ sql: statement.sql, parameters: parametersOf(statement, args) })),
    );
  };
}

function parametersOf({ parameters }: Statement, args: Record<string, Argument>): Argument[] {
  return parameters.map((value) => {
    if (!(value instanceof Placeholder)) return value as Argument;
    const given = args[value.name];
    if (given === undefined) throw new Error(`the query's argument ${value.name} is missing`);
    return given;
  });
}

function compile<Row>(
  kysely: Kysely<Tables>,
  build: (query: Kysely<Tables>, arg: Arg) => Compilable<Row>,
): Statement {
  const arg = ((name: string) => new Placeholder(name)) as unknown as Arg;
  const { sql, parameters } = build(kysely, arg).compile();
  if (/\blimit (\?|\$\d)/i.test(sql))
    throw new Error('a limit is an argument by itself: sql.lit or plannedOnce');
  return { sql, parameters };
}

/**
 * SQLite plans a statement anew for each argument that is a limit by itself, which takes longer than reading the page.
 */
export function plannedOnce(limit: number) {
  return sql<number>`CAST(${limit} AS bigint)`;
}

/** From this offset on, a page is read beside the event loop. */
const farOffset = 2000;

/** A query for pages, with `offset` among its arguments. */
export function preparePage<Row>(
  db: OpenedDatabase,
  build: (query: Kysely<Tables>, arg: Arg) => Compilable<Row>,
): Prepared<Row> {
  const { slow } = db;
  const near = prepare(db, build);
  const far = prepare(
    {
      kysely: slow,
      run: async (sql, parameters) =>
        (await slow.executeQuery(CompiledQuery.raw(sql, [...parameters]))).rows as Rows,
    },
    build,
  );
  return (args) => (Number(args.offset) < farOffset ? near(args) : far(args));
}
