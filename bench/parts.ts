/** What one bench is, for `main.ts` and for the test of the short forms. */
interface Part {
  load(): Promise<{ run(args: readonly string[]): Promise<void> }>;
  /** Arguments of its short form. */
  readonly short: readonly string[];
  /** Whether it measures the database that `DATABASE_URL` names; the others keep all in folders of their own. */
  readonly onPostgres?: boolean;
}

/** By name. */
export const PARTS: Readonly<Record<string, Part>> = {
  surface: { load: () => import('./surface.ts'), short: ['--short'] },
  extract: { load: () => import('./extract.ts'), short: ['--rounds', '1', '--seconds', '0'] },
  reduce: { load: () => import('./reduce.ts'), short: [] },
  search: {
    load: () => import('./search.ts'),
    short: ['--no-late', '--cold', '--callers', '1', '--calls', '2'],
  },
  'lost-pages': {
    load: () => import('./lost-pages.ts'),
    short: ['--calls', '4', '--callers', '2', '--kilobytes', '10'],
  },
  fusion: { load: () => import('./fusion.ts'), short: ['--seeds', '4'] },
  local: { load: () => import('./local.ts'), short: ['--pages', '200'] },
  pdf: { load: () => import('./pdf.ts'), short: ['--pages', '3', '--rounds', '1'] },
  loop: { load: () => import('./loop.ts'), short: ['--short'] },
  kb: {
    load: () => import('./kb.ts'),
    short: [
      'inserts',
      '300',
      'users',
      '--rounds',
      '1',
      '--inserts',
      '32',
      '--users',
      '3',
      '--questions',
      '4',
    ],
  },
  embed: { load: () => import('./embed.ts'), short: ['--rounds', '1', '--texts', '16'] },
  vectors: { load: () => import('./vectors.ts'), short: ['300'] },
  scale: { load: () => import('./scale.ts'), short: ['200'] },
  postgres: { load: () => import('./postgres.ts'), short: ['--entries', '100'], onPostgres: true },
  'postgres-questions': { load: () => import('./postgres-questions.ts'), short: ['200'], onPostgres: true },
  sessions: { load: () => import('./sessions.ts'), short: ['--calls', '10'], onPostgres: true },
  capacity: { load: () => import('./capacity.ts'), short: ['--short'], onPostgres: true },
  retrieve: {
    load: () => import('./retrieve.ts'),
    short: ['--questions', '3', '--no-peers'],
    onPostgres: true,
  },
  // The last of those on PostgreSQL: what it leaves there, servers of the others would embed.
  'scale-postgres': {
    load: () => import('./scale-postgres.ts'),
    short: ['100', '--one', '100', '--seconds', '0.1', '--calls', '4'],
    onPostgres: true,
  },
  access: {
    load: () => import('./access.ts'),
    short: ['--rounds', '1', '--seconds', '0.01', '--keys', '10'],
  },
  scan: { load: () => import('./scan.ts'), short: ['--rounds', '1', '--packages', 'keyv'] },
  orders: { load: () => import('./orders.ts'), short: [] },
  monitor: { load: () => import('./monitor.ts'), short: ['0.5', '--targets', '10', '--interval', '200'] },
  compliance: { load: () => import('./compliance.ts'), short: ['20', '--runs', '1'] },
};
