/**
 * A machine that fails the server: volumes that are full or read-only, descriptors that run out. Everything is
 * answered whole or refused clearly, and all is well without a restart once the trouble is over.
 */

import { findFailCallsObstacle } from '../../test/support/failing-calls.ts';
import { makeVolumes } from '../../test/support/volumes.ts';
import { createInfoFigure, type Part, untried } from '../part.ts';
import type { Trouble } from '../trouble/scene.ts';
import { inTurn } from '../trouble/turns.ts';
import { type FullPostgres, makeFullPostgres } from './full-postgres.ts';
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
      // On SQLite the database lies beside the files.
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
