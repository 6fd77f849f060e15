/** Actions on selected photos, defined once for the bar, its menu and keyboard shortcuts. */
import {
  Award,
  CalendarClock,
  Download,
  Eye,
  FolderMinus,
  FolderPlus,
  type LucideIcon,
  MapPin,
  Star,
  StarOff,
  Tag,
  Trash2,
  Type,
  Undo2,
} from 'lucide-react';
import type { BatchRequest, CurrentUser, PhotoItem } from '../api/types.ts';
import type { MessageKey } from '../messages/messages.ts';

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
