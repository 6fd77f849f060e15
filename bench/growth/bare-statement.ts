/** Reads the rows of a first page by one prepared statement: the lower limit of a list's cost. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { ReadGallery } from '../read-cost.ts';

export interface BareStatement {
  run(): Promise<unknown>;
  close(): Promise<void>;
}

/** Selects the columns of a list's items, for public photos. */
const statement = `SELECT photos.id, photos.title, photos.image_key, photo_views.views, photo_counts.likes,
    photo_counts.favorites, photo_counts.comments, photos.width, photos.height, photos.placeholder, photos.create_time, photos.update_time,
    photos.taken_time, photos.level, photos.preview_extension, photos.user_id,
    users.username, users.nickname, users.avatar
  FROM photos JOIN users ON users.id = photos.user_id
    JOIN photo_views ON photo_views.photo_id = photos.id JOIN photo_counts ON photo_counts.photo_id = photos.id
  WHERE photos.visibility = 2 ORDER BY photos.create_time DESC, photos.id DESC LIMIT 20`;

export async function openBareStatement({ database }: ReadGallery): Promise<BareStatement> {
  if ('dataDir' in database) {
    const file = new DatabaseSync(join(database.dataDir, 'lightwell.db'), { readOnly: true });
    const prepared = file.prepare(statement);
    return { run: async () => prepared.all(), close: async () => file.close() };
  }
  // The connection has the server's application name, by which the database's CPU is measured.
  const client = new pg.Client({ connectionString: database.url, application_name: 'lightwell' });
  await client.connect();
  return { run: () => client.query({ name: 'list', text: statement }), close: () => client.end() };
}
