/** Uploads under way, and their pieces: gallery/uploads. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_, kysely) =>
  runAll(kysely, [
    `CREATE TABLE uploads (
      id text PRIMARY KEY NOT NULL,
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      size bigint NOT NULL, received bigint NOT NULL,
      metadata text NOT NULL, writer text NOT NULL,
      photo_id bigint,
      create_time bigint NOT NULL, expire_time bigint NOT NULL)`,
    'CREATE INDEX uploads_user ON uploads (user_id)',
    'CREATE INDEX uploads_expiry ON uploads (expire_time)',
    `CREATE TABLE upload_pieces (
      object text PRIMARY KEY NOT NULL,
      upload_id text NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
      start bigint NOT NULL, size bigint NOT NULL)`,
    'CREATE UNIQUE INDEX upload_pieces_upload ON upload_pieces (upload_id, start)',
  ]);
