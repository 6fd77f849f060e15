/** The plain model of a gallery: rows in maps under readable labels (`photo 3`), without stored counts. */
import type { Level } from '../../test/support/visibility-model/state.ts';

export const visitors = ['nobody', 'ann', 'bea', 'cho', 'root'] as const;
/** The people of the model: `nobody` has no account, `root` is an admin. */
export type Visitor = (typeof visitors)[number];
export type Name = Exclude<Visitor, 'nobody'>;
export const names: Name[] = ['ann', 'bea', 'cho', 'root'];

/** An account. A deleted account is absent until somebody registers under its name. */
export interface Account {
  name: Name;
  isAdmin: boolean;
  isEnabled: boolean;
}

export interface Photo {
  label: string;
  owner: Name;
  title: string;
  tags: string[];
  /** The photo's own level. */
  level: Level;
  /** Label of the photo's album. */
  album: string | undefined;
  /** Position of the photo in its album. */
  position: number;
  isTrashed: boolean;
  likes: Set<Name>;
  favorites: Set<Name>;
  views: number;
  downloads: number;
  /** Names of the photo's edit steps (steps/edits.ts). */
  edits: string[];
}

export interface Album {
  label: string;
  owner: Name;
  name: string;
  /** The album's own level. */
  level: Level;
  parent: string | undefined;
  /** Label of the photo that the owner chose as the cover. */
  cover: string | undefined;
  /** Rule of a smart album. */
  rule: Rule | undefined;
}

export const rules = ['tag:sea', '-tag:hill', 'alpha'] as const;
export type Rule = (typeof rules)[number];

export interface Comment {
  label: string;
  photo: string;
  author: Name;
  content: string;
  /** Label of the comment that a reply belongs to, always a top-level comment. */
  parent: string | undefined;
  likes: Set<Name>;
}

export interface Share {
  label: string;
  owner: Name;
  kind: 'photo' | 'album';
  target: string;
  password: string | undefined;
  maxViews: number | undefined;
  views: number;
  /** Day of the model from which a share link shows nothing. */
  expires: number | undefined;
}

/** A notification for each like, comment and so on, in order, even if several are shown as one. */
export interface Notice {
  to: Name;
  type: 'like' | 'favorite' | 'comment' | 'reply' | 'follow';
  actor: Name;
  photo?: string;
  comment?: string;
  isRead: boolean;
}

/** All rows in order of creation; permanently deleted rows are removed. */
export interface Rows {
  accounts: Map<Name, Account>;
  photos: Map<string, Photo>;
  albums: Map<string, Album>;
  comments: Map<string, Comment>;
  shares: Map<string, Share>;
  /** Follows as text: `ann>bea` means that ann follows bea. */
  follows: Set<string>;
  notices: Notice[];
  /** Days since the beginning of the sequence. */
  day: number;
  /** Access granted by a share's password or view: the day, and the password at that time. */
  access: Map<string, { day: number; password: string | undefined }>;
  /** Position of the next photo that is added to an album. */
  nextPosition: number;
}

export function makeRows(): Rows {
  return {
    accounts: new Map(names.map((name) => [name, { name, isAdmin: name === 'root', isEnabled: true }])),
    photos: new Map(),
    albums: new Map(),
    comments: new Map(),
    shares: new Map(),
    follows: new Set(),
    notices: [],
    day: 0,
    access: new Map(),
    nextPosition: 0,
  };
}
