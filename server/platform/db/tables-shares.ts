/** Rows of share links. See tables.ts. */
import type { Generated } from 'kysely';

export interface SharesTable {
  id: Generated<number>;
  /** 256 random bits, base64url. */
  token: string;
  user_id: number;
  type: string;
  photo_id: number | null;
  album_id: number | null;
  /** '' when the share has no password. */
  password_hash: string;
  /** null: does not expire. */
  expire_time: number | null;
  views: number;
  /** 1: it may be downloaded, 0: shown alone. */
  allow_download: Generated<number>;
  /** null: no limit. With one, `views` is counted before anything is shown. */
  max_views: number | null;
  downloads: Generated<number>;
  last_view_time: number | null;
  create_time: number;
}

/** A view of a link that a client's download has taken: until then the client may resume it. */
export interface ShareDownloadsTable {
  share_id: number;
  /** The key of its address. */
  client: string;
  until_time: number;
  /** Views that the client took until then. */
  taken: number;
  /** Requests that went on with what was begun. */
  resumed: number;
}
