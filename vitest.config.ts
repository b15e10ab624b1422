import { statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { keepCompiledCode } from './src/lib/workers/compile-cache.ts';
import { LongFirst } from './test/helpers/long-first.ts';

/** Tests that need an external program run where .ci/run has installed and started it. */
const NEEDS = {
  'test/real/search-engine.test.ts': 'MAGPIE_TEST_SEARXNG',
  'test/real/render.test.ts': 'MAGPIE_TEST_BROWSER',
  'test/real/open-in-browser.test.ts': 'MAGPIE_TEST_BROWSER',
  'test/real/app-browser.test.ts': 'MAGPIE_TEST_BROWSER',
  'test/real/lone-pages-browser.test.ts': 'MAGPIE_TEST_BROWSER',
  'test/real/console-browser.test.ts': 'MAGPIE_TEST_BROWSER',
  'test/real/console-login-browser.test.ts': 'MAGPIE_TEST_BROWSER',
  'test/real/console-warn-browser.test.ts': 'MAGPIE_TEST_BROWSER',
  'test/real/app-sign-in-browser.test.ts': 'MAGPIE_TEST_BROWSER',
  'test/real/status-page-browser.test.ts': 'MAGPIE_TEST_BROWSER',
  'test/real/views-browser.test.ts': 'MAGPIE_TEST_BROWSER',
  'test/real/compliance-pdf.test.ts': 'MAGPIE_TEST_PDFTOPPM',
  'test/real/tls-old-servers.test.ts': 'MAGPIE_TEST_TLSLITE',
  'test/real/compliance-seal.test.ts': 'MAGPIE_TEST_OPENSSL',
  'test/real/compliance-oscal.test.ts': 'MAGPIE_TEST_TRESTLE',
  'test/real/tls-verdicts.test.ts': 'MAGPIE_TEST_CURL',
  'test/real/ping.test.ts': 'MAGPIE_TEST_PING',
  'test/real/guides.test.ts': 'MAGPIE_TEST_CURL',
  'test/real/postgres-benches.test.ts': 'MAGPIE_TEST_POSTGRES',
  'test/real/postgres/**': 'MAGPIE_TEST_POSTGRES',
  'test/real/s3/**': 'MAGPIE_TEST_S3',
  'test/real/s3/postgres.test.ts': 'MAGPIE_TEST_POSTGRES',
};
const absent = Object.entries(NEEDS).flatMap(([file, name]) => (process.env[name] ? [] : [file]));

// Worker threads and processes compile the same modules again and again: they find them compiled after the first time.
process.env.NODE_COMPILE_CACHE ??= keepCompiledCode();

/** Tests write some GB in all: into memory, where this machine has room there. */
function temporaryFolders(): Record<string, string> {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize >= 4e9 ? { TMPDIR: '/dev/shm' } : {};
  } catch {
    return {};
  }
}
const env = temporaryFolders();

/** Folders whose tests start no program and no server of ours. */
const UNIT = ['automation', 'bench', 'browse', 'compliance', 'config', 'flows', 'lib', 'search', 'wiring'];
const unit = UNIT.map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    // Half of a test's time is waiting, for servers and workers: one more than there are processors keeps them busy.
    maxWorkers: availableParallelism() + 1,
    // Limits of what must end, not of what must be fast: a busy machine takes ten times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Node.js loads the modules itself, as it does where Magpie is run.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongFirst },
    // A condition is waited for as long as a busy machine may need: the default of a second is too short.
    expect: { poll: { timeout: 60_000, interval: 20 } },
    projects: [
      {
        extends: true,
        // Files share their worker's modules: none changes a global, or leaves anything behind.
        test: { name: 'unit', include: unit, pool: 'threads', isolate: false, env },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: ['test/real/**', ...unit],
          pool: 'forks',
          isolate: false,
          env,
        },
      },
      {
        extends: true,
        // Real models and programs, installation, crashes: `npm run test:real`.
        test: {
          name: 'real',
          include: ['test/real/**/*.test.ts'],
          exclude: absent,
          pool: 'forks',
          // Most of a test's time is waiting for other processes: two files more than there are processors.
          maxWorkers: availableParallelism() + 2,
          // What is asked comes from other processes, and each question takes time from them.
          expect: { poll: { timeout: 180_000, interval: 100 } },
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
