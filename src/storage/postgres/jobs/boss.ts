import type { ConstructorOptions, PgBoss } from 'pg-boss';
import type { Logger } from '../../../log.ts';
import type { PostgresDatabase } from '../open.ts';

/** The schema of pg-boss's own tables; our migrations make it. */
export const JOBS_SCHEMA = 'magpie_jobs';
/**
 * Seconds after its last heartbeat when a run counts as dead, between two heartbeats, and between two searches for dead ones:
 * another node takes the job over at the latest after the first and the last together.
 */
export const [DEAD_AFTER_S, HEARTBEAT_S, SEARCH_DEAD_S] = [12, 3, 2];
/** Seconds between two deletions of jobs that have ended. */
const CLEANING_S = 300;

/** pg-boss on the connections of Magpie. Its tables are made, or brought up to date, by one node while others wait. */
export async function startBoss(db: PostgresDatabase, log: Logger): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    db: connectionsOf(db),
    schema: JOBS_SCHEMA,
    createSchema: false,
    schedule: false,
    registerInstance: false,
    persistQueueStats: false,
    openTelemetry: { enabled: false },
    superviseIntervalSeconds: SEARCH_DEAD_S,
    monitorIntervalSeconds: SEARCH_DEAD_S,
    maintenanceIntervalSeconds: CLEANING_S,
  });
  boss.on('error', (err) => log.warn({ err }, 'the queue of jobs'));
  boss.on('warning', ({ message }) => log.warn(message));
  try {
    await db.transaction('tables of jobs', () => boss.start());
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
  return boss;
}

type Connections = NonNullable<ConstructorOptions['db']>;

/** How pg-boss asks a database, or one transaction on it. */
export function connectionsOf({ ask }: Pick<PostgresDatabase, 'ask'>): Connections {
  return { executeSql: (text, values) => ask(text, values) };
}
