import { globSync } from 'node:fs';
import { basename } from 'node:path';

/** One part of the core whose tests must notice nearly every change of a single line. */
export interface MutatedPart {
  /** Source files, as globs from the project's root. */
  readonly mutate: readonly string[];
  /** The test files that judge them. */
  readonly tests: readonly string[];
}

/** `npm run mutate -- <part>`; at least 90% of the mutants of each are noticed. */
export const PARTS: Readonly<Record<string, MutatedPart>> = {
  access: {
    mutate: ['src/access/access.ts', 'src/lib/network/bearer.ts'],
    tests: ['test/access/access.test.ts', 'test/lib/network/bearer.test.ts'],
  },
  keys: {
    mutate: ['src/access/keys/{key,keys}.ts'],
    tests: ['test/access/keys/{key,key-cache,keys}.test.ts'],
  },
  tokens: {
    mutate: ['src/access/tokens/{access-token-verifier,issuer-keys}.ts'],
    tests: ['test/access/tokens/{access-token-verifier,issuer-keys}.test.ts'],
  },
  limits: {
    mutate: [
      'src/access/limits/{rate-limiter,limits,network,daily-quota-counter,call-scheduler,refusal-throttle}.ts',
    ],
    tests: [
      'test/access/limits/{limits,daily-quota-counter,call-scheduler,refusal-throttle}.test.ts',
      'test/access/work.test.ts',
    ],
  },
  usage: {
    mutate: ['src/access/usage/{alerts,usage,credential-watcher,alert-webhook}.ts'],
    tests: ['test/access/usage/{usage,alert-webhook}.test.ts', 'test/access/{usage-writing,watch}.test.ts'],
  },
  redaction: {
    mutate: ['src/lib/secrets/{redact,known-secrets,content-mask}.ts'],
    tests: ['test/lib/secrets/{redact,known-secrets,content-mask}.test.ts'],
  },
  guard: {
    mutate: [
      'src/lib/network/url-guard.ts',
      'src/lib/network/{address,proxy-lease}.ts',
      'src/lib/network/guard-*.ts',
    ],
    tests: [
      'test/lib/network/{address,url-guard,proxy-lease}.test.ts',
      'test/lib/network/guard-*.test.ts',
      'test/lib/hostile-*.test.ts',
      'test/lib/notations.test.ts',
    ],
  },
  flow: {
    mutate: ['src/security/scanners/source/flow/**/*.ts'],
    // Not those of hostile files and of the search for suspects: they take most of the time and notice nothing here.
    tests: [
      'test/security/source/{clean,constants,flow,flow-*,guards,rules,values}.test.ts',
      'test/security/source/{csharp-idioms,framework-checks,java-files,templates}.test.ts',
    ],
  },
  versions: {
    mutate: ['src/security/scanners/dependencies/versions/*.ts'],
    tests: ['test/security/dependencies/versions.test.ts'],
  },
  alerts: {
    mutate: ['src/monitor/alerts/{decide-alerts,result-batcher}.ts', 'src/monitor/change-feed.ts'],
    tests: ['test/monitor/alerts/{decide-alerts,result-batcher}.test.ts', 'test/monitor/change-feed.test.ts'],
  },
  changing: {
    mutate: ['src/monitor/monitor-commands.ts'],
    tests: ['test/monitor/{monitor-commands,monitor,races,status,deliveries}.test.ts'],
  },
  retry: {
    mutate: [
      'src/monitor/alerts/outbox.ts',
      'src/monitor/scheduling/work-loop.ts',
      'src/knowledge/embedding/embedding-retry.ts',
      'src/lib/network/politeness.ts',
    ],
    tests: [
      'test/monitor/alerts/outbox.test.ts',
      'test/monitor/scheduling/work-loop.test.ts',
      'test/knowledge/embedding/embedding-retry.test.ts',
      'test/lib/network/politeness.test.ts',
    ],
  },
  rank: {
    mutate: ['src/knowledge/ranking/{rank,smooth-by-neighbours}.ts', 'src/search/merging/merge.ts'],
    tests: [
      'test/knowledge/ranking/rank{,-facts}.test.ts',
      'test/knowledge/rank-figures.test.ts',
      'test/search/merging/{merge,copies}.test.ts',
    ],
  },
  reduction: {
    mutate: ['src/browse/reducing/{reduce,relevance,boilerplate,budget}.ts', 'src/browse/sections/parts.ts'],
    tests: [
      'test/browse/reducing/{reduce,relevance,boilerplate,budget,cited-notes,join-blocks,keep-within-words}.test.ts',
      'test/browse/pieces.test.ts',
      'test/browse/sections/parts.test.ts',
    ],
  },
};

/** The files of a part, of which `wanted` chooses some by name and maybe lines (`value.ts,call.ts:9-40`), and the tests that judge them. */
export function chosenFiles(name: string, wanted: string | undefined): MutatedPart {
  const part = PARTS[name];
  if (!part) throw new Error(`no part ${name}; there are ${Object.keys(PARTS).join(', ')}`);
  const files = globSync([...part.mutate]).sort();
  if (wanted === undefined) return { ...part, mutate: files };
  const chosen = wanted.split(',').map((one) => {
    const [file, lines] = one.split(':');
    const found = files.find((path) => basename(path) === file);
    if (found) return lines === undefined ? found : `${found}:${lines}`;
    throw new Error(
      `no file ${file} in ${name}; there are ${files.map((path) => basename(path)).join(', ')}`,
    );
  });
  return { ...part, mutate: chosen };
}
