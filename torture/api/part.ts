/** `api`: sends generated requests for every operation of openapi.json to a server in its own process. */
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import {
  areAlive,
  endsSession,
  exchangeGenerated,
  findFaults,
  type Outcome,
} from '../../test/contract/generated/exchange.ts';
import {
  type GeneratedRequest,
  type Operation,
  readOperations,
  requestFor,
  type World,
} from '../../test/contract/generated/requests.ts';
import { makeCallers, makeWorld } from '../../test/contract/generated/world.ts';
import { countDescriptors } from '../../test/support/gallery-counts.ts';
import { withoutPayloads } from '../../test/support/payloads.ts';
import {
  addPhoto,
  createPerson,
  type Person,
  password,
  postFrom,
  register,
} from '../../test/support/people.ts';
import { createRandom } from '../../test/support/random.ts';
import { type ServerProcess, startServer } from '../../test/support/server-process.ts';
import { leftovers } from '../leftovers.ts';
import { errorsIn } from '../log.ts';
import {
  atLeast,
  atMost,
  createInfoFigure,
  type Figure,
  none,
  type Part,
  type Surroundings,
} from '../part.ts';
import { afterDeletion, rememberCreated } from './created-ids.ts';
import { nastyRequest } from './hostile-requests.ts';
import { knocksAt } from './wrong-credentials.ts';

const atOnce = 8;
const batchSize = 200;
/** Minimum requests per second; an idle machine reaches far more. */
const minPerSecond = 5;
/** Fraction of the part's time after which the server counts as warm. */
const warmShare = 0.4;
/** Limits of memory growth. A server that has run only for seconds is still warming up. */
const maxGrowth = { short: 3, long: 1.5 };
const longMs = 60_000;
/** Limit of additional open descriptors: connections to a database or store come and go. */
const maxMoreDescriptors = 20;

interface Run {
  server: ServerProcess;
  agent: Agent;
  world: World;
  counts: Map<number, number>;
  /** Descriptions of faults, each with the request that caused it. */
  faults: string[];
  open: string[];
  lost: string[];
}

interface Sent {
  caller: Person;
  request: GeneratedRequest;
  operation?: Operation;
  /** Required status of a request without the needed rights. */
  mustBe?: number;
}

export const api: Part = {
  name: 'api',
  about: 'generated requests to every operation of openapi.json, right, nearly right and wild',
  share: 4,
  async run({ home, milliseconds, seed, requests, tell }) {
    const admin = { ADMIN_USERNAME: 'admin', ADMIN_EMAIL: 'admin@example.org', ADMIN_PASSWORD: password };
    const environment = { ...home.environment, ...admin, LOG_LEVEL: 'error', TRUST_PROXY: 'loopback' };
    const server = await startServer({ dataDir: home.dataDir, environment });
    tell(
      withoutPayloads
        ? `the list of nasty values is not used: ${withoutPayloads}`
        : 'with the list of nasty values',
    );
    try {
      const figures = await bombard(server, { milliseconds, seed, requests: requests ?? 0, tell });
      return [...figures, ...(await leftovers(home))];
    } finally {
      await server.end('SIGKILL');
    }
  },
};

async function bombard(
  server: ServerProcess,
  {
    milliseconds,
    seed,
    requests,
    tell,
  }: Pick<Surroundings, 'milliseconds' | 'seed' | 'tell'> & { requests: number },
): Promise<Figure[]> {
  let callers = await makeCallers(server, await signInAdmin(server, 0), 0);
  const world = await makeWorld(server, callers);
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce, timeout: 60_000 });
  const run: Run = { server, agent, world, counts: new Map(), faults: [], open: [], lost: [] };
  const random = createRandom(seed);
  const operations = readOperations();
  const begin = Date.now();
  let sent = 0;
  let warm: Size | undefined;
  for (let round = 1; round === 1 || sent < requests || Date.now() - begin < milliseconds; round++) {
    const batch = Array.from({ length: batchSize }, (_, index): Sent[] => {
      const operation = operations[(sent + index) % operations.length]!;
      const caller = endsSession(operation) ? callers[3]! : callers[random.pick([0, 1, 1, 2, 3, 4, 4])]!;
      const request = (random.chance(0.7) ? requestFor : nastyRequest)(random, operation, world);
      if (!random.chance(0.1)) return [{ caller, request, operation }];
      return knocksAt(random, operation, world).map((knock) => ({
        caller: knock.by === 'user' ? callers[1]! : callers[0]!,
        request: knock.request,
        mustBe: knock.status,
      }));
    }).flat();
    const send = async () => {
      for (let next = batch.shift(); next; next = batch.shift()) {
        sent++;
        batch.push(...(await answerTo(run, next)));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, send));
    // Callers who lost their account or session are replaced, including the admin, whose requests may end any
    // of them.
    if (!(await areAlive(callers.slice(1)))) {
      callers = await makeCallers(server, await signInAdmin(server, round), round);
    }
    if (!warm && Date.now() - begin > milliseconds * warmShare) warm = await measureSize(server);
  }
  agent.destroy();
  const seconds = (Date.now() - begin) / 1000;
  tell(
    [...run.counts]
      .sort()
      .map(([status, times]) => `${status}: ${times}`)
      .join(', '),
  );
  await checkThatItServes(run);
  return [
    atLeast('requests', sent, requests || Math.floor(seconds * minPerSecond)),
    atLeast('of them right (200)', run.counts.get(200) ?? 0, Math.floor(sent / 25)),
    atMost('answers of 503, which says to try again', run.counts.get(503) ?? 0, Math.ceil(sent / 100)),
    none('answers that openapi.json does not promise, are 5xx, or tell of the inside', run.faults),
    none('doors that were open', run.open),
    none('connections that ended without an answer', run.lost),
    none('errors in the log', errorsIn(server.output())),
    ...growth(warm, await measureSize(server), milliseconds < longMs ? maxGrowth.short : maxGrowth.long),
  ];
}

/**
 * Signs the admin in from a separate IP address, because password guesses from the shared IP address exhaust
 * its attempts within minutes.
 */
async function signInAdmin(server: ServerProcess, round: number): Promise<Person> {
  const address = `10.0.${(round >> 8) % 256}.${round % 256}`;
  const { body } = await postFrom(server, address, '/api/auth/login', { username: 'admin', password });
  if (body.code !== 0) throw new Error(`the admin could not log in: ${JSON.stringify(body)}`);
  return createPerson(server, 'admin', body.data.token, body.data.user.id);
}

/** Checks a response, and returns requests to send because of it. */
async function answerTo(run: Run, { caller, request, operation, mustBe }: Sent): Promise<Sent[]> {
  const { server, agent, world, counts, faults, open, lost } = run;
  const what = `${caller.name}: ${request.method} ${request.path.slice(0, 300)}`;
  const outcome = await exchangeGenerated(server, agent, caller.token, request).catch(
    (error: Error): Outcome | undefined => {
      lost.push(`${what}: ${error.message}`);
      return undefined;
    },
  );
  if (!outcome) return [];
  const { status } = outcome;
  counts.set(status, (counts.get(status) ?? 0) + 1);
  faults.push(...findFaults(request, caller.name, outcome));
  // An admin may have ended the session meanwhile; the request then comes from a visitor and gets 401 instead
  // of 403.
  const isGone = mustBe === 403 && status === 401 && !(await areAlive([caller]));
  if (mustBe !== undefined && status !== mustBe && !isGone)
    open.push(`${what}: ${status} instead of ${mustBe}`);
  if (!operation || status !== 200) return [];
  rememberCreated(world, outcome);
  return afterDeletion(operation, request).map((again) => ({ caller, request: again }));
}

async function checkThatItServes({ server, faults }: Run): Promise<void> {
  const one = await register(server, 'afterwards');
  const { id } = await addPhoto(one, { title: 'Afterwards' });
  const { body } = await one.get(`/api/photos/${id}`);
  if (body.data?.title !== 'Afterwards') faults.push(`afterwards a photo is ${JSON.stringify(body)}`);
}

interface Size {
  megabytes: number;
  descriptors: number;
}

async function measureSize({ pid }: ServerProcess): Promise<Size> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  return { megabytes: kilobytes / 1024, descriptors: (await countDescriptors(pid)) ?? 0 };
}

function growth(warm: Size | undefined, end: Size, limit: number): Figure[] {
  if (!warm) return [];
  return [
    createInfoFigure(
      'memory once warm, and at the end',
      `${Math.round(warm.megabytes)} MB, ${Math.round(end.megabytes)} MB`,
    ),
    atMost('memory at the end, times that once warm', end.megabytes / warm.megabytes, limit),
    atMost(
      'descriptors at the end more than once warm',
      end.descriptors - warm.descriptors,
      maxMoreDescriptors,
    ),
  ];
}
