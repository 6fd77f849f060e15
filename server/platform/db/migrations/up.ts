import type { OpenedDatabase } from '../dialect.ts';

/** What a migration file exports. */
export type Up = (database: OpenedDatabase, kysely: OpenedDatabase['kysely']) => Promise<void>;
