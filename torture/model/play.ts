/** Plays steps on a new gallery and on the model, and compares both after each step. */
import { AssertionError } from 'node:assert';
import { eraseDeletedUsers } from '../../server/gallery/admin/erase/erase.ts';
import { runVisibilityJobs } from '../../server/gallery/library/run-visibility-jobs.ts';
import { assertTotalsMatchRows } from '../../test/support/assert-totals.ts';
import type { Gallery } from '../../test/support/harness.ts';
import { asVisitor, logIn, register, registerAdmin } from '../../test/support/people.ts';
import { createJpeg } from '../../test/support/pictures.ts';
import { createRandom } from '../../test/support/random.ts';
import { lookAtAlbum, lookAtEverything, lookAtLists, lookAtPhoto, lookAtUser } from './check-answers.ts';
import { lookAtNotices } from './check-own.ts';
import { byName, createLeaning, draw, expect, makers } from './draw.ts';
import { createModelCheck } from './model-check.ts';
import { makeRows, type Name, names, type Rows, type Visitor, visitors } from './rows.ts';
import { isEnabled } from './rules.ts';
import { accountSteps } from './steps/accounts.ts';
import { originalSize } from './steps/edits.ts';
import { labelsIn, type Stage, type Step } from './steps/kind.ts';

/** Number of steps between complete comparisons of gallery and model. */
const stepsBetween = 40;

export interface Play {
  steps: Step[];
  /** All steps that the gallery accepted, and the last step. */
  accepted: Step[];
  /** Differences after the last step; empty if both agree to the end. */
  differences: string[];
}

export const sayStep = (step: Step) => byName.get(step.does)!.say(step);

/**
 * Replays steps, then compares for the viewers of `differences`. Returns the differences found now. A step is
 * skipped if it names a thing that no replayed step has created.
 */
export async function replay(gallery: Gallery, steps: Step[], differences: string[]): Promise<string[]> {
  const run = await begin(gallery);
  for (const step of steps) {
    if (!labelsIn(step).every((label) => isKnown(run.stage, step, label))) continue;
    const problem = await run.answer(step);
    if (problem) return [problem];
  }
  const concerned = (name: string) => differences.some((one) => one.startsWith(`${name} `));
  return run.lookAtAll(visitors.filter(concerned), concerned('a kept count'));
}

function isKnown(stage: Stage, { it, does }: Step, label: string): boolean {
  return (label === it && makers.has(does)) || stage.ids.has(label);
}

/** Minimum number of steps, so that a short run tries something on any machine. */
const minSteps = 30;

/** Plays `count` random steps, or stops at the first difference or when the time is over. */
export async function playAtRandom(
  gallery: Gallery,
  seed: number,
  count: number,
  end: number,
): Promise<Play> {
  const run = await begin(gallery);
  const random = createRandom(seed);
  const leaning = createLeaning(random);
  const steps: Step[] = [];
  while (steps.length < count && (steps.length < minSteps || Date.now() < end)) {
    const step = draw(random, leaning, run.rows, run.stage);
    if (!step) continue;
    steps.push(step);
    const differences = await run.take(step);
    if (differences.length > 0) return { steps, accepted: run.doneWith(step), differences };
    if (steps.length % stepsBetween > 0) continue;
    const atLarge = await run.lookAtAll();
    if (atLarge.length > 0) return { steps, accepted: run.doneWith(step), differences: atLarge };
  }
  return { steps, accepted: steps, differences: await run.lookAtAll() };
}

async function begin(gallery: Gallery) {
  const rows = makeRows();
  const stage: Stage = {
    place: gallery,
    people: new Map([['nobody', asVisitor(gallery)]]),
    ids: new Map(),
    tokens: new Map(),
    access: new Map(),
    images: new Map(),
    picture: await createJpeg(originalSize),
    tries: 0,
    travel: gallery.travel,
  };
  for (const name of names) {
    const person = await (name === 'root' ? registerAdmin(gallery, name) : register(gallery, name));
    stage.people.set(name, person);
    stage.ids.set(name, person.id);
  }

  async function look(
    viewers: readonly Visitor[],
    ats: ((one: ReturnType<typeof createModelCheck>) => Promise<void>)[],
  ) {
    await gallery.deps.db.counters.flush();
    const there = viewers.filter((one) => one === 'nobody' || isEnabled(rows, one));
    const differing = await Promise.all(
      there.map(async (viewer) => {
        const differences: string[] = [];
        const one = createModelCheck(stage, rows, viewer, differences);
        for (const at of ats) await at(one).catch((error) => differences.push(brokenPromise(error)));
        return differences;
      }),
    );
    return differing.flat();
  }

  const done: Step[] = [];
  const answer = (step: Step) => performStep({ gallery, rows, stage, done }, step).catch(brokenPromise);

  return {
    rows,
    stage,
    /** Returns what is wrong with the response, or undefined. */
    answer,
    async take(step: Step): Promise<string[]> {
      const problem = await answer(step);
      if (problem) return [problem];
      // A refused step changes nothing; the next complete comparison would show a change.
      return done.at(-1) === step ? look(chooseViewers(rows, step), looksAt(step)) : [];
    },
    doneWith: (last: Step): Step[] => (done.at(-1) === last ? done : [...done, last]),
    async lookAtAll(viewers: readonly Visitor[] = visitors, areCountsHeld = true): Promise<string[]> {
      const differences = await look(viewers, [lookAtEverything]);
      if (!areCountsHeld) return differences;
      await assertTotalsMatchRows(gallery).catch((error: Error) =>
        differences.push(`a kept count is wrong: ${error.message}`),
      );
      return differences;
    },
  };
}

/** Turns a response that openapi.json does not promise into a difference. Other errors are thrown again. */
function brokenPromise(error: unknown): string {
  if (!(error instanceof AssertionError)) throw error;
  return error.message;
}

/** Performs a step on both sides. Returns what is wrong with the response, or undefined. */
async function performStep(
  { gallery, rows, stage, done }: { gallery: Gallery; rows: Rows; stage: Stage; done: Step[] },
  step: Step,
): Promise<string | undefined> {
  const kind = byName.get(step.does)!;
  const expected = expect(rows, step);
  const answer = await kind.send(stage, stage.people.get(step.by)!, step);
  // A response without an envelope counts its status as the code.
  const { code = answer.status, data } = answer.body;
  if (code !== expected.code) return `the answer is ${code}, and is to be ${expected.code}`;
  if (code === 0 || code === 200) done.push(step);
  if (code !== 0) return undefined;
  for (const [field, value] of Object.entries(expected.data ?? {})) {
    const [seen, wanted] = [JSON.stringify(data?.[field]), JSON.stringify(value)];
    if (seen !== wanted) return `the answer's ${field} is ${seen}, and is to be ${wanted}`;
  }
  kind.keep?.(stage, step, answer);
  if (accountSteps.some(({ does }) => does === step.does)) await follow(gallery, rows, stage, step);
  return undefined;
}

/**
 * Runs background jobs that follow a step: totals of a disabled account, data of a deleted one. An enabled
 * person signs in again.
 */
async function follow(gallery: Gallery, rows: Rows, stage: Stage, { does, it }: Step): Promise<void> {
  const name = it as Name;
  await eraseDeletedUsers(gallery.deps);
  await runVisibilityJobs(gallery.deps);
  if (does !== 'set status' || !isEnabled(rows, name)) return;
  stage.people.set(name, await logIn(gallery, stage.people.get(name)!));
}

/** Returns the viewers for a step's comparison: a visitor, the owner, the acting person and a stranger. */
function chooseViewers(rows: Rows, { by, it }: Step): Visitor[] {
  const owner = rows.photos.get(it)?.owner ?? rows.albums.get(it)?.owner;
  const stranger = names.find((name) => name !== owner && name !== by && name !== 'root');
  return [...new Set<Visitor>(['nobody', owner ?? 'ann', by, stranger!])];
}

function looksAt(step: Step) {
  const labels = [...new Set(labelsIn(step))];
  return [
    lookAtLists,
    lookAtNotices,
    ...labels
      .filter((label) => label.startsWith('photo'))
      .map((label) => (one: ReturnType<typeof createModelCheck>) => lookAtPhoto(one, label)),
    ...labels
      .filter((label) => label.startsWith('album'))
      .map((label) => (one: ReturnType<typeof createModelCheck>) => lookAtAlbum(one, label)),
    ...(names as string[])
      .filter((name) => name === step.it)
      .map((name) => (one: ReturnType<typeof createModelCheck>) => lookAtUser(one, name as Name)),
  ];
}
