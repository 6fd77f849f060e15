/** A mixed load: several users upload, edit, delete, like, comment and reorder photos. */
import assert, { AssertionError } from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { Level } from '../../server/platform/db/states.ts';
import { eventually } from '../../test/support/gallery-counts.ts';
import { createPerson, type GalleryUrl, register } from '../../test/support/people.ts';
import type { Random } from '../../test/support/random.ts';
import { askForSize, changeAlbum, comment, type Doer, describePhoto, edit, like, move } from './changes.ts';
import { type Ledger, levels, type UnsureUpload } from './ledger.ts';
import { makePictures, newFile, sendParts, uploadByForm, uploadInParts } from './uploads.ts';

export interface Load {
  /**
   * Starts workers that send requests until the server is gone or `end` is called. With `isPatient`, lost
   * connections do not stop them.
   */
  begin(place: GalleryUrl, isPatient?: boolean): Workers;
}

export interface Workers {
  /** Resolves after each worker has its last response or lost its connection. Returns how many lost it. */
  end(): Promise<number>;
}

const userNames = ['ann', 'ben', 'cleo'];
const workersOfEach = 2;
/** Maximum photos of each user, so that a check of all stays short. */
const maxPhotosOfEach = 25;

const maxConcurrent = 50;
const longestWorkMs = 2500;
const longestUploadMs = 60_000;
const pollMs = 3;
/** Milliseconds that a worker waits after a lost connection before its next request. */
const patienceMs = 20;

/** Resolves after a random number of acknowledgements, or after a time limit on slow machines. */
export async function someWork(ledger: Ledger, random: Random): Promise<void> {
  const enough = countAcknowledged(ledger) + random.below(maxConcurrent);
  const end = Date.now() + longestWorkMs;
  while (countAcknowledged(ledger) < enough && Date.now() < end) await pause(pollMs);
  await pause(random.below(pollMs * 10));
}

/** Resolves once the ledger has `count` photos, because an empty gallery can lose none. */
export async function untilPhotos({ photos }: Ledger, count: number): Promise<void> {
  await eventually(async () => assert.ok(photos.length >= count, `${photos.length} photos`), longestUploadMs);
}

function countAcknowledged({ acknowledged }: Ledger): number {
  return Object.values(acknowledged).reduce((sum, count) => sum + count, 0);
}

/** Registers the users' accounts. */
export async function registerUsers(ledger: Ledger, place: GalleryUrl): Promise<void> {
  for (const name of userNames) ledger.users.push(await register(place, name));
}

export async function createLoad(ledger: Ledger, random: Random): Promise<Load> {
  const pictures = await makePictures();
  let texts = 0;
  const newText = () => `text ${++texts}`;

  async function upload({ me, person }: Doer): Promise<void> {
    const begun = ledger.unsureUploads.find(
      ({ owner, resumable }) => owner === me && resumable?.isInHand === false,
    );
    if (begun) {
      begun.resumable!.isInHand = true;
      return sendParts(ledger, person, begun);
    }
    const title = newText();
    const { bytes, file } = newFile(random, pictures, title);
    const level = random.chance(0.6) ? Level.public : random.pick(levels);
    const unsure: UnsureUpload = { owner: me, file, title, level };
    const send = random.chance(0.6) ? uploadByForm : uploadInParts;
    await send(ledger, person, unsure, bytes);
  }

  function chosen(me: number): (doer: Doer) => Promise<void> {
    const own = ledger.photos.filter(({ owner, place }) => owner === me && place.is !== 'gone').length;
    const isFull = own >= maxPhotosOfEach;
    const choices: [number, (doer: Doer) => Promise<void>][] = [
      [isFull ? 0 : 5, upload],
      [5, edit],
      [isFull ? 8 : 3, move],
      [4, describePhoto],
      [5, like],
      [3, comment],
      [2, changeAlbum],
      [2, askForSize],
    ];
    let left = random.below(choices.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, act] of choices) {
      if (left < weight) return act;
      left -= weight;
    }
    return like;
  }

  return {
    begin(place, isPatient = false) {
      let isEnding = false;
      let lost = 0;
      const work = async (me: number) => {
        const { name, token, id } = ledger.users[me]!;
        const doer = { ledger, me, person: createPerson(place, name, token, id), random, newText };
        while (!isEnding) {
          try {
            await chosen(me)(doer);
          } catch (error) {
            // An AssertionError means a response that openapi.json does not promise.
            if (error instanceof AssertionError) ledger.wrong.push(error.message);
            else {
              lost++;
              if (!isPatient) return;
              await pause(patienceMs);
            }
          }
        }
      };
      const workers = ledger.users.flatMap((_, me) => Array.from({ length: workersOfEach }, () => work(me)));
      return {
        async end() {
          isEnding = true;
          await Promise.all(workers);
          return lost;
        },
      };
    },
  };
}
