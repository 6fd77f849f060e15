/**
 * The state of a small gallery for the model of `docs/visibility.md`: accounts, albums and photos under
 * readable labels. The model imports nothing from `server/`, so that a mistake there cannot repeat here.
 */

/** The levels from narrow to wide. */
export const levels = ['private', 'members', 'public'] as const;
export type Level = (typeof levels)[number];

export const names = ['ann', 'bea', 'mia', 'root'] as const;
/** The accounts. `root` is the only admin. */
export type Name = (typeof names)[number];

export const viewers = ['stranger', ...names] as const;
/** The viewers of the model. `stranger` sends no credentials. */
export type Viewer = (typeof viewers)[number];

export interface Account {
  isAdmin: boolean;
  isEnabled: boolean;
  /** The accounts that the owner of this one follows. */
  follows: Name[];
}

export interface Photo {
  label: string;
  owner: Name;
  /** The photo's own level. */
  level: Level;
  /** Label of the main album. */
  mainAlbum: string | undefined;
  isTrashed: boolean;
}

export interface Album {
  label: string;
  owner: Name;
  /** The album's own level. */
  level: Level;
  /** Label of the album above. */
  parent: string | undefined;
  /** True for an album that shows all photos of its owner, by a rule, and contains none. */
  isSmart: boolean;
  /** Labels of the photos that the album contains, in its order: main photos, references, and trashed ones. */
  photos: string[];
  /** Label of the photo that was chosen as the cover. */
  cover: string | undefined;
}

/** A share link to an album. */
export interface Share {
  label: string;
  /** The account that created the link. */
  by: Name;
  album: string;
}

export interface State {
  /** A deleted account is absent. */
  accounts: Map<Name, Account>;
  /** Photos in order of their upload. A permanently deleted photo is absent. */
  photos: Map<string, Photo>;
  albums: Map<string, Album>;
  shares: Map<string, Share>;
  /** Level of an upload or an album whose request names none. */
  defaultLevel: Level;
}

export function createState(defaultLevel: Level): State {
  return {
    accounts: new Map(names.map((name) => [name, createAccount(name)])),
    photos: new Map(),
    albums: new Map(),
    shares: new Map(),
    defaultLevel,
  };
}

/** Returns an account as at the start: everybody follows everybody else. */
function createAccount(name: Name): Account {
  return { isAdmin: name === 'root', isEnabled: true, follows: names.filter((other) => other !== name) };
}

export function isAdmin({ accounts }: State, viewer: Viewer): boolean {
  return viewer !== 'stranger' && accounts.get(viewer)?.isAdmin === true;
}

/** Returns whether the account exists and is enabled. */
export function isEnabled({ accounts }: State, name: Name): boolean {
  return accounts.get(name)?.isEnabled === true;
}

export function findAlbum({ albums }: State, label: string | undefined): Album | undefined {
  return label === undefined ? undefined : albums.get(label);
}

/** Returns the albums from the top level down to the album itself. */
export function findPath(state: State, album: Album | undefined): Album[] {
  return album ? [...findPath(state, findAlbum(state, album.parent)), album] : [];
}

/** Returns the albums that contain the photo, as its main album or by reference. */
export function listAlbumsWith({ albums }: State, photo: string): Album[] {
  return [...albums.values()].filter(({ photos }) => photos.includes(photo));
}
