/**
 * Generated requests: right, nearly right and wild values for every parameter of every operation of openapi.json, as
 * a visitor without an account, as a user and as an admin. Whatever is sent, the answer is one that openapi.json promises, and the gallery
 * serves afterwards. GENERATED_SEED repeats a run, GENERATED_REQUESTS makes it longer.
 */
import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { complaintsAbout } from '../support/contract.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { assertPrototypeUntouched } from '../support/payloads.ts';
import { addAlbum, addPhoto, anonymous, type Person, register, registerAdmin } from '../support/people.ts';
import { jpeg } from '../support/pictures.ts';
import { createRandom } from '../support/random.ts';
import {
  type GeneratedRequest,
  type Operation,
  readOperations,
  requestFor,
  type World,
} from './generated/requests.ts';

const seed = Number(process.env.GENERATED_SEED ?? Date.now() % 1_000_000_000);
const count = Number(process.env.GENERATED_REQUESTS ?? 10_000);
const atOnce = 8;
/** Requests after which accounts that were lost on the way are replaced. */
const batchSize = 400;

interface Outcome {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

describe(`generated requests, GENERATED_SEED=${seed}`, () => {
  let gallery: Gallery;
  let admin: Person;
  let callers: Person[];
  let world: World;
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const random = createRandom(seed);
  const operations = readOperations();

  before(async () => {
    gallery = await startGallery();
    admin = await registerAdmin(gallery, 'admin');
    callers = await makeCallers(0);
    const victims = await Promise.all(
      ['victim1', 'victim2', 'victim3'].map((name) => register(gallery, name)),
    );
    const [user, other] = [callers[1]!, callers[2]!];
    const picture = await jpeg();
    const ids: number[] = [];
    for (const owner of [user, other, admin]) {
      const album = await addAlbum(gallery, owner, 'Album');
      for (const is_public of ['0', '1']) {
        const { id } = await addPhoto(owner, { title: 'a', tags: 'b', album_id: String(album), is_public });
        ids.push(id, (await addPhoto(owner, { is_public })).id);
        await owner.post(`/api/photos/${id}/comments`, { content: 'c' });
      }
      ids.push(album);
    }
    const { body } = await user.post(`/api/photos/${ids[0]}/share`, { type: 'link', password: 'secret' });
    const token = body.data.url.split('/').at(-1);
    const accounts = [...victims.map(({ id }) => id), 999_999, 'x', '-1', 'victim1', 1e21];
    world = {
      ids: [...new Set([...ids, 1, 2, 3])],
      names: ['user0', 'victim1', 'b', token],
      picture,
      safeIds: { '/api/admin/users/{id}': accounts },
    };
  });
  after(async () => {
    agent.destroy();
    await gallery.close();
  });

  async function makeCallers(round: number): Promise<Person[]> {
    return [
      anonymous(gallery),
      await register(gallery, `user${round}`),
      await register(gallery, `other${round}`),
      // Whose sessions, keys and password may be lost.
      await register(gallery, `lost${round}`),
      admin,
    ];
  }

  /** What ends sessions is done by one whose session may end. */
  const endsSessions = new Set(['POST /api/auth/logout', 'PUT /api/auth/password']);
  const callerFor = ({ method, path }: Operation) =>
    endsSessions.has(`${method} ${path}`) || path.startsWith('/api/auth/sessions')
      ? callers[3]!
      : callers[random.pick([0, 1, 1, 2, 3, 4, 4])]!;

  test(`${count} of them get answers that openapi.json promises`, async (context) => {
    context.diagnostic(`GENERATED_SEED=${seed}`);
    const statuses = new Map<number, number>();
    const faults: string[] = [];
    for (let made = 0; made < count; made += batchSize) {
      const batch = Array.from({ length: Math.min(batchSize, count - made) }, (_, index) => {
        const operation = operations[(made + index) % operations.length]!;
        return { operation, caller: callerFor(operation), request: requestFor(random, operation, world) };
      });
      const send = async () => {
        for (let next = batch.shift(); next; next = batch.shift()) {
          const outcome = await exchange(next.caller, next.request);
          statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1);
          faults.push(...faultsOf(next.request, next.caller, outcome));
        }
      };
      await Promise.all(Array.from({ length: atOnce }, send));
      if (!(await areAlive())) callers = await makeCallers(made + 1);
      assert.ok(faults.length < 20, faults.join('\n'));
    }
    context.diagnostic([...statuses].map(([status, times]) => `${status}: ${times}`).join(', '));
    assert.deepEqual(faults, []);
    // Enough of them were right.
    assert.ok((statuses.get(200) ?? 0) > count / 20, String(statuses.get(200)));
  });

  async function areAlive(): Promise<boolean> {
    const answers = await Promise.all(callers.slice(1, 4).map((caller) => caller.get('/api/auth/user')));
    return answers.every(({ status }) => status === 200);
  }

  function faultsOf({ method, path, body }: GeneratedRequest, caller: Person, outcome: Outcome): string[] {
    const complaints = complaintsAbout(method, path, outcome);
    if (outcome.status >= 500 && outcome.status !== 503) complaints.push(`is ${outcome.status}`);
    const sent = body === undefined ? '' : body.toString().slice(0, 500);
    return complaints.map((what) => `${caller.name}: ${method} ${path.slice(0, 300)} ${sent}\n  ${what}`);
  }

  function exchange(caller: Person, { method, path, headers, body }: GeneratedRequest): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const authorization = caller.token ? { authorization: `Bearer ${caller.token}` } : {};
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = httpRequest(
      gallery.url,
      { method, path, agent, headers: { ...authorization, ...headers, ...length } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode!,
            headers: new Headers(answer.headers as Record<string, string>),
            bytes: Buffer.concat(chunks),
          }),
        );
      },
    );
    outgoing.on('error', reject).end(body);
    return promise;
  }

  test('and afterwards the gallery serves as before', async () => {
    assertPrototypeUntouched();
    const person = await register(gallery, 'afterwards');
    const { id } = await addPhoto(person, { title: 'Afterwards' });
    assert.equal((await person.get(`/api/photos/${id}`)).body.data.title, 'Afterwards');
    assert.equal((await person.get('/api/photos?keyword=afterwards')).body.data.pagination.total, 1);
    assert.equal((await anonymous(gallery).get('/health/ready')).status, 200);
    const errors = gallery.complaints().filter((line) => JSON.parse(line).level >= 50);
    assert.deepEqual(errors, []);
  });
});
