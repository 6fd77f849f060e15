/** Brings the schema up to date: numbered migrations, forward only, each in one transaction. */
import { Migrator } from 'kysely';
import * as core from '../migrations/0001_core.ts';
import * as albums from '../migrations/0002_albums.ts';
import * as comments from '../migrations/0003_comments.ts';
import * as people from '../migrations/0004_people.ts';
import * as apiKeys from '../migrations/0005_api_keys.ts';
import * as admin from '../migrations/0006_admin.ts';
import type { OpenedDatabase } from './dialect.ts';

/** What a migration file exports. */
export type Up = (database: OpenedDatabase, kysely: OpenedDatabase['kysely']) => Promise<void>;

const migrations: Record<string, { up: Up }> = {
  '0001_core': core,
  '0002_albums': albums,
  '0003_comments': comments,
  '0004_people': people,
  '0005_api_keys': apiKeys,
  '0006_admin': admin,
};

/** Throws when a migration fails, or when the database is newer than this program. */
export async function migrate(database: OpenedDatabase): Promise<void> {
  const migrator = new Migrator({
    db: database.kysely,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(migrations).map(([name, { up }]) => [
            name,
            { up: (kysely) => up(database, kysely) },
          ]),
        ),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
