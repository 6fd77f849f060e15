/**
 * `disk`: volumes become full or read-only, file descriptors run out, disk calls fail. Every request must be
 * answered completely or clearly refused, and everything must work afterwards without a restart.
 */

import { findFailCallsObstacle } from '../../test/support/failing-calls.ts';
import { makeVolumes } from '../../test/support/volumes.ts';
import { createInfoFigure, type Part, untried } from '../part.ts';
import type { Trouble } from '../trouble/scene.ts';
import { inTurn } from '../trouble/turns.ts';
import { type FullPostgres, makeFullPostgres } from './full-postgres.ts';
import { failing, full, readOnly, withoutDescriptors } from './trials.ts';

/** Maximum milliseconds for each trouble; PostgreSQL needs time to recover after an exit. */
const msOfOne = { sqlite: 5000, postgres: 12_000 };

export const disk: Part = {
  name: 'disk',
  about:
    'volumes that are full, read-only or fail, no descriptors left: clear refusals, and no restart needed',
  share: 4,
  async run(surroundings) {
    const { home, seed } = surroundings;
    const noTrace = findFailCallsObstacle();
    const volumes = await makeVolumes();
    if (typeof volumes === 'string') {
      const figures = await inTurn(surroundings, { settings: home, msOfOne: msOfOne[home.name] }, (scene) => [
        ['no descriptors', withoutDescriptors(scene)],
      ]);
      return [untried('full and read-only volumes', volumes), ...figures];
    }
    let postgres: FullPostgres | undefined;
    try {
      // SQLite's database lies on the same volume as the files, so only PostgreSQL needs a full volume of its
      // own.
      if (home.name === 'postgres') postgres = await makeFullPostgres();
      const settings = {
        dataDir: volumes.dataDir,
        environment: { ...home.environment, ...postgres?.environment },
      };
      const { database, files } = volumes;
      let refused = 0;
      const figures = await inTurn(surroundings, { settings, msOfOne: msOfOne[home.name] }, (scene) => [
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
        createInfoFigure('of these not made read-only: a file was always open', refused),
        createInfoFigure('seed', seed),
      ];
    } finally {
      await postgres?.end();
      await volumes.end();
    }
  },
};
