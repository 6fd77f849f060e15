/** Plays requests on a real gallery and on the model, and compares both after each request. */
import { AssertionError } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { waitForSearchIndex } from '../albums.ts';
import type { Gallery } from '../harness.ts';
import { createRandom, type Random } from '../random.ts';
import { apply } from './apply.ts';
import type { Check, Context, Difference } from './check.ts';
import { createAlbumChecks } from './check-album.ts';
import { createListChecks } from './check-list.ts';
import { createPhotoChecks } from './check-photo.ts';
import { createShareChecks } from './check-share.ts';
import { drawRequest } from './draw.ts';
import type { ModelRequest } from './requests.ts';
import { listNeeded, send } from './send.ts';
import { createStage, defaultLevel, type Stage, waitForErasedAccount } from './stage.ts';
import { createState, isAdmin, type State } from './state.ts';

/** Number of compared answers after each request: about its own photos and albums, and about all others. */
const checksPerRequest = { concerned: 14, others: 14 };
/** Number of requests between comparisons of everything. */
const requestsBetween = 40;
/** Time that something visible again may take to appear everywhere. */
const appearanceMs = 30_000;

export interface Failure {
  text: string;
  /** Name of the failed check. Undefined if the request itself was answered differently. */
  check: string | undefined;
}

export interface Play {
  requests: ModelRequest[];
  /** The requests that were not refused, and the last request. */
  carriedOut: ModelRequest[];
  /** Number of compared answers. */
  decisions: number;
  failure: Failure | undefined;
}

interface Run {
  stage: Stage;
  state: State;
  decisions: number;
  /** The last request. */
  last?: ModelRequest;
}

const startRun = async (gallery: Gallery): Promise<Run> => ({
  stage: await createStage(gallery),
  state: createState(defaultLevel),
  decisions: 0,
});

/** Plays random requests until their number or that of the compared answers is reached, or one differs. */
export async function playAtRandom(
  gallery: Gallery,
  seed: number,
  limit: { requests: number; decisions: number },
): Promise<Play> {
  const random = createRandom(seed);
  const run = await startRun(gallery);
  const play: Play = { requests: [], carriedOut: [], decisions: 0, failure: undefined };
  while (play.requests.length < limit.requests && run.decisions < limit.decisions && !play.failure) {
    const request = drawRequest(random, run.state, [...run.stage.ids.keys()]);
    if (!request) continue;
    const before = run.state;
    play.requests.push(request);
    play.failure = await playRequest(run, request);
    if (run.state !== before || play.failure) play.carriedOut.push(request);
    play.failure ??= await compareSome(run, random, request, play.requests.length % requestsBetween === 0);
    if (play.failure && play.carriedOut.at(-1) !== request) play.carriedOut.push(request);
  }
  return { ...play, decisions: run.decisions };
}

/** Plays given requests, and compares the answers and at the end one check. Returns the failure. */
export async function replay(
  gallery: Gallery,
  requests: ModelRequest[],
  check: string | undefined,
): Promise<Failure | undefined> {
  const run = await startRun(gallery);
  for (const request of requests) {
    if (!listNeeded(request).every((label) => run.stage.ids.has(label))) continue;
    const failure = await playRequest(run, request);
    if (failure) return failure;
    // Notes after each request the paths of images that the check may open later.
    const about = listChecks(run).find(({ name }) => name === check)?.about;
    const some = listChecks(run).filter((one) => one.givesPaths && one.about === about);
    for (const one of some) await one.run(createContext(run));
  }
  const found = listChecks(run).find(({ name }) => name === check);
  return found && (await compareOne(createContext(run), found));
}

/** Sends a request to both sides, and compares the answers. */
async function playRequest(run: Run, request: ModelRequest): Promise<Failure | undefined> {
  await waitForJobs(run);
  run.last = request;
  const { state, answer } = apply(run.state, request);
  const seen = await send(run.stage, request).catch(describeBrokenPromise);
  run.decisions++;
  if (typeof seen === 'string') return { text: seen, check: undefined };
  if (!isDeepStrictEqual(seen, answer)) {
    const text = `${sayRequest(request)} is answered ${JSON.stringify(seen)} instead of ${JSON.stringify(answer)}`;
    return { text, check: undefined };
  }
  run.state = state;
  return undefined;
}

/** Describes an answer that openapi.json does not promise. Other errors are thrown again. */
function describeBrokenPromise(error: unknown): string {
  if (!(error instanceof AssertionError)) throw error;
  return error.message;
}

function listChecks({ stage }: Run): Check[] {
  const labels = [...stage.ids.keys()];
  return [
    ...labels.filter((label) => label.startsWith('photo ')).flatMap(createPhotoChecks),
    ...labels.filter((label) => label.startsWith('album ')).flatMap(createAlbumChecks),
    ...[...stage.links].flatMap(([label, link]) => createShareChecks(label, link)),
    ...createListChecks(),
  ];
}

async function compareSome(
  run: Run,
  random: Random,
  request: ModelRequest,
  isEverything: boolean,
): Promise<Failure | undefined> {
  const all = listChecks(run);
  const named = JSON.stringify(request);
  const concerned = all.filter(({ about }) => about !== undefined && named.includes(`"${about}"`));
  const sample = new Set([
    ...concerned.filter(({ viewer, givesPaths }) => givesPaths && viewer === 'stranger'),
    ...pickSome(random, concerned, checksPerRequest.concerned),
    ...pickSome(random, all, checksPerRequest.others),
  ]);
  const chosen = isEverything ? all : [...sample];
  run.decisions += chosen.length;
  const context = createContext(run);
  for (let at = 0; at < chosen.length; at += checksAtOnce) {
    const some = chosen.slice(at, at + checksAtOnce);
    const failures = await Promise.all(some.map((check) => compareOne(context, check)));
    const failure = failures.find((one) => one !== undefined);
    if (failure) return failure;
  }
  return undefined;
}

const checksAtOnce = 7;

function createContext({ stage, state, last }: Run): Context {
  const isDeletion = last?.does === 'delete account' && !state.accounts.has(last.account);
  const erasing = isDeletion ? last.account : undefined;
  return { stage, state, erasing, areTotalsLate: isDeletion || last?.does === 'set status' };
}

/** Waits for what the last request has left to jobs. */
async function waitForJobs(run: Run): Promise<void> {
  const { areTotalsLate, erasing, stage } = createContext(run);
  if (areTotalsLate) await waitForSearchIndex(stage.gallery);
  if (erasing) await waitForErasedAccount(stage, erasing);
}

function pickSome<Item>(random: Random, items: Item[], count: number): Item[] {
  if (items.length <= count) return items;
  return [...new Set(Array.from({ length: count }, () => random.pick(items)))];
}

/** Runs a check. A leak fails at once, except for an admin while an account is erased. Something missing may appear until `appearanceMs`. */
async function compareOne(context: Context, check: Check): Promise<Failure | undefined> {
  const end = Date.now() + appearanceMs;
  for (;;) {
    const difference = await runCheck(context, check);
    if (!difference) return undefined;
    const isTooEarly = context.erasing !== undefined && isAdmin(context.state, check.viewer);
    if ((difference.isLeak && !isTooEarly) || Date.now() > end)
      return { text: `${check.name}: ${difference.text}`, check: check.name };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function runCheck(context: Context, check: Check): Promise<Difference | undefined> {
  return check.run(context).catch((error) => ({ text: describeBrokenPromise(error), isLeak: true }));
}

/** Returns a request as one line, which `JSON.parse` reads. */
export const sayRequest = (request: ModelRequest) => JSON.stringify(request);
