/** Figures about the sweep: `/metrics`. */
import { Gauge, type Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { type Brake, findBrake } from '../../platform/ownership/brake.ts';

export function measureSweep(registry: Registry, { db }: Deps): void {
  const gauge = (name: string, help: string, read: (brake: Brake | undefined) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      // Every worker reads the same row.
      aggregator: 'max',
      async collect() {
        this.set(read(await findBrake({ db })));
      },
    });
  gauge(
    'lightwell_removal_held',
    '1: the sweep removes nothing until a person has looked (lightwell orphans)',
    (brake) => (brake ? 1 : 0),
  );
  gauge(
    'lightwell_removal_held_objects',
    'Objects without a row that the sweep does not remove, when they were last counted',
    (brake) => brake?.orphans ?? 0,
  );
}
