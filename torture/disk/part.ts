/**
 * A machine that fails the server: volumes that are full or read-only, descriptors that run out. Everything is
 * answered whole or refused clearly, and all is well without a restart once the trouble is over.
 */

import { whyNoFailingCalls } from '../../test/support/failing-calls.ts';
import { makeVolumes } from '../../test/support/volumes.ts';
import { figuresOf } from '../load/figures.ts';
import { errorsIn } from '../log.ts';
import { atLeast, type Figure, none, type Part, type Surroundings, told, untried } from '../part.ts';
import { type FullPostgres, makeFullPostgres } from './full-postgres.ts';
import { openScene, type Scene, type Settings, type Trouble } from './scene.ts';
import { failing, full, readOnly, withoutDescriptors } from './trials.ts';

/** PostgreSQL that ended takes a while to recover. */
const msOfOne = { sqlite: 5000, postgres: 12_000 };

export const disk: Part = {
  name: 'disk',
  about:
    'volumes that are full, read-only or fail, no descriptors left: clear refusals, and no restart needed',
  share: 4,
  async run(surroundings) {
    const { home, seed } = surroundings;
    const noTrace = whyNoFailingCalls();
    const volumes = await makeVolumes();
    if (typeof volumes === 'string') {
      const figures = await inTurn(surroundings, home, (scene) => [
        ['no descriptors', withoutDescriptors(scene)],
      ]);
      return [untried('full and read-only volumes', volumes), ...figures];
    }
    let postgres: FullPostgres | undefined;
    try {
      // On SQLite the database lies beside the files.
      if (home.name === 'postgres') postgres = await makeFullPostgres();
      const settings = {
        dataDir: volumes.dataDir,
        environment: { ...home.environment, ...postgres?.environment },
      };
      const { database, files } = volumes;
      let refused = 0;
      const figures = await inTurn(surroundings, settings, (scene) => [
        ['files full', full(scene, files)],
        ['database full', postgres?.full(scene) ?? full(scene, database)],
        ['files read-only', readOnly(files, () => refused++)],
        ['no descriptors', withoutDescriptors(scene)],
        ...(noTrace ? [] : [['failing disk', failing(scene)] as [string, Trouble]]),
      ]);
      return [
        ...(noTrace ? [untried('failing disk', noTrace)] : []),
        ...figures,
        ...(postgres?.figures() ?? []),
        told('of these not made read-only: a file was always open', refused),
        told('seed', seed),
      ];
    } finally {
      await postgres?.end();
      await volumes.end();
    }
  },
};

async function inTurn(
  { home, milliseconds, seed, tell }: Surroundings,
  settings: Settings,
  troublesOf: (scene: Scene) => [string, Trouble][],
): Promise<Figure[]> {
  const end = Date.now() + milliseconds;
  const scene = await openScene(settings, seed);
  const counts = new Map<string, number>();
  try {
    const all = troublesOf(scene);
    for (let turn = 0; ; turn++) {
      const begun = Date.now();
      const [name, trouble] = all[turn % all.length]!;
      await scene.work(trouble);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const isLast = turn >= all.length - 1 && Date.now() + (Date.now() - begun) * 2 > end;
      await scene.assess(isLast, trouble);
      if (turn % 10 === 9) tell([...counts].map(([name, count]) => `${count} times ${name}`).join(', '));
      if (isLast) break;
    }
    return figures(scene, counts, Math.floor(milliseconds / msOfOne[home.name]));
  } finally {
    await scene.end();
  }
}

function figures({ ledger, troubles, server }: Scene, counts: Map<string, number>, least: number): Figure[] {
  const turns = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const refusals = [...ledger.refusals].map(([status, count]) => `${count} of ${status}`);
  return [
    atLeast('troubles', turns, least),
    told('of which', [...counts].map(([name, count]) => `${count} ${name}`).join(', ')),
    told('refusals', refusals.join(', ')),
    ...figuresOf(ledger, troubles.faults),
    // An answer of 500 does not say why.
    ...(ledger.wrong.length > 0 ? [told('errors in the log', errorsIn(server.output()).join('; '))] : []),
    none('reads that failed meanwhile', troubles.failedReads),
    none('what did not work afterwards, without a restart', troubles.notRecovered),
    none('files that nothing names', troubles.leftOver),
  ];
}
