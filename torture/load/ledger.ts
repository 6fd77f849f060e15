/** The ledger of a gallery: acknowledged changes, and requested changes without an answer. */
import { Level, type LevelName } from '../../server/platform/db/states.ts';
import type { Answer, Person } from '../../test/support/people.ts';

/** The last acknowledged value, and the values requested since. */
export interface KnownValue<Value> {
  is: Value;
  perhaps: Value[];
}

export type Place = 'shown' | 'trash' | 'gone';

export interface Step {
  action: string;
  params: Record<string, number | string>;
}

/** An uploaded picture file. */
export interface File {
  /** SHA-256 hash of the file's bytes. */
  sha256: string;
  width: number;
  height: number;
}

export interface PhotoEntry {
  id: number;
  /** Index of the photo's owner in `Ledger.users`. */
  owner: number;
  file: File;
  place: KnownValue<Place>;
  steps: KnownValue<Step[]>;
  level: KnownValue<Level>;
  title: KnownValue<string>;
  tags: KnownValue<string[]>;
  /** Id of the photo's album, or 0 for none. */
  album: KnownValue<number>;
  /** Likes of the photo, by the index of the user. */
  likes: KnownValue<boolean>[];
  favorites: KnownValue<boolean>[];
  /** Path of the image in the last response. */
  path: string;
}

export interface CommentEntry {
  id: number;
  photo: PhotoEntry;
  author: number;
  /** Content of the comment; null means deleted. */
  content: KnownValue<string | null>;
}

export interface AlbumEntry {
  id: number;
  owner: number;
  name: KnownValue<string>;
  level: KnownValue<Level>;
}

/** An uploaded file without an answer, identified by its unique title. */
export interface UnsureUpload {
  owner: number;
  file: File;
  title: string;
  level: Level;
  /** State of a resumable upload: the numbers of acknowledged and sent bytes. */
  resumable?: { path: string; bytes: Buffer; acknowledged: number; sent: number; isInHand: boolean };
}

export interface Ledger {
  /** The users of the gallery. Each can send requests to any server. */
  users: Person[];
  photos: PhotoEntry[];
  comments: CommentEntry[];
  albums: AlbumEntry[];
  unsureUploads: UnsureUpload[];
  /** Comments without an answer; their contents are unique. */
  unsureComments: { photo: PhotoEntry; author: number; content: string }[];
  unsureAlbums: { owner: number; name: string; level: Level }[];
  /** Number of acknowledged changes of each kind. */
  acknowledged: Record<string, number>;
  /** Allowed 5xx statuses for the current trouble, each with the number of such responses. */
  refusals: Map<number, number>;
  /** Forbidden responses: another 5xx status, or wrong content. */
  wrong: string[];
}

export function createLedger(): Ledger {
  return {
    users: [],
    photos: [],
    comments: [],
    albums: [],
    unsureUploads: [],
    unsureComments: [],
    unsureAlbums: [],
    acknowledged: {},
    refusals: new Map(),
    wrong: [],
  };
}

export function knownValue<Value>(value: Value): KnownValue<Value> {
  return { is: value, perhaps: [] };
}

export const levels = Object.values(Level);

/** Returns the name of a level, as requests have it. */
export function nameLevel(level: Level): LevelName {
  return (Object.keys(Level) as LevelName[]).find((name) => Level[name] === level)!;
}

/** Returns whether no change of the value is running or unanswered. */
export function isSure({ perhaps }: KnownValue<unknown>): boolean {
  return perhaps.length === 0;
}

/** Sets the actual value. Returns whether that value was possible. */
export function settle<Value>(told: KnownValue<Value>, found: Value): boolean {
  const isPossible = [told.is, ...told.perhaps].some((value) => isSame(value, found));
  told.is = found;
  told.perhaps = [];
  return isPossible;
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function describe(told: KnownValue<unknown>): string {
  const perhaps = told.perhaps.map((value) => JSON.stringify(value)).join(' or ');
  return `${JSON.stringify(told.is)} was told${perhaps && `, ${perhaps} asked for`}`;
}

/**
 * Requests a change of one value. Status 200 sets the value, a refusal keeps the old one; no answer or 5xx
 * leaves it unsure. Throws the error of `ask` if the connection was lost.
 */
export async function change<Value>(
  ledger: Ledger,
  what: string,
  [told, value]: [KnownValue<Value>, Value],
  ask: () => Promise<Answer>,
): Promise<Answer> {
  told.perhaps = [value];
  const answer = await ask();
  note(ledger, what, answer);
  if (answer.status === 200) told.is = value;
  if (answer.status < 500) told.perhaps = [];
  return answer;
}

/** Counts acknowledged changes, and records forbidden responses. */
export function note(ledger: Ledger, what: string, { status, bytes }: Answer): void {
  const refused = ledger.refusals.get(status);
  if (status < 300) ledger.acknowledged[what] = (ledger.acknowledged[what] ?? 0) + 1;
  else if (refused !== undefined) ledger.refusals.set(status, refused + 1);
  else if (status >= 500 || ![302, 403, 404, 409].includes(status))
    ledger.wrong.push(`${what}: ${status} ${bytes.toString('utf8', 0, 200)}`);
}
