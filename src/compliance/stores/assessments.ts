import { gunzipSync, gzipSync } from 'node:zlib';
import { type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { queryBuilder } from '../../storage/query-builder.ts';
import { deleteOwnRow, insertSql } from '../../storage/rows.ts';
import {
  type Assessment,
  type AssessmentSummary,
  sumStatusCounts,
  ZERO_STATUS_COUNTS,
} from '../assessing/assessment.ts';
import type { AssessmentStore } from '../assessing/assessment-store.ts';

interface AssessmentTables {
  readonly compliance_checks: {
    readonly seq: number;
    readonly id: string;
    readonly owner: string;
    readonly scope: string;
    readonly name: string;
    readonly body: Uint8Array;
  };
}

const END_JOB = 'DELETE FROM compliance_jobs WHERE id = ? AND runner = ? AND reason IS NULL';

export function createAssessmentStore(of: StoreDatabase): AssessmentStore {
  const db = toAnyDatabase(of);
  const query = queryBuilder<AssessmentTables>(db);
  const rowOf = (owner: string, id: string) =>
    query.selectFrom('compliance_checks').where('owner', '=', owner).where('id', '=', id);

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
        yield* sql.send(
          `DELETE FROM compliance_checks WHERE owner = ? AND seq NOT IN
             (SELECT seq FROM compliance_checks WHERE owner = ? ORDER BY seq DESC LIMIT ?)`,
          owner,
          owner,
          kept,
        );
        return true;
      });
    },
    async readAssessment(owner, id) {
      const row = await rowOf(owner, id).select('body').executeTakeFirst();
      return row && parseAssessment(row.body);
    },
    async hasAssessment(owner, id) {
      return (await rowOf(owner, id).select('seq').executeTakeFirst()) !== undefined;
    },
    async listAssessments(owner) {
      const rows = await query
        .selectFrom('compliance_checks')
        .select('name')
        .where('owner', '=', owner)
        .orderBy('seq', 'desc')
        .execute();
      return rows.map(parseName);
    },
    async listEarlier(owner, id) {
      const rows = await query
        .selectFrom('compliance_checks as earlier')
        .innerJoin('compliance_checks as present', (join) =>
          join
            .onRef('present.owner', '=', 'earlier.owner')
            .onRef('present.scope', '=', 'earlier.scope')
            .onRef('present.seq', '>', 'earlier.seq'),
        )
        .select('earlier.name')
        .where('earlier.owner', '=', owner)
        .where('present.id', '=', id)
        .orderBy('earlier.seq', 'desc')
        .execute();
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
