/** Several accounts send damaged and hostile pictures at the same time, until all are sent. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Person, register } from '../../test/support/people.ts';
import { createRandom } from '../../test/support/random.ts';
import type { ServerProcess } from '../../test/support/server-process.ts';
import type { Tally } from './tally.ts';
import { type Sent, use } from './use-gallery.ts';

export interface Attack {
  server: ServerProcess;
  seed: number;
  tally: Tally;
  /** Damaged pictures, each sent once. */
  damaged: Iterator<Sent>;
  /**
   * Hostile pictures, sent in rounds beside the damaged ones, alternately as photos and avatars, at least
   * once as each. Later rounds pause after each picture.
   */
  hostile: Sent[];
  /** Heavy pictures, sometimes sent many times at once, more than may wait for one user. */
  heavy: Sent[];
  /** Time after which no more damaged pictures are sent. */
  end: number;
}

export interface AttackResult {
  damaged: number;
  /** Complete rounds; each sends every hostile picture once. */
  rounds: number;
}

const [sendersOfDamaged, sendersOfHostile] = [4, 3];
/** Pictures in a burst; the server lets 128 of one user wait. */
const burst = 150;
const betweenBurstsMs = 30_000;
/**
 * A burst occupies all workers for a minute, so later bursts are rarer and leave time for damaged pictures.
 */
const [firstBursts, betweenLaterBurstsMs] = [5, 300_000];
/**
 * Most hostile pictures end a worker, and a new worker costs as much time as ten uploads. Later rounds pause
 * therefore.
 */
const [firstRounds, laterPauseMs] = [2, 1_000];
/**
 * Fraction of accepted pictures that are edited and rendered, because that takes several times as long as an
 * upload.
 */
const usedShare = 0.15;
/**
 * Fraction of repeated pictures that get a few more bytes, so that the server does not recognize the file.
 */
const changedShare = 0.5;

export async function attack({
  server,
  seed,
  tally,
  damaged,
  hostile,
  heavy,
  end,
}: Attack): Promise<AttackResult> {
  let sent = 0;
  let turn = 0;
  let isOver = false;
  const hasCrashed = () => tally.crashes.length > 0;
  const createScene = (owner: Person, index: number) => ({
    server,
    owner,
    tally,
    random: createRandom(seed + index),
    usedShare,
  });

  async function sendDamaged(owner: Person, index: number): Promise<void> {
    const scene = createScene(owner, index);
    while (!hasCrashed() && Date.now() < end) {
      const next = damaged.next();
      if (next.done) return;
      await use(scene, next.value);
      sent++;
    }
  }

  async function sendHostile(owner: Person, index: number): Promise<void> {
    const scene = createScene(owner, index);
    while (!hasCrashed() && (!isOver || turn < hostile.length * firstRounds)) {
      const number = turn++;
      const round = Math.floor(number / hostile.length);
      const picture = hostile[number % hostile.length]!;
      if (round >= firstRounds) await pause(laterPauseMs);
      const isChanged = round >= firstRounds && scene.random.chance(changedShare);
      const bytes = isChanged
        ? Buffer.concat([picture.bytes, Buffer.from(`${seed} ${number}`)])
        : picture.bytes;
      await use({ ...scene, as: round % 2 === 0 ? 'photo' : 'avatar' }, { ...picture, bytes });
    }
  }

  async function sendBursts(owner: Person): Promise<void> {
    const scene = createScene(owner, sendersOfDamaged + sendersOfHostile);
    for (let number = 0; number === 0 || (!isOver && !hasCrashed()); number++) {
      const picture = heavy[number % heavy.length]!;
      const copies = Array.from({ length: burst }, () => ({ ...picture, kind: 'burst' }));
      await Promise.all(copies.map((copy) => use({ ...scene, usedShare: 0 }, copy)));
      const next = Date.now() + (number < firstBursts - 1 ? betweenBurstsMs : betweenLaterBurstsMs);
      while (!isOver && Date.now() < next) await pause(100);
    }
  }

  const people = (name: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => register(server, `${name}${index}`)));
  const [careless, hostiles] = [
    await people('mallory', sendersOfDamaged),
    await people('trudy', sendersOfHostile),
  ];
  const all = Promise.all(careless.map(sendDamaged)).finally(() => {
    isOver = true;
  });
  const [impatient] = await people('victor', 1);
  await Promise.all([
    all,
    ...hostiles.map((owner, index) => sendHostile(owner, sendersOfDamaged + index)),
    sendBursts(impatient!),
  ]);
  return { damaged: sent, rounds: hostile.length === 0 ? 0 : Math.floor(turn / hostile.length) };
}
