/** What clients were told of a gallery, and what they asked for without being told what became of it. */
import type { Answer, Person } from '../../test/support/people.ts';

/** A value as it was acknowledged last, and those that were asked for since. */
export interface KnownValue<Value> {
  is: Value;
  perhaps: Value[];
}

export type Place = 'shown' | 'trash' | 'gone';

export interface Step {
  action: string;
  params: Record<string, number | string>;
}

/** A file as it is uploaded. */
export interface File {
  /** Of the bytes. */
  sha256: string;
  width: number;
  height: number;
}

export interface PhotoEntry {
  id: number;
  /** Index of its owner in `Ledger.users`. */
  owner: number;
  file: File;
  place: KnownValue<Place>;
  steps: KnownValue<Step[]>;
  isPublic: KnownValue<number>;
  title: KnownValue<string>;
  tags: KnownValue<string[]>;
  /** Id; 0: none. */
  album: KnownValue<number>;
  /** By the index of the user. */
  likes: KnownValue<boolean>[];
  favorites: KnownValue<boolean>[];
  /** The path of its image when it was last answered. */
  path: string;
}

export interface CommentEntry {
  id: number;
  photo: PhotoEntry;
  author: number;
  /** null: deleted. */
  content: KnownValue<string | null>;
}

export interface AlbumEntry {
  id: number;
  owner: number;
  name: KnownValue<string>;
  isPublic: KnownValue<number>;
}

/** A file that was sent, and of which nothing was said. Its title is its own. */
export interface UnsureUpload {
  owner: number;
  file: File;
  title: string;
  isPublic: number;
  /** A resumable one: bytes that were acknowledged, and those that were sent. */
  resumable?: { path: string; bytes: Buffer; acknowledged: number; sent: number; isInHand: boolean };
}

export interface Ledger {
  /** Whichever server they speak to. */
  users: Person[];
  photos: PhotoEntry[];
  comments: CommentEntry[];
  albums: AlbumEntry[];
  unsureUploads: UnsureUpload[];
  /** Contents of comments, each its own. */
  unsureComments: { photo: PhotoEntry; author: number; content: string }[];
  unsureAlbums: { owner: number; name: string; isPublic: number }[];
  /** How many of each kind were acknowledged. */
  acknowledged: Record<string, number>;
  /** Answers of 5xx that are right in what the server is put through, and how many came. */
  refusals: Map<number, number>;
  /** Answers that no client should get: another of 5xx, or a wrong one. */
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

/** Nobody is changing it, and nothing is unsure of it. */
export function isSure({ perhaps }: KnownValue<unknown>): boolean {
  return perhaps.length === 0;
}

/** Makes what is there the only value; returns whether that is one that it may have. */
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
 * Asks for a change of one value. An answer of 200 makes it so, a refusal leaves it; where no answer came, or one of
 * 5xx, it stays unsure. Throws what `ask` throws: the connection was lost.
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

/** Counts what was acknowledged, and keeps answers that should not be. */
export function note(ledger: Ledger, what: string, { status, bytes }: Answer): void {
  const refused = ledger.refusals.get(status);
  if (status < 300) ledger.acknowledged[what] = (ledger.acknowledged[what] ?? 0) + 1;
  else if (refused !== undefined) ledger.refusals.set(status, refused + 1);
  else if (status >= 500 || ![302, 403, 404, 409].includes(status))
    ledger.wrong.push(`${what}: ${status} ${bytes.toString('utf8', 0, 200)}`);
}
