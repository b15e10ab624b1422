import { defineConfig } from 'vitest/config';

/** The tests as Stryker runs them: one worker, and modules loaded anew for each file, since a mutant is chosen as they load. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/real/**'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
