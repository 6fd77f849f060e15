/** The rows of a first page by a plain statement, prepared once: what a list costs that does nothing but read. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { ReadGallery } from '../read-cost.ts';

export interface BareStatement {
  run(): Promise<unknown>;
  close(): Promise<void>;
}

/** What a list's items are made of, of everybody's photos. */
const statement = `SELECT photos.id, photos.title, photos.image_key, photo_views.views, photo_counts.likes,
    photo_counts.favorites, photo_counts.comments, photos.width, photos.height, photos.placeholder, photos.create_time, photos.update_time,
    photos.taken_time, photos.is_public, photos.preview_extension, photos.user_id,
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
  // Under the server's name, by which the database's CPU is read.
  const client = new pg.Client({ connectionString: database.url, application_name: 'lightwell' });
  await client.connect();
  return { run: () => client.query({ name: 'list', text: statement }), close: () => client.end() };
}
