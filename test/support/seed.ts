/** The seed of every random choice in the tests. It is fixed, so that a failure is due to the change and repeats. */

/** `TEST_SEED` asks for other choices. A test with random choices prints the seed. */
export const testSeed = Number(process.env.TEST_SEED ?? 1);
