/**
 * Types of the tables in which the library can write its own columns. For code outside this folder, the compiler
 * rejects such a write.
 */
import type { ColumnType, Insertable, Kysely } from 'kysely';
import type { PhotosTable, Tables } from '../../platform/db/tables.ts';

type Writable<Table> = {
  [Column in keyof Table]: Table[Column] extends ColumnType<infer Value, never, never>
    ? ColumnType<Value, Value | undefined, Value>
    : Table[Column];
};

export type WritableLibraryTables = { [Name in keyof Tables]: Writable<Tables[Name]> };

export type WritablePhotoRow = Insertable<Writable<PhotosTable>>;

/**
 * Returns the database connection with write access to the columns that only the library writes. Only files of this
 * folder call the function.
 */
export function asLibraryWriter(kysely: Kysely<Tables>): Kysely<WritableLibraryTables> {
  return kysely as unknown as Kysely<WritableLibraryTables>;
}
