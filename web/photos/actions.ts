/** Actions on one photo, defined once for buttons, menus and keyboard shortcuts. */
import {
  Download,
  Flag,
  FolderPlus,
  Heart,
  Info,
  ListChecks,
  type LucideIcon,
  Maximize,
  MessageCircle,
  Play,
  Share2,
  SlidersHorizontal,
  Star,
  Trash2,
  Undo2,
} from 'lucide-react';
import type { CurrentUser, Photo, PhotoItem } from '../api/types.ts';
import type { MessageKey } from '../messages/messages.ts';

export interface PhotoActionTarget {
  photo: PhotoItem;
  /** Full details of the photo, undefined until they are loaded. */
  detail: Photo | undefined;
  user: CurrentUser | null | undefined;
  /** Each rating shows the next photo. */
  isCulling: boolean;
  isTrash: boolean;
}

/** Functions that a page provides for actions on one photo. */
export interface PhotoActionHandlers {
  react(id: number, reaction: 'like' | 'favorite', isSet: boolean): void;
  toggleInfo(): void;
  /** Opens the panel at the comments. */
  showComments(photo: PhotoItem): void;
  /** Opens the panel at the form that reports the photo. */
  report(photo: PhotoItem): void;
  startSlideshow(): void;
  toggleFullScreen(): void;
  edit(): void;
  /** Opens the dialog that adds the photo to albums. */
  addToAlbum(photo: PhotoItem): void;
  share(photo: PhotoItem): void;
  trash(photo: PhotoItem): void;
  restore(photo: PhotoItem): void;
  /** Asks whether the photo in the trash is deleted permanently. */
  purge(photo: PhotoItem): void;
  /** Rates a photo, and shows the next photo if `goesOn` is true or the user is culling. */
  rate(id: number, rating: number, goesOn?: boolean): void;
  toggleCulling(): void;
}

export interface PhotoAction {
  name: string;
  /** Label of the action; `labelOn` is the label while the reaction is set. */
  label: MessageKey;
  labelOn?: MessageKey;
  icon: LucideIcon;
  /** Keyboard shortcut of the action; without one, the action is in the menu alone. */
  key?: string;
  /** Has a button in wide windows; other actions are in the menu. */
  hasButton?: boolean;
  isDestructive?: boolean;
  /** Number beside the icon. */
  count?(target: PhotoActionTarget): number;
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
    hasButton: true,
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
    hasButton: true,
    count: ({ photo }) => photo.likes,
    isOn: ({ photo }) => photo.is_liked,
    isFor: ({ user }) => Boolean(user),
    perform: ({ photo }, { react }) => react(photo.id, 'like', !photo.is_liked),
  },
  {
    name: 'comment',
    label: 'showComments',
    icon: MessageCircle,
    key: 'c',
    hasButton: true,
    count: ({ photo }) => photo.comments,
    isFor: () => true,
    perform: ({ photo }, { showComments }) => showComments(photo),
  },
  {
    name: 'share',
    label: 'share',
    icon: Share2,
    key: 's',
    hasButton: true,
    // Everybody can share public photos. Only the owner can share other photos.
    isFor: ({ user, photo }) => photo.effective_visibility === 'public' || user?.id === photo.user.id,
    perform: ({ photo }, { share }) => share(photo),
  },
  {
    name: 'album',
    label: 'addToAlbum',
    icon: FolderPlus,
    key: 'a',
    hasButton: true,
    isFor: ({ photo, user }) => user?.id === photo.user.id,
    perform: ({ photo }, { addToAlbum }) => addToAlbum(photo),
  },
  {
    name: 'edit',
    label: 'edit',
    icon: SlidersHorizontal,
    key: 'e',
    hasButton: true,
    isFor: ({ photo, user }) => user?.id === photo.user.id,
    perform: (_, { edit }) => edit(),
  },
  {
    name: 'info',
    label: 'info',
    icon: Info,
    key: 'i',
    hasButton: true,
    isFor: () => true,
    perform: (_, { toggleInfo }) => toggleInfo(),
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
    name: 'cull',
    label: 'nextAfterRating',
    labelOn: 'stayAfterRating',
    icon: ListChecks,
    key: 'n',
    isOn: ({ isCulling }) => isCulling,
    isFor: ({ photo, user }) => user?.id === photo.user.id,
    perform: (_, { toggleCulling }) => toggleCulling(),
  },
  {
    name: 'slideshow',
    label: 'slideshow',
    icon: Play,
    key: 'p',
    isFor: () => true,
    perform: (_, { startSlideshow }) => startSlideshow(),
  },
  {
    name: 'fullscreen',
    label: 'fullScreen',
    icon: Maximize,
    key: 'w',
    isFor: () => document.fullscreenEnabled === true,
    perform: (_, { toggleFullScreen }) => toggleFullScreen(),
  },
  {
    name: 'report',
    label: 'reportPhoto',
    icon: Flag,
    isFor: ({ photo, user }) => Boolean(user && user.id !== photo.user.id),
    perform: ({ photo }, { report }) => report(photo),
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
];

/** Actions on a photo in the trash. */
const trashActions: PhotoAction[] = [
  {
    name: 'restore',
    label: 'restoreSelected',
    icon: Undo2,
    key: 'r',
    hasButton: true,
    isFor: () => true,
    perform: ({ photo }, { restore }) => restore(photo),
  },
  ...photoActions.filter(({ name }) => ['info', 'slideshow', 'fullscreen'].includes(name)),
  {
    name: 'purge',
    label: 'purgeSelected',
    icon: Trash2,
    key: 'delete',
    hasButton: true,
    isDestructive: true,
    isFor: () => true,
    perform: ({ photo }, { purge }) => purge(photo),
  },
];

export function listPhotoActions({ isTrash }: PhotoActionTarget): PhotoAction[] {
  return isTrash ? trashActions : photoActions;
}

function startDownload(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}
