/** Causes troubles in turn while users work, each at least once, until the time is over. */
import { createLoadFigures } from '../load/figures.ts';
import { atLeast, createInfoFigure, type Figure, none, type Surroundings } from '../part.ts';
import { openScene, type Scene, type Settings, type Trouble } from './scene.ts';

/** Runs the troubles. `msOfOne` is the maximum in milliseconds for each trouble, on two busy cores. */
export async function inTurn(
  { milliseconds, seed, tell }: Surroundings,
  { settings, msOfOne }: { settings: Settings; msOfOne: number },
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
    return figures(scene, counts, Math.floor(milliseconds / msOfOne));
  } finally {
    await scene.end();
  }
}

function figures({ ledger, troubles, server }: Scene, counts: Map<string, number>, least: number): Figure[] {
  const turns = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const refusals = [...ledger.refusals].map(([status, count]) => `${count} of ${status}`);
  return [
    atLeast('troubles', turns, least),
    createInfoFigure('of which', [...counts].map(([name, count]) => `${count} ${name}`).join(', ')),
    createInfoFigure('refusals', refusals.join(', ')),
    ...createLoadFigures(ledger, troubles.faults, server.output()),
    none('reads that failed meanwhile', troubles.failedReads),
    none('what did not work afterwards, without a restart', troubles.notRecovered),
    none('files that nothing names', troubles.leftOver),
  ];
}
