import type { PostgresDatabase } from '../open.ts';
import { JOBS_SCHEMA } from './boss.ts';
import { hashOwner } from './names.ts';

const IS_THERE = `SELECT to_regclass('${JOBS_SCHEMA}.job') IS NOT NULL AS there`;
const OF_USER = `FROM ${JOBS_SCHEMA}.job WHERE group_id = $1 OR singleton_key = $1`;

export async function countJobs(db: PostgresDatabase, user: string): Promise<number> {
  if (!(await db.ask(IS_THERE)).rows[0]?.there) return 0;
  return Number((await db.ask(`SELECT count(*) AS jobs ${OF_USER}`, [hashOwner(user)])).rows[0]?.jobs ?? 0);
}

export async function deleteJobs(db: PostgresDatabase, user: string): Promise<void> {
  if ((await db.ask(IS_THERE)).rows[0]?.there) await db.ask(`DELETE ${OF_USER}`, [hashOwner(user)]);
}
