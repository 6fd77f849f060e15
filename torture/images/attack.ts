/** Accounts that send damaged and hostile pictures at once, one after the other each, until all were sent. */
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
  /** Sent once each. */
  damaged: Iterator<Sent>;
  /**
   * Sent in rounds while damaged ones are sent: by turns as photos and as avatars, at least once as each. Later rounds
   * pause after each picture.
   */
  hostile: Sent[];
  /** Sent many times at once, now and then: more than one may let wait. */
  heavy: Sent[];
  /** Sends no more damaged ones from then on. */
  end: number;
}

export interface AttackResult {
  damaged: number;
  /** Whole ones: in each, every hostile picture is sent once. */
  rounds: number;
}

const [sendersOfDamaged, sendersOfHostile] = [4, 3];
/** The server lets 128 of one person wait. */
const burst = 150;
const betweenBurstsMs = 30_000;
/** A burst takes all workers for a minute: after the first ones, most of the time is for damaged pictures. */
const [firstBursts, betweenLaterBurstsMs] = [5, 300_000];
/** After the two rounds that must be: most hostile pictures end a worker, and a new one takes as long as ten uploads. */
const [firstRounds, laterPauseMs] = [2, 1_000];
/** Of accepted pictures: edits and sizes take several times as long as an upload. */
const usedShare = 0.15;
/** Of what is sent again: with a few bytes more it is another file, of which the server knows nothing. */
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
