/**
 * Sends valid, nearly valid and wild values for every parameter of every operation in openapi.json. The
 * callers are a visitor without an account, a user and an admin. Every response must be one that openapi.json
 * promises, and the gallery must still serve afterwards. TEST_SEED selects other requests, GENERATED_REQUESTS
 * sets their number. `npm run torture -- api` sends tens of thousands.
 */
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { type Gallery, startGallery } from '../support/harness.ts';
import { assertPrototypeUntouched } from '../support/payloads.ts';
import { addPhoto, asVisitor, type Person, register, registerAdmin } from '../support/people.ts';
import { createRandom } from '../support/random.ts';
import { testSeed } from '../support/seed.ts';
import { areAlive, endsSession, exchangeGenerated, findFaults } from './generated/exchange.ts';
import { type Operation, readOperations, requestFor, type World } from './generated/requests.ts';
import { makeCallers, makeWorld } from './generated/world.ts';

const count = Number(process.env.GENERATED_REQUESTS ?? 1000);
const atOnce = 8;
/**
 * Number of requests in a batch. After each batch, the test replaces accounts that were deleted or signed
 * out.
 */
const batchSize = 400;

describe(`generated requests (seed ${testSeed})`, () => {
  let gallery: Gallery;
  let admin: Person;
  let callers: Person[];
  let world: World;
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const random = createRandom(testSeed);
  const operations = readOperations();

  before(async () => {
    gallery = await startGallery({ access: 'public', registration: 'open' });
    admin = await registerAdmin(gallery, 'admin');
    callers = await makeCallers(gallery, admin, 0);
    world = await makeWorld(gallery, callers);
  });
  after(async () => {
    agent.destroy();
    await gallery.close();
  });

  const callerFor = (operation: Operation) =>
    endsSession(operation) ? callers[3]! : callers[random.pick([0, 1, 1, 2, 3, 4, 4])]!;

  test(`${count} generated requests get responses that openapi.json describes`, async (context) => {
    context.diagnostic(`seed ${testSeed}`);
    const statuses = new Map<number, number>();
    const faults: string[] = [];
    for (let made = 0; made < count; made += batchSize) {
      const batch = Array.from({ length: Math.min(batchSize, count - made) }, (_, index) => {
        const operation = operations[(made + index) % operations.length]!;
        return { operation, caller: callerFor(operation), request: requestFor(random, operation, world) };
      });
      const send = async () => {
        for (let next = batch.shift(); next; next = batch.shift()) {
          const outcome = await exchangeGenerated(gallery, agent, next.caller.token, next.request);
          statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1);
          faults.push(...findFaults(next.request, next.caller.name, outcome));
        }
      };
      await Promise.all(Array.from({ length: atOnce }, send));
      if (!(await areAlive(callers.slice(1, 4)))) callers = await makeCallers(gallery, admin, made + 1);
      assert.ok(faults.length < 20, faults.join('\n'));
    }
    context.diagnostic([...statuses].map(([status, times]) => `${status}: ${times}`).join(', '));
    assert.deepEqual(faults, []);
    // Asserts that at least one request in twenty succeeded, because invalid requests alone would prove
    // little.
    assert.ok((statuses.get(200) ?? 0) > count / 20, String(statuses.get(200)));
  });

  test('the gallery works as before after the generated requests', async () => {
    assertPrototypeUntouched();
    const person = await register(gallery, 'afterwards');
    const { id } = await addPhoto(person, { title: 'Afterwards' });
    assert.equal((await person.get(`/api/photos/${id}`)).body.data.title, 'Afterwards');
    assert.equal((await person.get('/api/photos?keyword=afterwards')).body.data.pagination.total, 1);
    assert.equal((await asVisitor(gallery).get('/health/ready')).status, 200);
    const errors = gallery.complaints().filter((line) => JSON.parse(line).level >= 50);
    assert.deepEqual(errors, []);
  });
});
