/**
 * Row types of all tables, the same on SQLite and PostgreSQL. Times are Unix seconds (UTC), booleans are 0 or 1, and
 * unset text is empty.
 */
import type { Generated, Transaction as KyselyTransaction, Selectable } from 'kysely';
import type { Level, UserStatus, Visibility, VisibilityOutsideTrash } from './states.ts';
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
import type {
  AlbumPhotosTable,
  PhotoCountsTable,
  PhotoMetadataTable,
  PhotoViewsTable,
} from './tables-photos.ts';
import type {
  EquipmentNamesTable,
  PhotoGroupsTable,
  ReadOnlyColumn,
  VisibilityJobsTable,
} from './tables-queries.ts';
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
  /** Username in folded form, unique, so that two usernames never differ only in case. */
  username_key: string;
  email: string;
  /** Email address in folded form, unique, so that two addresses never differ only in case. */
  email_key: string;
  password_hash: string;
  nickname: string;
  /** Object name of the avatar. Empty if there is none. */
  avatar: string;
  bio: string;
  gender: number;
  birthday: string;
  mobile: string;
  status: UserStatus;
  is_admin: number;
  /** Storage quota in bytes. Null for no limit. */
  quota_bytes: number | null;
  /** Bytes of originals and edited versions, including the trash, replaced versions and open uploads. */
  used_bytes: number;
  create_time: number;
  /** Nickname in folded form, for searches that ignore case. */
  nickname_key: Generated<string>;
  /** Key that sorts users by nickname or username as people count. See `gallery/accounts/names.ts`. */
  name_sort_key: Generated<string>;
  /** Number of followers and followed accounts, without disabled accounts. See `gallery/users/follows/follows.ts`. */
  followers: Generated<number>;
  following: Generated<number>;
  /** Whether the user has confirmed that `email` reaches them (1 or 0). */
  email_confirmed: Generated<number>;
  /** Language of the user's last sign-in, as in `web/messages`. Empty if unknown. */
  language: Generated<string>;
  /** 1 if the account's link to an OpenID identity was removed. Only the user can then create a new link. */
  oidc_by_hand: Generated<number>;
}

export interface SessionsTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256 of the token in hex. The token itself is never stored. */
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
  /** SHA-256 of the key in hex. The key itself is never stored. */
  token_hash: string;
  can_write: number;
  create_time: number;
  last_used_time: number | null;
  /** Expiration time in Unix seconds. Null if the key does not expire. */
  expire_time: number | null;
  /** Calls per minute, or 0 for no limit. Null if RATE_LIMIT applies. */
  rate_limit: number | null;
}

export interface AlbumsTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** Field `name` in folded form, for comparisons that ignore case. */
  name_key: Generated<string>;
  description: Generated<string>;
  /** Album name and description in folded form, which the `keyword` parameter searches. */
  search_text: Generated<string>;
  level: Level;
  /** Visibility that results from this album, the albums above it, and the owner's account. */
  visibility: ReadOnlyColumn<VisibilityOutsideTrash>;
  parent_id: Generated<number | null>;
  /** Cover photo chosen by the owner, from this album or one below it. */
  cover_id: Generated<number | null>;
  /** Position of the next photo that is added: see `album_photos`. */
  next_position: ReadOnlyColumn<number>;
  /**
   * Query of a smart album, which finds its photos; no photo is placed in it. Null for an ordinary album. The kind of
   * an album never changes.
   */
  rule: Generated<string | null>;
  create_time: number;
  update_time: number;
}

export interface PhotosTable {
  id: Generated<number>;
  user_id: number;
  visibility: ReadOnlyColumn<Visibility>;
  create_time: number;
  width: number;
  height: number;
  /** Key of the photo's current image. See `images`. */
  image_key: string;
  title: string;
  /** ThumbHash of the photo's current image in base64. */
  placeholder: string;
  /** Main album of the photo, which belongs to the photo's owner. The table `album_photos` contains it too. */
  album_id: ReadOnlyColumn<number | null>;
  level: ReadOnlyColumn<Level>;
  /** Size of the photo's current image in bytes. */
  size: number;
  update_time: number;
  /** Time when the picture was taken, or the upload time if unknown. */
  taken_time: number;
  /** Title in folded form, which `sort=title` orders by. */
  title_key: string;
  /** Tags as a JSON array of strings, in the order given. */
  tags: string;
  camera: string;
  aperture: string;
  shutter: string;
  iso: number;
  /** File name from the client, made safe. Used only as the name of downloads. */
  file_name: string;
  /** Key of the uploaded image. Equals `image_key` until the first edit. */
  original_key: string;
  /** SHA-256 of the uploaded bytes in hex. */
  sha256: string;
  delete_time: number | null;
  description: string;
  /** Model of the lens that took the photo. */
  lens: Generated<string>;
  /** Focal length in millimeters. 0 if the file does not say. */
  focal_length: Generated<number>;
  /** Location in degrees: both coordinates or neither. Visible to the owner and admins only. */
  latitude: Generated<number | null>;
  longitude: Generated<number | null>;
  /** Names of the place in the file, or ''. Visible to the owner and admins only. */
  place_names: Generated<string>;
  /** Extension of the current image's preview. See `images`. */
  preview_extension: Generated<string>;
  /** Rating from 1 to 5, or 0 for none. Visible to the owner and admins only. */
  rating: Generated<number>;
}

export interface PhotoTagsTable {
  photo_id: ReadOnlyColumn<number>;
  position: number;
  name: string;
  /** Field `name` in folded form, for comparisons that ignore case. */
  name_key: string;
  /** Copies of the photo's columns, so that one index range returns a tag's list. */
  user_id: number;
  visibility: ReadOnlyColumn<Visibility>;
  create_time: number;
}

export interface ReactionsTable {
  photo_id: number;
  user_id: number;
  create_time: number;
  /**
   * Sequence number in the owner's notification. Null for the owner's own reaction. See
   * `gallery/notifications/group.ts`.
   */
  notice: Generated<number | null>;
}

/** Photos to download together, identified by a token that is valid for five minutes. */
export interface SelectionsTable {
  /** SHA-256 of the token in hex. */
  token_hash: string;
  user_id: number;
  /** Ids of the photos as a JSON list. */
  ids: string;
  kind: 'original' | 'preview';
  expire_time: number;
  /** Session or API key that created the selection. Exactly one of the two is set. */
  session_id: number | null;
  key_id: number | null;
}

/** Exact number of photos per owner and visibility. The row of user 0 counts all users. */
export interface PhotoTotalsTable {
  user_id: ReadOnlyColumn<number>;
  visibility: ReadOnlyColumn<Visibility>;
  n: ReadOnlyColumn<number>;
}

/** Number of photos with a tag, per owner (0 for all users) and visibility. Updated by `gallery/library/tags.ts`. */
export interface TagTotalsTable {
  user_id: ReadOnlyColumn<number>;
  visibility: ReadOnlyColumn<VisibilityOutsideTrash>;
  name_key: string;
  name: string;
  n: number;
  /** Key that sorts tags as people count. Filled by `platform/db/tag-sort-keys.ts`. */
  sort_key: Generated<string>;
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
  album_photos: AlbumPhotosTable;
  photos: PhotosTable;
  photo_views: PhotoViewsTable;
  photo_counts: PhotoCountsTable;
  photo_metadata: PhotoMetadataTable;
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

/** Kysely transaction on these tables. */
export type Transaction = KyselyTransaction<Tables>;

export type UserRow = Selectable<UsersTable>;
export type AlbumRow = Selectable<AlbumsTable>;
export type PhotoRow = Selectable<PhotosTable>;
export type ImageRow = Selectable<ImagesTable>;
/** Counters of a photo from the tables `photo_views` and `photo_counts`. */
export type PhotoCounters = Omit<
  Selectable<PhotoViewsTable & PhotoCountsTable>,
  'photo_id' | 'user_id' | 'visibility'
>;
export type PhotoMetadataRow = Selectable<PhotoMetadataTable>;
export type EditRow = Selectable<EditsTable>;
export type ShareRow = Selectable<SharesTable>;
