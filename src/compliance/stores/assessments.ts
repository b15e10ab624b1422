import { gunzipSync, gzipSync } from 'node:zlib';
import { type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { deleteOwnRow, insertSql } from '../../storage/rows.ts';
import { fragment } from '../../storage/sql-template.ts';
import {
  type Assessment,
  type AssessmentSummary,
  sumStatusCounts,
  ZERO_STATUS_COUNTS,
} from '../assessing/assessment.ts';
import type { AssessmentStore } from '../assessing/assessment-store.ts';

const END_JOB = 'DELETE FROM compliance_jobs WHERE id = ? AND runner = ? AND reason IS NULL';

export function createAssessmentStore(of: StoreDatabase): AssessmentStore {
  const db = toAnyDatabase(of);
  const isNamed = (owner: string, id: string) => fragment`owner = ${owner} AND id = ${id}`;

  return {
    insertAssessment(owner, assessment, kept, runner) {
      const { id, createdAt, scope } = assessment;
      const name = JSON.stringify(nameOf(assessment));
      const body = gzipSync(JSON.stringify(assessment), { level: 1 });
      return db.write(function* (sql) {
        yield* sql.lockName(`checks of ${owner}`);
        if (runner !== undefined && (yield* sql.run(END_JOB, id, runner)) === 0) return false;
        yield* sql.send(
          ...insertSql('compliance_checks', { id, owner, scope, created_at: createdAt, name, body }),
        );
        yield* sql.send`DELETE FROM compliance_checks WHERE owner = ${owner} AND seq NOT IN
          (SELECT seq FROM compliance_checks WHERE owner = ${owner} ORDER BY seq DESC LIMIT ${kept})`;
        return true;
      });
    },
    async readAssessment(owner, id) {
      const row = await db.read(
        (sql) => sql.get<{ body: Uint8Array }>`SELECT body FROM compliance_checks
          WHERE ${isNamed(owner, id)}`,
      );
      return row && parseAssessment(row.body);
    },
    hasAssessment: async (owner, id) =>
      (await db.read((sql) => sql.get`SELECT 1 FROM compliance_checks WHERE ${isNamed(owner, id)}`)) !==
      undefined,
    async listAssessments(owner) {
      const rows = await db.read(
        (sql) => sql.all<NameRow>`SELECT name FROM compliance_checks WHERE owner = ${owner}
          ORDER BY seq DESC`,
      );
      return rows.map(parseName);
    },
    async listEarlier(owner, id) {
      const rows = await db.read(
        (sql) => sql.all<NameRow>`SELECT earlier.name FROM compliance_checks earlier
          JOIN compliance_checks present ON present.owner = earlier.owner AND present.scope = earlier.scope
            AND present.seq > earlier.seq
          WHERE earlier.owner = ${owner} AND present.id = ${id} ORDER BY earlier.seq DESC`,
      );
      return rows.map(parseName);
    },
    removeAssessment: (owner, id) => deleteOwnRow(db, 'compliance_checks', owner, id),
  };
}

function nameOf({ id, createdAt, scope, standards }: Assessment): AssessmentSummary {
  return {
    id,
    createdAt,
    scope,
    standards: standards.map(({ standard }) => standard.id),
    counts: sumStatusCounts(standards.map(({ counts }) => counts)),
  };
}

interface NameRow {
  readonly name: string;
}

function parseName({ name }: NameRow): AssessmentSummary {
  const parsed = JSON.parse(name) as AssessmentSummary;
  return { ...parsed, counts: { ...ZERO_STATUS_COUNTS, ...parsed.counts } };
}

function parseAssessment(body: Uint8Array): Assessment {
  const parsed = JSON.parse(gunzipSync(body).toString()) as Assessment;
  const standards = parsed.standards.map((one) => ({
    ...one,
    counts: { ...ZERO_STATUS_COUNTS, ...one.counts },
  }));
  return { ...parsed, standards };
}
