/** Short runs of the part `disk`: each trouble once. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeFullPostgres } from '../../torture/disk/full-postgres.ts';
import { disk } from '../../torture/disk/part.ts';
import { makeHome } from '../../torture/homes.ts';
import { none } from '../../torture/part.ts';
import { openScene } from '../../torture/trouble/scene.ts';
import { makeBucket, s3Environment } from '../support/s3.ts';
import { seed } from '../support/seed.ts';
import { makeVolume } from '../support/volumes.ts';

/** Each of them comes upon some work, if not upon much. */
const mostWork = 5;

describe(`a gallery in trouble (seed ${seed})`, { concurrency: true }, () => {
  test('a server refuses clearly, and recovers without a restart', async (context) => {
    const home = await makeHome('sqlite');
    context.after(home.end);
    const tell = (line: string) => context.diagnostic(line);
    for (const { name, value, isHeld } of await disk.run({
      home,
      milliseconds: 1000,
      mostWork,
      seed,
      tell,
    })) {
      context.diagnostic(`${name}: ${value}`);
      // How many depends on the machine.
      if (name === 'troubles') assert.ok(Number(value) > 0);
      else assert.ok(isHeld, `${name}: ${value}`);
    }
  });

  test('PostgreSQL without room for its log, and for rows: refused, and all is well afterwards', async (context) => {
    const volume = await makeVolume('probe', 1);
    if (typeof volume === 'string') return context.skip(volume);
    await volume.end();
    const home = await makeHome('sqlite');
    context.after(home.end);
    const postgres = await makeFullPostgres();
    context.after(postgres.end);
    const environment = { ...postgres.environment, ...s3Environment(await makeBucket()) };
    const scene = await openScene({ dataDir: home.dataDir, environment }, seed, mostWork);
    context.after(scene.end);
    const trouble = postgres.full(scene);
    for (const isLast of [false, true]) {
      await scene.work(trouble);
      await scene.assess(isLast, trouble);
    }
    const { faults, ...others } = scene.troubles;
    const found = { ...faults, ...others, wrong: scene.ledger.wrong };
    const figures = [...Object.entries(found).map(([name, list]) => none(name, list)), ...postgres.figures()];
    for (const { name, value, isHeld } of figures) {
      context.diagnostic(`${name}: ${value}`);
      assert.ok(isHeld, `${name}: ${value}`);
    }
  });
});
