/**
 * Creates damaged pictures of all formats in turn. Each picture depends only on the seed, its format and its
 * number.
 */
import { crc32 } from 'node:zlib';
import { createRandom } from '../../test/support/random.ts';
import { mutate } from './mutate.ts';
import type { FormatSeeds, Seed } from './seeds.ts';
import type { Sent } from './use-gallery.ts';

/**
 * One HEIC is created for this many pictures of each other format, because its decoder takes that much
 * longer.
 */
const formatsPerHeic = 10;
/** Fraction of generated pictures, because most corpus files are refused even when undamaged. */
const madeShare = 0.7;

/** Yields `perFormat` damaged pictures of each format, and a tenth of that for HEIC. */
export function* mutants(seed: number, all: FormatSeeds[], perFormat: number): Generator<Sent> {
  const others = all.flatMap(({ made, found }) => [...made, ...found]);
  for (let number = 0; number < perFormat; number++) {
    for (const seeds of all) {
      if (seeds.format === 'heic' && number % formatsPerHeic !== 0) continue;
      yield mutant(seed, number, seeds, others);
    }
  }
}

function mutant(seed: number, number: number, { format, made, found }: FormatSeeds, others: Seed[]): Sent {
  const random = createRandom(crc32(`${seed} ${format} ${number}`));
  const isMade = found.length === 0 || (made.length > 0 && random.chance(madeShare));
  const { name, bytes: whole } = random.pick(isMade ? made : found);
  const { bytes, how } = mutate(random, whole, random.pick(others).bytes);
  return { bytes, what: `${format} ${number}: ${name}, ${how}`, kind: format };
}
