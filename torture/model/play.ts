/** Steps played on a new gallery and on the model, and both compared after each. */
import { AssertionError } from 'node:assert';
import { eraseDeletedUsers } from '../../server/gallery/admin/erase/erase.ts';
import { runVisibilityJobs } from '../../server/gallery/library/run-visibility-jobs.ts';
import { assertTotalsMatchRows } from '../../test/support/assert-totals.ts';
import type { Gallery } from '../../test/support/harness.ts';
import { createVisitor, logIn, register, registerAdmin } from '../../test/support/people.ts';
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

/** Steps between two looks at everything. */
const stepsBetween = 40;

export interface Play {
  steps: Step[];
  /** Those that were not refused, and the last. */
  done: Step[];
  /** What was different after the last step; none where the two agreed to the end. */
  differences: string[];
}

export const sayStep = (step: Step) => byName.get(step.does)!.say(step);

/**
 * Given steps, in their order, and at their end a look at everything by those who saw `differences`. A step that names
 * what an earlier one would have made, which is not there, is left out. Returns what is different then.
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

/** Also where time is up before them: a short run tries something on any machine. */
const minSteps = 30;

/** So many steps by chance, or until the two differ or time is up. */
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
    if (differences.length > 0) return { steps, done: run.doneWith(step), differences };
    if (steps.length % stepsBetween > 0) continue;
    const atLarge = await run.lookAtAll();
    if (atLarge.length > 0) return { steps, done: run.doneWith(step), differences: atLarge };
  }
  return { steps, done: steps, differences: await run.lookAtAll() };
}

async function begin(gallery: Gallery) {
  const rows = makeRows();
  const stage: Stage = {
    place: gallery,
    people: new Map([['nobody', createVisitor(gallery)]]),
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
    /** What is wrong with the answer. */
    answer,
    async take(step: Step): Promise<string[]> {
      const problem = await answer(step);
      if (problem) return [problem];
      // What was refused changed nothing, which the next look would show.
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

/** An answer that openapi.json does not promise is a difference like others; what else is thrown is none. */
function brokenPromise(error: unknown): string {
  if (!(error instanceof AssertionError)) throw error;
  return error.message;
}

/** What is wrong with the answer. */
async function performStep(
  { gallery, rows, stage, done }: { gallery: Gallery; rows: Rows; stage: Stage; done: Step[] },
  step: Step,
): Promise<string | undefined> {
  const kind = byName.get(step.does)!;
  const expected = expect(rows, step);
  const answer = await kind.send(stage, stage.people.get(step.by)!, step);
  // What is not in the envelope has its status for a code.
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

/** Totals of a disabled account, and what a deleted one held, follow in the background. One who is enabled signs in again. */
async function follow(gallery: Gallery, rows: Rows, stage: Stage, { does, it }: Step): Promise<void> {
  const name = it as Name;
  await eraseDeletedUsers(gallery.deps);
  await runVisibilityJobs(gallery.deps);
  if (does !== 'set status' || !isEnabled(rows, name)) return;
  stage.people.set(name, await logIn(gallery, stage.people.get(name)!));
}

/** Everybody's wall, and what the step was about, for its owner, a stranger, an admin and a visitor. */
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
