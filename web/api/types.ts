/**
 * Types of the API's requests and responses, taken from the server's schemas. Only types are imported from
 * the server.
 */
import type { Static } from 'typebox';
import type {
  SecondFactorStatus as FactorSchema,
  NewSecondFactor as NewFactorSchema,
} from '../../server/gallery/accounts/factor/schema.ts';
import type {
  ApiKey as ApiKeySchema,
  NewApiKey as MakeKeySchema,
} from '../../server/gallery/accounts/keys/schema.ts';
import type { Passkey as PasskeySchema } from '../../server/gallery/accounts/passkeys/schema.ts';
import type {
  Invite as InviteSchema,
  CreatedInviteResponse as MadeInviteSchema,
} from '../../server/gallery/accounts/registration/schema.ts';
import type {
  CurrentUser as CurrentUserSchema,
  Session as SessionSchema,
} from '../../server/gallery/accounts/schema.ts';
import type { AdminApiKey as AdminKeySchema } from '../../server/gallery/admin/keys/schema.ts';
import type { AuditLogEntry as LogEntrySchema } from '../../server/gallery/admin/log-list.ts';
import type { AdminPhoto as AdminPhotoSchema } from '../../server/gallery/admin/reports/schema.ts';
import type { Album as AlbumSchema } from '../../server/gallery/albums/schema.ts';
import type { User as UserSchema } from '../../server/gallery/identity/user-schema.ts';
import type { AddedPhotos } from '../../server/gallery/photos/albums/schema.ts';
import type {
  EditResponse as EditedSchema,
  EditSteps,
  Photo as PhotoSchema,
} from '../../server/gallery/photos/schema.ts';
import type { Tag as TagSchema } from '../../server/gallery/photos/tags/list.ts';
import type { Site as SiteSchema } from '../../server/gallery/site/schema.ts';
import type { SiteSettings as SiteSettingsSchema } from '../../server/gallery/site/settings-schema.ts';
import type { FollowedUser, UserProfile as UserHomeSchema } from '../../server/gallery/users/schema.ts';

export type { NewInvite } from '../../server/gallery/accounts/registration/schema.ts';
export type { ProfileUpdate } from '../../server/gallery/accounts/schema.ts';
export type { AdminComment, Report } from '../../server/gallery/admin/reports/schema.ts';
export type { GalleryStats } from '../../server/gallery/admin/stats.ts';
export type { AdminUser } from '../../server/gallery/admin/users/schema.ts';
export type { Album, AlbumDetail, AlbumUpdate, NewAlbum } from '../../server/gallery/albums/schema.ts';
export type { Comment, Reply } from '../../server/gallery/comments/schema.ts';
export type { Notification } from '../../server/gallery/notifications/schema.ts';
export type { PageData } from '../../server/gallery/pages/read.ts';
export type { BatchRequest } from '../../server/gallery/photos/batch/batch.ts';
export type { PhotoFacets as Facets, Timeline } from '../../server/gallery/photos/groups/schema.ts';
export type { PhotoListPage } from '../../server/gallery/photos/list/schema.ts';
export type { SearchTerm } from '../../server/gallery/photos/query/schema.ts';
export type {
  BatchOutcome,
  Photo,
  PhotoItem,
  PhotoListQuery,
  PhotoUpdate,
} from '../../server/gallery/photos/schema.ts';
export type { NewReport } from '../../server/gallery/reports/schema.ts';
export type { SearchSuggestions } from '../../server/gallery/search/schema.ts';
export type { NewShare, Share } from '../../server/gallery/shares/schema.ts';
export type {
  NewWebhook,
  Webhook,
  WebhookDelivery,
  WebhookUpdate as WebhookChange,
} from '../../server/gallery/webhooks/schema.ts';
export type { AddedPhotos, FollowedUser };
export type AddedPhoto = AddedPhotos['photos'][number];
/** An album that contains a photo, as its main album or by reference. */
export type ContainingAlbum = PhotoSchema['albums'][number];
export type AdminApiKey = Static<typeof AdminKeySchema>;
export type ApiKey = Static<typeof ApiKeySchema>;
export type NewApiKey = Static<typeof MakeKeySchema>;
export type Invite = Static<typeof InviteSchema>;
export type CreatedInvite = Static<typeof MadeInviteSchema>;
export type SecondFactorStatus = Static<typeof FactorSchema>;
export type NewSecondFactor = Static<typeof NewFactorSchema>;
export type Passkey = Static<typeof PasskeySchema>;
export type Session = Static<typeof SessionSchema>;
export type { EditStep } from '../../server/platform/imaging/edits/actions.ts';
export type CurrentUser = Static<typeof CurrentUserSchema>;
export type AdminPhoto = Static<typeof AdminPhotoSchema>;
export type AuditLogEntry = Static<typeof LogEntrySchema>;
export type EditHistory = Static<typeof EditSteps>;
export type EditResult = Static<typeof EditedSchema>;
export type UserProfile = Static<typeof UserHomeSchema>;
export type User = Static<typeof UserSchema>;
export type Tag = Static<typeof TagSchema>;
/** Level of a photo or an album: `private`, `members` or `public`. */
export type VisibilityLevel = AlbumSchema['visibility'];
export type Site = Static<typeof SiteSchema>;
export type SiteSettings = Static<typeof SiteSettingsSchema>;
export type { SiteSettingsUpdate } from '../../server/gallery/site/settings-schema.ts';

export interface PagedResponse<Item> {
  list: Item[];
  pagination: { page: number; limit: number; total: number; pages: number };
}
