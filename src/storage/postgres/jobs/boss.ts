import type { ConstructorOptions, PgBoss } from 'pg-boss';
import type { Logger } from '../../../log.ts';
import type { PostgresDatabase } from '../open.ts';

/** Schema of the tables of pg-boss. A migration of Magpie creates the schema. */
export const JOBS_SCHEMA = 'magpie_jobs';
/** Seconds until a run without heartbeats is dead, between heartbeats, and between searches for dead runs. */
export const [DEAD_AFTER_S, HEARTBEAT_S, SEARCH_DEAD_S] = [12, 3, 2];
const CLEANING_S = 300;

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

export function connectionsOf({ ask }: Pick<PostgresDatabase, 'ask'>): Connections {
  return { executeSql: (text, values) => ask(text, values) };
}
