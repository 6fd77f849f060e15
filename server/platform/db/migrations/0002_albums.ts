/** Albums: nested, ordered, with a cover, effective visibility and kept counts. Row types: platform/db/tables.ts. */
import { fold } from '../fold.ts';
import { runAll, type Up } from './up.ts';

/** Columns that the album list sorts by; `public_count` is the `photo_count` of those who see public photos only. */
const sorts = ['create_time', 'update_time', 'name_key', 'photo_count', 'public_count'];

export const up: Up = async (database, kysely) => {
  const { sortedText } = database.types;
  const statements = [
    `ALTER TABLE albums ADD COLUMN description text NOT NULL DEFAULT ''`,
    `ALTER TABLE albums ADD COLUMN name_key ${sortedText} NOT NULL DEFAULT ''`,
    `ALTER TABLE albums ADD COLUMN search_text text NOT NULL DEFAULT ''`,
    `ALTER TABLE albums ADD COLUMN parent_id bigint REFERENCES albums (id) ON DELETE SET NULL`,
    `ALTER TABLE albums ADD COLUMN cover_id bigint REFERENCES photos (id) ON DELETE SET NULL`,
    `ALTER TABLE albums ADD COLUMN visibility integer NOT NULL DEFAULT 2`,
    `ALTER TABLE albums ADD COLUMN photo_count bigint NOT NULL DEFAULT 0`,
    `ALTER TABLE albums ADD COLUMN public_count bigint NOT NULL DEFAULT 0`,
    `ALTER TABLE albums ADD COLUMN next_position bigint NOT NULL DEFAULT 1`,
    `ALTER TABLE photos ADD COLUMN album_position bigint NOT NULL DEFAULT 0`,
    `CREATE TABLE search_moves (
      photo_id bigint PRIMARY KEY REFERENCES photos (id) ON DELETE CASCADE)`,
    `UPDATE photos SET album_position = id WHERE album_id IS NOT NULL`,
    `UPDATE albums SET visibility = 1 WHERE is_public = 0`,
    `UPDATE albums SET
      photo_count = (SELECT count(*) FROM photos WHERE album_id = albums.id AND visibility > 0),
      public_count = (SELECT count(*) FROM photos WHERE album_id = albums.id AND visibility = 2),
      next_position = (SELECT coalesce(max(id), 0) + 1 FROM photos WHERE album_id = albums.id)`,
    ...sorts.flatMap((column) => [
      `CREATE INDEX albums_by_${column} ON albums (visibility, ${column}, id)`,
      `CREATE INDEX albums_of_user_by_${column} ON albums (user_id, visibility, ${column}, id)`,
    ]),
    `CREATE INDEX albums_parent ON albums (parent_id, visibility, name_key, id)`,
    `CREATE INDEX albums_cover ON albums (cover_id) WHERE cover_id IS NOT NULL`,
    `CREATE INDEX photos_of_album_by_position ON photos (album_id, visibility, album_position, id)`,
  ];
  await runAll(kysely, statements);
  const albums = await kysely.selectFrom('albums').select(['id', 'name']).execute();
  for (const { id, name } of albums) {
    const key = fold(name);
    await kysely
      .updateTable('albums')
      .set({ name_key: key, search_text: key })
      .where('id', '=', id)
      .execute();
  }
};
