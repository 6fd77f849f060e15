/** Actions on photos, defined once for buttons, menus and keyboard shortcuts. */
import {
  Award,
  CalendarClock,
  Download,
  Eye,
  FolderMinus,
  FolderPlus,
  Heart,
  Info,
  type LucideIcon,
  MapPin,
  Share2,
  SlidersHorizontal,
  Star,
  StarOff,
  Tag,
  Trash2,
  Type,
  Undo2,
} from 'lucide-react';
import type { BatchRequest, CurrentUser, Photo, PhotoItem } from '../api/types.ts';
import type { MessageKey } from '../messages/messages.ts';

export interface PhotoActionTarget {
  photo: PhotoItem;
  /** Full details of the photo, undefined until they are loaded. */
  detail: Photo | undefined;
  user: CurrentUser | null | undefined;
}

/** Functions that a page provides for actions on one photo. */
export interface PhotoActionHandlers {
  react(id: number, reaction: 'like' | 'favorite', isSet: boolean): void;
  toggleInfo(): void;
  edit(): void;
  /** Opens the dialog that adds the photo to albums. */
  addToAlbum(photo: PhotoItem): void;
  share(photo: PhotoItem): void;
  trash(photo: PhotoItem): void;
  rate(id: number, rating: number): void;
}

export interface PhotoAction {
  name: string;
  /** Label of the action; `labelOn` is the label while the reaction is set. */
  label: MessageKey;
  labelOn?: MessageKey;
  icon: LucideIcon;
  /** Keyboard shortcut of the action. */
  key: string;
  /** Stays in a narrow bar; other actions move to the bar's menu. */
  isFrequent?: boolean;
  isDestructive?: boolean;
  isOn?(target: PhotoActionTarget): boolean;
  isFor(target: PhotoActionTarget): boolean;
  perform(target: PhotoActionTarget, handlers: PhotoActionHandlers): void;
}

export const photoActions: PhotoAction[] = [
  {
    name: 'favorite',
    label: 'favorite',
    labelOn: 'unfavorite',
    icon: Star,
    key: 'f',
    isFrequent: true,
    isOn: ({ photo }) => photo.is_favorited,
    isFor: ({ user }) => Boolean(user),
    perform: ({ photo }, { react }) => react(photo.id, 'favorite', !photo.is_favorited),
  },
  {
    name: 'like',
    label: 'like',
    labelOn: 'unlike',
    icon: Heart,
    key: 'l',
    isFrequent: true,
    isOn: ({ photo }) => photo.is_liked,
    isFor: ({ user }) => Boolean(user),
    perform: ({ photo }, { react }) => react(photo.id, 'like', !photo.is_liked),
  },
  {
    name: 'download',
    label: 'download',
    icon: Download,
    key: 'd',
    // Only accounts can download by the API; other visitors download the displayed image.
    isFor: ({ user, detail }) => Boolean(user) || detail !== undefined,
    perform: ({ photo, detail, user }) =>
      startDownload(user ? `/api/photos/${photo.id}/download` : detail!.path),
  },
  {
    name: 'album',
    label: 'addToAlbum',
    icon: FolderPlus,
    key: 'a',
    isFor: ({ photo, user }) => user?.id === photo.user.id,
    perform: ({ photo }, { addToAlbum }) => addToAlbum(photo),
  },
  {
    name: 'edit',
    label: 'edit',
    icon: SlidersHorizontal,
    key: 'e',
    isFor: ({ photo, user }) => user?.id === photo.user.id,
    perform: (_, { edit }) => edit(),
  },
  {
    name: 'delete',
    label: 'moveToTrash',
    icon: Trash2,
    key: 'delete',
    isDestructive: true,
    // Admins can moderate everybody's photos.
    isFor: ({ photo, user }) => Boolean(user && (user.is_admin || user.id === photo.user.id)),
    perform: ({ photo }, { trash }) => trash(photo),
  },
  {
    name: 'share',
    label: 'share',
    icon: Share2,
    key: 's',
    isFrequent: true,
    // Every user can share public photos. Only the owner can share other photos.
    isFor: ({ user, photo }) =>
      Boolean(user && (photo.effective_visibility === 'public' || user.id === photo.user.id)),
    perform: ({ photo }, { share }) => share(photo),
  },
  {
    name: 'info',
    label: 'info',
    icon: Info,
    key: 'i',
    isFrequent: true,
    isFor: () => true,
    perform: (_, { toggleInfo }) => toggleInfo(),
  },
];

function startDownload(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}

/** A change of many photos, as the batch API expects it. */
export interface BulkPhotoChange
  extends Pick<
    BatchRequest,
    'visibility' | 'tags' | 'title' | 'description' | 'taken_time' | 'shift' | 'location' | 'rating'
  > {
  action: Exclude<BatchRequest['action'], 'publish' | 'hide' | 'move' | 'add' | 'remove'>;
}

export interface BulkActionTarget {
  /** Selected photos, at least one. */
  photos: PhotoItem[];
  user: CurrentUser;
  isTrash: boolean;
  /** Id of the ordinary album whose photos the page shows. */
  album: number | undefined;
}

/** Functions that a page provides for actions on selected photos. */
export interface BulkActionHandlers {
  change(change: BulkPhotoChange): void;
  /** Opens a dialog that asks for details of the change. */
  ask(question: 'album' | 'tag' | 'describe' | 'date' | 'place' | 'rate' | 'visibility' | 'purge'): void;
  removeFromAlbum(album: number): void;
  archive(): void;
}

export interface BulkAction {
  name: string;
  label: MessageKey;
  icon: LucideIcon;
  /** Keyboard shortcut of the action, as `KeyboardEvent.key` in lower case. */
  key: string;
  /** Stays in a narrow bar; other actions move to the bar's menu. */
  isFrequent?: boolean;
  isDestructive?: boolean;
  isFor(target: BulkActionTarget): boolean;
  perform(target: BulkActionTarget, handlers: BulkActionHandlers): void;
}

const areOwnPhotos = ({ photos, user, isTrash }: BulkActionTarget) =>
  !isTrash && photos.every((photo) => photo.user.id === user.id);
/** Admins can moderate everybody's photos, but not in the trash. */
const mayModerate = (target: BulkActionTarget) =>
  areOwnPhotos(target) || (target.user.is_admin && !target.isTrash);
const areAllFavorites = ({ photos }: BulkActionTarget) => photos.every((photo) => photo.is_favorited);

/** Actions on many photos, for the selection's bar, menu and keyboard shortcuts. */
export const bulkActions: BulkAction[] = [
  {
    name: 'favorite',
    label: 'favorite',
    icon: Star,
    key: 'f',
    isFor: (target) => !target.isTrash && !areAllFavorites(target),
    perform: (_, { change }) => change({ action: 'favorite' }),
  },
  {
    name: 'unfavorite',
    label: 'unfavorite',
    icon: StarOff,
    key: 'f',
    isFor: (target) => !target.isTrash && areAllFavorites(target),
    perform: (_, { change }) => change({ action: 'unfavorite' }),
  },
  {
    name: 'album',
    label: 'addToAlbum',
    icon: FolderPlus,
    key: 'a',
    isFrequent: true,
    isFor: areOwnPhotos,
    perform: (_, { ask }) => ask('album'),
  },
  {
    name: 'tag',
    label: 'tagSelected',
    icon: Tag,
    key: 't',
    isFor: areOwnPhotos,
    perform: (_, { ask }) => ask('tag'),
  },
  {
    name: 'describe',
    label: 'describeSelected',
    icon: Type,
    key: 'n',
    isFor: areOwnPhotos,
    perform: (_, { ask }) => ask('describe'),
  },
  {
    name: 'date',
    label: 'dateSelected',
    icon: CalendarClock,
    key: 'c',
    isFor: areOwnPhotos,
    perform: (_, { ask }) => ask('date'),
  },
  {
    name: 'place',
    label: 'placeSelected',
    icon: MapPin,
    key: 'p',
    isFor: areOwnPhotos,
    perform: (_, { ask }) => ask('place'),
  },
  {
    name: 'rate',
    label: 'rateSelected',
    icon: Award,
    key: 'g',
    isFor: areOwnPhotos,
    perform: (_, { ask }) => ask('rate'),
  },
  {
    name: 'remove',
    label: 'removeFromAlbum',
    icon: FolderMinus,
    key: 'o',
    isFor: (target) => target.album !== undefined && areOwnPhotos(target),
    perform: ({ album }, { removeFromAlbum }) => removeFromAlbum(album!),
  },
  {
    name: 'visibility',
    label: 'visibilitySelected',
    icon: Eye,
    key: 'v',
    // Admins can narrow photos of other people. Only the owner can widen a photo.
    isFor: (target) =>
      areOwnPhotos(target) ||
      (mayModerate(target) && target.photos.some(({ visibility }) => visibility !== 'private')),
    perform: (_, { ask }) => ask('visibility'),
  },
  {
    name: 'archive',
    label: 'downloadSelected',
    icon: Download,
    key: 'd',
    isFor: ({ isTrash }) => !isTrash,
    perform: (_, { archive }) => archive(),
  },
  {
    name: 'delete',
    label: 'trashSelected',
    icon: Trash2,
    key: 'delete',
    isFrequent: true,
    isDestructive: true,
    isFor: mayModerate,
    perform: (_, { change }) => change({ action: 'delete' }),
  },
  {
    name: 'restore',
    label: 'restoreSelected',
    icon: Undo2,
    key: 'r',
    isFrequent: true,
    isFor: ({ isTrash }) => isTrash,
    perform: (_, { change }) => change({ action: 'restore' }),
  },
  {
    name: 'purge',
    label: 'purgeSelected',
    icon: Trash2,
    key: 'delete',
    isFrequent: true,
    isDestructive: true,
    isFor: ({ isTrash }) => isTrash,
    perform: (_, { ask }) => ask('purge'),
  },
];
