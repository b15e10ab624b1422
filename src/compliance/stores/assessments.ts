import { gunzipSync, gzipSync } from 'node:zlib';
import { type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { deleteOwnRow, hasRow, insertSql, readFirstRow, readRows } from '../../storage/rows.ts';
import {
  type Assessment,
  type AssessmentSummary,
  sumStatusCounts,
  ZERO_STATUS_COUNTS,
} from '../assessing/assessment.ts';
import type { AssessmentStore } from '../assessing/assessment-store.ts';

export function createAssessmentStore(of: StoreDatabase): AssessmentStore {
  const db = toAnyDatabase(of);
  return {
    insertAssessment(owner, assessment, kept, runner) {
      const { id, createdAt, scope } = assessment;
      const name = JSON.stringify(nameOf(assessment));
      const body = gzipSync(JSON.stringify(assessment), { level: 1 });
      return db.write(function* (sql) {
        yield* sql.lockName(`checks of ${owner}`);
        if (runner !== undefined) {
          const ended = yield* sql.run`DELETE FROM compliance_jobs WHERE id = ${id} AND runner = ${runner}
            AND reason IS NULL`;
          if (ended === 0) return false;
        }
        yield* sql.send(
          ...insertSql('compliance_checks', { id, owner, scope, created_at: createdAt, name, body }),
        );
        yield* sql.send`DELETE FROM compliance_checks WHERE owner = ${owner}
          AND seq NOT IN (SELECT seq FROM compliance_checks WHERE owner = ${owner}
          ORDER BY seq DESC LIMIT ${kept})`;
        return true;
      });
    },
    async readAssessment(owner, id) {
      const text = 'SELECT body FROM compliance_checks WHERE owner = ? AND id = ?';
      const row = await readFirstRow<{ body: Uint8Array }>(db, text, owner, id);
      return row && parseAssessment(row.body);
    },
    hasAssessment: (owner, id) =>
      hasRow(db, 'SELECT 1 FROM compliance_checks WHERE owner = ? AND id = ?', owner, id),
    async listAssessments(owner) {
      const text = 'SELECT name FROM compliance_checks WHERE owner = ? ORDER BY seq DESC';
      return (await readRows<{ name: string }>(db, text, owner)).map(parseName);
    },
    async listEarlier(owner, id) {
      const rows = await db.read(
        (sql) => sql.all<{ name: string }>`SELECT earlier.name FROM compliance_checks AS earlier
          JOIN compliance_checks AS present ON present.owner = earlier.owner
            AND present.scope = earlier.scope AND present.seq > earlier.seq
          WHERE earlier.owner = ${owner} AND present.id = ${id} ORDER BY earlier.seq DESC`,
      );
      return rows.map(parseName);
    },
    removeAssessment: (owner, id) => deleteOwnRow(db, 'compliance_checks', owner, id),
  };
}

const nameOf = ({ id, createdAt, scope, standards }: Assessment): AssessmentSummary => ({
  id,
  createdAt,
  scope,
  standards: standards.map(({ standard }) => standard.id),
  counts: sumStatusCounts(standards.map(({ counts }) => counts)),
});

function parseName({ name }: { readonly name: string }): AssessmentSummary {
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
