import { defineConfig } from 'vitest/config';

/** The tests of `MUTATION_TESTS` (globs, parted by blanks) as Stryker runs them: one worker, and modules loaded anew for each file, since a mutant is chosen as they load. */
export default defineConfig({
  test: {
    include: process.env.MUTATION_TESTS?.split(' ') ?? [],
    exclude: ['test/real/**'],
    setupFiles: ['test/mutation/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
