import type { PostgresDatabase } from '../open.ts';
import { JOBS_SCHEMA } from './boss.ts';
import { hashOwner } from './names.ts';

const IS_THERE = `SELECT to_regclass('${JOBS_SCHEMA}.job') IS NOT NULL AS there`;
const OF_USER = `FROM ${JOBS_SCHEMA}.job WHERE ? IN (group_id, singleton_key)`;

export async function countJobs(db: PostgresDatabase, user: string): Promise<number> {
  if (!(await db.ask(IS_THERE)).rows[0]?.there) return 0;
  const text = `SELECT count(*) AS jobs ${OF_USER}`;
  return (await db.read((sql) => sql.get<{ jobs: number }>(text, hashOwner(user))))?.jobs ?? 0;
}

export async function deleteJobs(db: PostgresDatabase, user: string): Promise<number> {
  if (!(await db.ask(IS_THERE)).rows[0]?.there) return 0;
  return db.remove((sql) => sql.run(`DELETE ${OF_USER}`, hashOwner(user)));
}
