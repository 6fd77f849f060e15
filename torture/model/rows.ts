/** The plain model of a gallery: rows in maps, under labels that a person can read (`photo 3`), and nothing kept twice. */

export const visitors = ['nobody', 'ann', 'bea', 'cho', 'root'] as const;
/** `nobody` has no account, `root` is an admin. */
export type Visitor = (typeof visitors)[number];
export type Name = Exclude<Visitor, 'nobody'>;
export const names: Name[] = ['ann', 'bea', 'cho', 'root'];

/** Gone once it is deleted, until somebody joins by that name. */
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
  isPublic: boolean;
  /** The label of the album that it is in. */
  album: string | undefined;
  /** Among the photos of its album. */
  position: number;
  isTrashed: boolean;
  likes: Set<Name>;
  favorites: Set<Name>;
  views: number;
  downloads: number;
  /** Names of steps (steps/edits.ts). */
  edits: string[];
}

export interface Album {
  label: string;
  owner: Name;
  name: string;
  isPublic: boolean;
  parent: string | undefined;
  /** The photo that its owner chose. */
  cover: string | undefined;
  /** Of a smart one. */
  rule: Rule | undefined;
}

export const rules = ['tag:sea', '-tag:hill', 'alpha'] as const;
export type Rule = (typeof rules)[number];

export interface Comment {
  label: string;
  photo: string;
  author: Name;
  content: string;
  /** What it answers, which is no answer itself. */
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
  /** The day from which it shows nothing. */
  expires: number | undefined;
}

/** One for each like, comment and so on, in their order, even where they are shown as one. */
export interface Notice {
  to: Name;
  type: 'like' | 'favorite' | 'comment' | 'reply' | 'follow';
  actor: Name;
  photo?: string;
  comment?: string;
  isRead: boolean;
}

/** In the order in which they were made; what is gone for good is no longer in them. */
export interface Rows {
  accounts: Map<Name, Account>;
  photos: Map<string, Photo>;
  albums: Map<string, Album>;
  comments: Map<string, Comment>;
  shares: Map<string, Share>;
  /** `ann>bea`: ann follows bea. */
  follows: Set<string>;
  notices: Notice[];
  /** Days since the beginning. */
  day: number;
  /** What was given out for a share's password or view: the day, and the password that it was given for. */
  access: Map<string, { day: number; password: string | undefined }>;
  /** Of the next photo that joins an album. */
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
