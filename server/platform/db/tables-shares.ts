/** Table rows for share links. See `tables.ts`. */
import type { Generated } from 'kysely';

export interface SharesTable {
  id: Generated<number>;
  /** Token of the link: 256 random bits in base64url. */
  token: string;
  user_id: number;
  type: string;
  photo_id: number | null;
  album_id: number | null;
  /** Hash of the share's password. Empty if the share has no password. */
  password_hash: string;
  /** Expiration time in Unix seconds. Null if the share does not expire. */
  expire_time: number | null;
  views: number;
  /** Whether visitors may download: 1 for yes, 0 for viewing only. */
  allow_download: Generated<number>;
  /** Maximum views. Null for no limit. With a limit, each view is counted before content is sent. */
  max_views: number | null;
  downloads: Generated<number>;
  last_view_time: number | null;
  create_time: number;
}

/**
 * A client's download through a share with limited views. The download counted views, and the client may resume the
 * download until `until_time`.
 */
export interface ShareDownloadsTable {
  share_id: number;
  /** Key of the IP address of the downloading client. */
  client: string;
  until_time: number;
  /** Number of views that the client has used until `until_time`. */
  taken: number;
  /** Number of requests that resumed the download. */
  resumed: number;
}
