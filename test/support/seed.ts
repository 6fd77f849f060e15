/**
 * The seed of all random choices in the tests. The seed is fixed, so that a failure comes from the change and
 * repeats.
 */

/** The seed, which `TEST_SEED` replaces. A test with random choices prints the seed. */
export const testSeed = Number(process.env.TEST_SEED ?? 1);
