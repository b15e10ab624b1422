import { gunzipSync, gzipSync } from 'node:zlib';
import type { Database } from '../../storage/sqlite.ts';
import { type Assessment, type AssessmentName, sumOf } from '../assessment.ts';
import type { AssessmentStore } from '../assessment-store.ts';

interface Row {
  readonly name: string;
}

/** Checks of compliance in SQLite: one row each, its results compressed. */
export function createSqliteAssessmentStore(db: Database): AssessmentStore {
  return {
    add(owner, assessment, keep) {
      const { id, createdAt, scope, standards } = assessment;
      const name: AssessmentName = {
        id,
        createdAt,
        scope,
        standards: standards.map(({ standard }) => standard.id),
        counts: sumOf(standards.map(({ counts }) => counts)),
      };
      const body = gzipSync(JSON.stringify(assessment), { level: 1 });
      db.transactionSync(() => {
        db.run(
          'INSERT INTO compliance_checks (id, owner, scope, created_at, name, body) VALUES (?, ?, ?, ?, ?, ?)',
          id,
          owner,
          scope,
          createdAt,
          JSON.stringify(name),
          body,
        );
        db.run(
          `DELETE FROM compliance_checks WHERE owner = ? AND seq NOT IN
             (SELECT seq FROM compliance_checks WHERE owner = ? ORDER BY seq DESC LIMIT ?)`,
          owner,
          owner,
          keep,
        );
      });
    },
    get(owner, id) {
      const row = db.get<{ body: Uint8Array }>(
        'SELECT body FROM compliance_checks WHERE owner = ? AND id = ?',
        owner,
        id,
      );
      return row && (JSON.parse(gunzipSync(row.body).toString()) as Assessment);
    },
    list(owner) {
      const rows = db.all<Row>('SELECT name FROM compliance_checks WHERE owner = ? ORDER BY seq DESC', owner);
      return rows.map(nameOf);
    },
    before(owner, id) {
      const rows = db.all<Row>(
        `SELECT earlier.name FROM compliance_checks AS earlier JOIN compliance_checks AS now
           ON now.id = ? AND now.owner = earlier.owner AND now.scope = earlier.scope AND earlier.seq < now.seq
         WHERE earlier.owner = ? ORDER BY earlier.seq DESC`,
        id,
        owner,
      );
      return rows.map(nameOf);
    },
    remove: (owner, id) => db.run('DELETE FROM compliance_checks WHERE owner = ? AND id = ?', owner, id) > 0,
  };
}

function nameOf({ name }: Row): AssessmentName {
  return JSON.parse(name) as AssessmentName;
}
