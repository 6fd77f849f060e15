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
}

export interface Photo {
  label: string;
  owner: Name;
  /** The photo's own level. */
  level: Level;
  /** Label of the album that the photo is in. */
  album: string | undefined;
  isTrashed: boolean;
}

export interface Album {
  label: string;
  owner: Name;
  /** The album's own level. */
  level: Level;
  /** Label of the album above. */
  parent: string | undefined;
}

export interface State {
  accounts: Map<Name, Account>;
  /** Photos in order of their upload. A permanently deleted photo is absent. */
  photos: Map<string, Photo>;
  albums: Map<string, Album>;
  /** Level of an upload or an album whose request names none. */
  defaultLevel: Level;
}

export function createState(defaultLevel: Level): State {
  return {
    accounts: new Map(names.map((name) => [name, { isAdmin: name === 'root', isEnabled: true }])),
    photos: new Map(),
    albums: new Map(),
    defaultLevel,
  };
}

export function isAdmin({ accounts }: State, viewer: Viewer): boolean {
  return viewer !== 'stranger' && accounts.get(viewer)!.isAdmin;
}

export function isEnabled({ accounts }: State, name: Name): boolean {
  return accounts.get(name)!.isEnabled;
}

export function findAlbum({ albums }: State, label: string | undefined): Album | undefined {
  return label === undefined ? undefined : albums.get(label);
}

/** Returns the albums from the top level down to the album itself. */
export function findPath(state: State, album: Album | undefined): Album[] {
  return album ? [...findPath(state, findAlbum(state, album.parent)), album] : [];
}
