/** A real gallery with the people of the model. */
import assert from 'node:assert/strict';
import { eventually } from '../gallery-counts.ts';
import type { Gallery } from '../harness.ts';
import { asVisitor, type Person, register, registerAdmin } from '../people.ts';
import { createJpeg } from '../pictures.ts';
import { type Level, type Name, names, type Viewer } from './state.ts';

/** A share link to an album. */
export interface Link {
  token: string;
  /** Label of the album. */
  album: string;
}

export interface Stage {
  gallery: Gallery;
  people: Map<Viewer, Person>;
  /** Ids of photos, albums, share links and accounts by label, deleted ones too. */
  ids: Map<string, number>;
  /** Share links by label, ended ones too. */
  links: Map<string, Link>;
  /** Path of each photo's thumbnail without a signature, by label. */
  thumbs: Map<string, string>;
  /** The last path of a photo's thumbnail in an answer to a viewer or of a link, by `viewer photo`. */
  givenPaths: Map<string, string>;
  picture: Buffer;
}

/** Level of an upload or an album whose request names none, in the galleries of the harness. */
export const defaultLevel: Level = 'public';

/** Registers the people of the model. Everybody follows everybody else, so that feeds hold photos. */
export async function createStage(gallery: Gallery): Promise<Stage> {
  const stage: Stage = {
    gallery,
    people: new Map([['stranger', asVisitor(gallery)]]),
    ids: new Map(),
    links: new Map(),
    thumbs: new Map(),
    givenPaths: new Map(),
    picture: await createJpeg({ width: 16, height: 16 }),
  };
  for (const name of names) {
    const person = await (name === 'root' ? registerAdmin(gallery, name) : register(gallery, name));
    await addPerson(stage, name, person);
  }
  return stage;
}

/** Adds a new person. The person and everybody else with an enabled account follow each other. */
export async function addPerson({ people, ids }: Stage, name: Name, person: Person): Promise<void> {
  const others = names.filter((other) => other !== name && people.has(other));
  people.set(name, person);
  ids.set(name, person.id);
  for (const other of others) {
    await person.post(`/api/users/${other}/follow`);
    await people.get(other)!.post(`/api/users/${name}/follow`);
  }
}

/** Waits until nothing of a deleted account is left. */
export function waitForErasedAccount({ gallery, ids }: Stage, account: Name): Promise<void> {
  const row = gallery.deps.db.kysely.selectFrom('users').select('id').where('id', '=', ids.get(account)!);
  return eventually(async () => assert.equal(await row.executeTakeFirst(), undefined));
}

/** Returns the label of the photo or album with this id. */
export function findLabel({ ids }: Stage, kind: 'photo' | 'album', id: number): string {
  const found = [...ids].find(([label, one]) => one === id && label.startsWith(`${kind} `));
  return found ? found[0] : `unknown ${kind} ${id}`;
}
