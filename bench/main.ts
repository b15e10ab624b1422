/** `npm run bench -- <part>`: each part prints its own table; without a name, all of them run. */

const PARTS: Readonly<Record<string, () => Promise<{ run(args: readonly string[]): Promise<void> }>>> = {
  surface: () => import('./surface.ts'),
  extract: () => import('./extract.ts'),
  reduce: () => import('./reduce.ts'),
  search: () => import('./search.ts'),
  'lost-pages': () => import('./lost-pages.ts'),
  fusion: () => import('./fusion.ts'),
  local: () => import('./local.ts'),
  pdf: () => import('./pdf.ts'),
  loop: () => import('./loop.ts'),
  kb: () => import('./kb.ts'),
  embed: () => import('./embed.ts'),
  vectors: () => import('./vectors.ts'),
  scale: () => import('./scale.ts'),
  postgres: () => import('./postgres.ts'),
  'scale-postgres': () => import('./scale-postgres.ts'),
  'postgres-questions': () => import('./postgres-questions.ts'),
  sessions: () => import('./sessions.ts'),
  capacity: () => import('./capacity.ts'),
  retrieve: () => import('./retrieve.ts'),
  access: () => import('./access.ts'),
  scan: () => import('./scan.ts'),
  monitor: () => import('./monitor.ts'),
  compliance: () => import('./compliance.ts'),
};

const [name, ...args] = process.argv.slice(2);
if (name !== undefined && !PARTS[name]) {
  process.stderr.write(
    `${JSON.stringify(name)} is not a bench; the benches are ${Object.keys(PARTS).join(', ')}\n`,
  );
  process.exit(2);
}
for (const [part, load] of Object.entries(PARTS)) {
  if (name === undefined || name === part) await (await load()).run(args);
}
