/** What queries ask of photos: names of cameras without regard to case, which originals are animated or no JPEGs. */
import { sql } from 'kysely';
import { fold } from '../fold.ts';
import { runAll, type Up } from './up.ts';

export const up: Up = async (_, kysely) => {
  await runAll(kysely, [
    'CREATE TABLE gear (name text PRIMARY KEY, name_key text NOT NULL)',
    'CREATE INDEX images_animated ON images (photo_id) WHERE frames > 1',
    `CREATE INDEX images_other_formats ON images (extension, photo_id)
      WHERE kind = 'original' AND extension <> 'jpg'`,
  ]);
  const { rows } = await sql<{ name: string }>`SELECT DISTINCT camera AS name FROM photos
    WHERE camera <> ''`.execute(kysely);
  for (const { name } of rows) {
    await sql`INSERT INTO gear (name, name_key) VALUES (${name}, ${fold(name)})`.execute(kysely);
  }
};
