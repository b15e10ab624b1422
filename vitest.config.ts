import { defineConfig } from 'vitest/config';

/** Tests that need a real server of others are part of the run where .ci/run has started it. */
const real = process.env.MAGPIE_TEST_SEARXNG ? [] : ['test/real/**'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...real],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
});
