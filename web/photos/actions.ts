/** What one can do with a photo: said once, for buttons, menus and keys. */
import { Download, Heart, Info, type LucideIcon, Share2, SlidersHorizontal, Star } from 'lucide-react';
import type { CurrentUser, Photo, PhotoItem } from '../api/types.ts';
import type { MessageKey } from '../messages/messages.ts';

export interface Target {
  photo: PhotoItem;
  /** In full, once it is here. */
  detail: Photo | undefined;
  user: CurrentUser | null | undefined;
}

/** What the place offers where an action is done. */
export interface Hands {
  react(id: number, reaction: 'like' | 'favorite', isSet: boolean): void;
  toggleInfo(): void;
  edit(): void;
  share(id: number): void;
}

export interface Action {
  name: string;
  /** What it does, and what it undoes where it is on. */
  label: MessageKey;
  labelOn?: MessageKey;
  icon: LucideIcon;
  /** Of the keyboard. */
  key: string;
  isOn?(target: Target): boolean;
  isFor(target: Target): boolean;
  perform(target: Target, hands: Hands): void;
}

export const photoActions: Action[] = [
  {
    name: 'favorite',
    label: 'favorite',
    labelOn: 'unfavorite',
    icon: Star,
    key: 'f',
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
    isOn: ({ photo }) => photo.is_liked,
    isFor: ({ user }) => Boolean(user),
    perform: ({ photo }, { react }) => react(photo.id, 'like', !photo.is_liked),
  },
  {
    name: 'download',
    label: 'download',
    icon: Download,
    key: 'd',
    // Downloads of the API are for accounts; everybody else has the picture that is shown.
    isFor: ({ user, detail }) => Boolean(user) || detail !== undefined,
    perform: ({ photo, detail, user }) => download(user ? `/api/photos/${photo.id}/download` : detail!.path),
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
    name: 'share',
    label: 'share',
    icon: Share2,
    key: 's',
    // Every user may share what is public, and what is one's own.
    isFor: ({ user, photo }) =>
      Boolean(user && (photo.is_public === 1 || user.is_admin || user.id === photo.user.id)),
    perform: ({ photo }, { share }) => share(photo.id),
  },
  {
    name: 'info',
    label: 'info',
    icon: Info,
    key: 'i',
    isFor: () => true,
    perform: (_, { toggleInfo }) => toggleInfo(),
  },
];

function download(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}
