import { formatCount } from '../../lib/text/format-count.ts';
import type { DatabaseReport } from '../../wiring/data/check-postgres.ts';
import { type DoctorCheck, good, note, problem } from './finding.ts';

const SHOWN = 3;
const ONE: Readonly<Record<string, string>> = {
  users: 'user',
  entries: 'entry',
  passages: 'passage',
  files: 'file',
  pages: 'page',
  monitors: 'monitor',
  keys: 'key',
};
/** If more than this share of PostgreSQL's connections is used, other nodes may get none. */
const NEARLY_ALL = 0.9;

export const databaseCheck: DoctorCheck = {
  what: 'database',
  async run({ services, signal, progress }) {
    const report = await services.maintenance.checkDatabase(false, { signal, progress });
    return report ? findingsOn(report) : [];
  },
};

function findingsOn({ facts, counts, problems, notes }: DatabaseReport) {
  const { place, version, schema, connections, vectors } = facts;
  const pgvector =
    vectors.created !== undefined
      ? `pgvector ${vectors.created}`
      : vectors.offered !== undefined
        ? `pgvector ${vectors.offered} is there for it to be created`
        : 'no pgvector, which Magpie needs';
  return [
    good(`${place}: PostgreSQL ${version}, ${pgvector}`),
    ...notes.map((one) => note(one)),
    schema.done === schema.known && good(`tables of version ${schema.done}: ${formatCounts(counts)}`),
    schema.done < schema.known &&
      note(
        schema.done === 0
          ? 'it has no tables yet: the first server makes them'
          : `its tables are of version ${schema.done}; the next start of this Magpie brings them to ${schema.known}`,
      ),
    connections.open >= connections.most * NEARLY_ALL &&
      note(
        `${connections.open} of its ${connections.most} connections are taken`,
        'raise max_connections, or start fewer nodes: each takes up to ten',
      ),
    ...problems.slice(0, SHOWN).map((one) => problem(one.problem)),
  ];
}

export const formatCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([many, count]) => formatCount(count, ONE[many] ?? many, many))
    .join(', ');
