/** Between what makes sizes and the figures about them. */
import { Counter, type Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import type { Database } from '../../platform/db/index.ts';

const made = 'size made';

export function tellSizeMade({ events }: Pick<Database, 'events'>): void {
  events.emit(made);
}

export function measureSizes(registry: Registry, { db }: Pick<Deps, 'db'>): void {
  const counter = new Counter({
    name: 'lightwell_sizes_made_total',
    help: 'Sizes of images that were made on demand',
    registers: [registry],
  });
  db.events.on(made, () => counter.inc());
}
