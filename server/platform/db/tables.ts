/**
 * The rows as the database holds them, one interface a table, the same on SQLite and PostgreSQL.
 * Times are Unix seconds (UTC), booleans are 0 or 1, unset text is ''.
 */
import type { Generated, Transaction as KyselyTransaction, Selectable } from 'kysely';
import type { Shown, UserStatus, Visibility } from './states.ts';
import type { AccountTables } from './tables-accounts.ts';
import type { EditsTable, ImagesTable, RemovalsTable } from './tables-images.ts';
import type { IdentitiesTable, PasskeysTable, UsedChallengesTable } from './tables-passkeys.ts';
import type {
  AuditLogTable,
  CommentLikesTable,
  CommentsTable,
  FollowsTable,
  NotificationsTable,
  ReportsTable,
} from './tables-people.ts';
import type { PhotoCountsTable, PhotoViewsTable } from './tables-photos.ts';
import type { EquipmentNamesTable, Kept, PhotoGroupsTable, VisibilityJobsTable } from './tables-queries.ts';
import type { ShareDownloadsTable, SharesTable } from './tables-shares.ts';
import type { UploadTables } from './tables-uploads.ts';
import type { WebhookDeliveriesTable, WebhooksTable } from './tables-webhooks.ts';

export type * from './tables-accounts.ts';
export type * from './tables-images.ts';
export type * from './tables-people.ts';
export type * from './tables-photos.ts';

export interface UsersTable {
  id: Generated<number>;
  username: string;
  /** Folded `username`, unique. */
  username_key: string;
  email: string;
  /** Folded `email`, unique. */
  email_key: string;
  password_hash: string;
  nickname: string;
  /** Name of the avatar's object, '' when none. */
  avatar: string;
  bio: string;
  gender: number;
  birthday: string;
  mobile: string;
  status: UserStatus;
  is_admin: number;
  /** Bytes the user may store; null for no limit. */
  quota_bytes: number | null;
  /** Bytes of originals and edited versions, the trash, replaced versions and open uploads included. */
  used_bytes: number;
  create_time: number;
  /** Folded `nickname`. */
  nickname_key: Generated<string>;
  /** Follows from and to accounts that are not disabled; see gallery/users/follows/follows.ts. */
  followers: Generated<number>;
  following: Generated<number>;
  /** 1: who has the account has shown that `email` reaches them. */
  email_confirmed: Generated<number>;
  /** That they last signed in with, as in web/messages; '': not known. */
  language: Generated<string>;
  /** 1: its tie to the OpenID provider was ended; its owner alone makes another one. */
  oidc_by_hand: Generated<number>;
}

export interface SessionsTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256 of the token, hex; the token itself is never stored. */
  token_hash: string;
  user_agent: string;
  ip: string;
  create_time: number;
  last_used_time: number;
  expire_time: number;
}

export interface ApiKeysTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** SHA-256 of the key, hex; the key itself is never stored. */
  token_hash: string;
  can_write: number;
  create_time: number;
  last_used_time: number | null;
  /** null: does not expire. */
  expire_time: number | null;
}

export interface AlbumsTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** Folded `name`. */
  name_key: Generated<string>;
  description: Generated<string>;
  /** Folded name and description: what `keyword` looks at. */
  search_text: Generated<string>;
  is_public: number;
  /** Of the album with all above it and its owner. */
  visibility: Kept<Shown>;
  parent_id: Generated<number | null>;
  /** A photo of this album or one below it, chosen by the owner. */
  cover_id: Generated<number | null>;
  /** Photos directly in it, the trash not counted, and those of them that everybody sees. */
  photo_count: Kept<number>;
  public_count: Kept<number>;
  /** `album_position` of the next photo. */
  next_position: Kept<number>;
  /** Of a smart album: the query that finds its photos, of which none is in it. null: an ordinary one, for ever. */
  rule: Generated<string | null>;
  create_time: number;
  update_time: number;
}

export interface PhotosTable {
  id: Generated<number>;
  user_id: number;
  visibility: Kept<Visibility>;
  create_time: number;
  width: number;
  height: number;
  /** Key of the image shown now; see `images`. */
  image_key: string;
  title: string;
  /** ThumbHash of the image shown now, base64. */
  placeholder: string;
  /** Always an album of the photo's owner. */
  album_id: Kept<number | null>;
  /** Order within the album, unique there. */
  album_position: Kept<number>;
  is_public: number;
  /** Bytes of the image shown now. */
  size: number;
  update_time: number;
  /** When the picture was taken, else when it was uploaded. */
  taken_time: number;
  /** Folded title: what `sort=title` sorts by. */
  title_key: string;
  /** JSON array of strings, in the order given. */
  tags: string;
  camera: string;
  aperture: string;
  shutter: string;
  iso: number;
  /** Name that the client gave the file, made safe; only for the download's file name. */
  file_name: string;
  /** Key of the uploaded image; equals `image_key` until the first edit. */
  original_key: string;
  /** SHA-256 of the uploaded bytes, hex. */
  sha256: string;
  delete_time: number | null;
  description: string;
  /** The lens's model. */
  lens: Generated<string>;
  /** Millimetres, 0 where the file does not say. */
  focal_length: Generated<number>;
  /** Degrees, both or neither: for its owner and admins alone. */
  latitude: Generated<number | null>;
  longitude: Generated<number | null>;
  /** That of the image shown now; see `images`. */
  preview_extension: Generated<string>;
}

export interface PhotoTagsTable {
  photo_id: Kept<number>;
  position: number;
  name: string;
  /** Folded `name`. */
  name_key: string;
  /** Copies of the photo's columns, so that a tag's list is one index range. */
  user_id: number;
  visibility: Kept<Visibility>;
  create_time: number;
}

export interface ReactionsTable {
  photo_id: number;
  user_id: number;
  create_time: number;
  /** Sequence number in the owner's notification; null for the owner's own. See gallery/notifications/group.ts. */
  notice: Generated<number | null>;
}

/** Photos to be downloaded together, by a token of five minutes. */
export interface SelectionsTable {
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  user_id: number;
  /** A JSON list. */
  ids: string;
  kind: 'original' | 'preview';
  expire_time: number;
  /** By which it was made: one of the two. */
  session_id: number | null;
  key_id: number | null;
}

/** Exact counts per owner and visibility; the row of user 0 counts everybody's. */
export interface PhotoTotalsTable {
  user_id: Kept<number>;
  visibility: Kept<Visibility>;
  n: Kept<number>;
}

/** How many photos carry a tag, per owner (0: everybody) and visibility. Kept by gallery/library/tags.ts. */
export interface TagTotalsTable {
  user_id: Kept<number>;
  visibility: Kept<Shown>;
  name_key: string;
  name: string;
  n: number;
}

export interface SettingsTable {
  name: string;
  value: string;
}

export interface Tables extends UploadTables, AccountTables {
  users: UsersTable;
  sessions: SessionsTable;
  api_keys: ApiKeysTable;
  passkeys: PasskeysTable;
  identities: IdentitiesTable;
  used_challenges: UsedChallengesTable;
  albums: AlbumsTable;
  photos: PhotosTable;
  photo_views: PhotoViewsTable;
  photo_counts: PhotoCountsTable;
  images: ImagesTable;
  edits: EditsTable;
  photo_tags: PhotoTagsTable;
  likes: ReactionsTable;
  favorites: ReactionsTable;
  selections: SelectionsTable;
  shares: SharesTable;
  share_downloads: ShareDownloadsTable;
  photo_totals: PhotoTotalsTable;
  visibility_jobs: VisibilityJobsTable;
  equipment_names: EquipmentNamesTable;
  photo_groups: PhotoGroupsTable;
  removals: RemovalsTable;
  settings: SettingsTable;
  follows: FollowsTable;
  tag_totals: TagTotalsTable;
  comments: CommentsTable;
  comment_likes: CommentLikesTable;
  notifications: NotificationsTable;
  reports: ReportsTable;
  audit_log: AuditLogTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
}

/** One of these tables, and of what Kysely calls so. */
export type Transaction = KyselyTransaction<Tables>;

export type UserRow = Selectable<UsersTable>;
export type AlbumRow = Selectable<AlbumsTable>;
export type PhotoRow = Selectable<PhotosTable>;
export type ImageRow = Selectable<ImagesTable>;
/** The counters of a photo, from both tables. */
export type PhotoCounters = Omit<
  Selectable<PhotoViewsTable & PhotoCountsTable>,
  'photo_id' | 'user_id' | 'visibility'
>;
export type EditRow = Selectable<EditsTable>;
export type ShareRow = Selectable<SharesTable>;
