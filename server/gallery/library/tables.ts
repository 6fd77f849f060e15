/** The tables with what the library alone writes: everywhere else the compiler refuses to. */
import type { ColumnType, Insertable, Kysely } from 'kysely';
import type { PhotosTable, Tables } from '../../platform/db/tables.ts';

type Written<Table> = {
  [Column in keyof Table]: Table[Column] extends ColumnType<infer Value, never, never>
    ? ColumnType<Value, Value | undefined, Value>
    : Table[Column];
};

export type LibraryTables = { [Name in keyof Tables]: Written<Tables[Name]> };

export type PhotoToInsert = Insertable<Written<PhotosTable>>;

/** For the files of this folder. */
export function writing(kysely: Kysely<Tables>): Kysely<LibraryTables> {
  return kysely as unknown as Kysely<LibraryTables>;
}
