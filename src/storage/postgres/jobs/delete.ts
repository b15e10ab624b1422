import type { PostgresDatabase } from '../open.ts';
import { JOBS_SCHEMA } from './boss.ts';
import { groupOf } from './names.ts';

const IS_THERE = `SELECT to_regclass('${JOBS_SCHEMA}.job') IS NOT NULL AS there`;
const DELETE = `WITH deleted AS (DELETE FROM ${JOBS_SCHEMA}.job WHERE group_id = $1 OR singleton_key = $1 RETURNING 1)
  SELECT count(*)::int AS jobs FROM deleted`;

/** Deletes the jobs of a user, wherever they wait or run: a node whose job is gone ends its run. Gives their number. */
export async function deleteJobs(db: PostgresDatabase, user: string): Promise<number> {
  if (!(await db.ask(IS_THERE)).rows[0]?.there) return 0;
  return Number((await db.ask(DELETE, [groupOf(user)])).rows[0]?.jobs ?? 0);
}
