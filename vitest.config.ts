import { defineConfig } from 'vitest/config';

/** Tests that need a program of others are part of the run where .ci/run has installed and started it. */
const NEEDS = {
  'test/real/search-engine.test.ts': 'MAGPIE_TEST_SEARXNG',
  'test/real/render.test.ts': 'MAGPIE_TEST_BROWSER',
  'test/real/app-browser.test.ts': 'MAGPIE_TEST_BROWSER',
  'test/real/compliance-pdf.test.ts': 'MAGPIE_TEST_PDFTOPPM',
};
const absent = Object.entries(NEEDS).flatMap(([file, name]) => (process.env[name] ? [] : [file]));

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...absent],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is polled for is waited for: the default of a second is too short beside other work.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
  },
});
