import { createHash } from 'node:crypto';
import { type AnyDatabase, skipLockedSql } from '../../storage/any-database.ts';
import { raw } from '../../storage/sql-template.ts';
import type { RateChargeResult, RateLimitCharge, RateLimitStore } from '../limits/rate-store.ts';

/** SQL for the time in ms by the database's clock, which all nodes share. */
const NOW = 'CAST(extract(epoch FROM statement_timestamp()) * 1000 AS double precision)';
const [COST, WINDOW, MOST] = [2, 3, 4].map((at) => `CAST(?${at} AS double precision)`);

const COUNT = `INSERT INTO access_rates AS kept (subject, full_at) VALUES (?1, ${NOW} + ${COST})
  ON CONFLICT (subject) DO UPDATE SET full_at = least(greatest(kept.full_at, ${NOW}) + ${COST}, ${NOW} + 2 * ${WINDOW})
  WHERE greatest(kept.full_at, ${NOW}) + ${COST} <= ${NOW} + ${MOST}
  RETURNING full_at - ${NOW} AS reset`;
const READ = `SELECT full_at - ${NOW} AS reset FROM access_rates WHERE subject = ?`;

/** Limit in ms for a charge that may exceed the quota. It is so high that no charge reaches it. */
const ANY_MS = 1e15;

interface RateRow {
  readonly reset: number;
}

export function createRateLimitStore(db: AnyDatabase): RateLimitStore {
  const deleteFull = `DELETE FROM access_rates WHERE subject IN
    (SELECT subject FROM access_rates WHERE full_at < ${NOW}${skipLockedSql(db)})`;
  return {
    countCharges: (charges) =>
      db.writeAutocommit(function* (sql) {
        const asked = charges.map((charge) => ({ charge, subject: digestOf(charge.subject) }));
        const counted = yield* sql.allEach<RateRow>(
          asked.map(({ subject, charge }) =>
            raw(COUNT, subject, charge.costMs, charge.windowMs, mostOf(charge)),
          ),
        );
        const refused = asked.filter((_, at) => counted[at]?.length === 0);
        const read = yield* sql.allEach<RateRow>(refused.map(({ subject }) => raw(READ, subject)));
        return asked.map((one, at): RateChargeResult => {
          const row = counted[at]?.[0];
          const { reset = 0 } = row ?? read[refused.indexOf(one)]?.[0] ?? {};
          return { ok: row !== undefined, resetMs: Math.max(0, reset) };
        });
      }),
    async deleteFull() {
      await db.remove((sql) => sql.run(deleteFull));
    },
  };
}

/** Returns how many ms `full_at` may be in the future. `costMs / 1000` allows for rounding errors. */
function mostOf({ mayExceedQuota, windowMs, costMs }: RateLimitCharge): number {
  return mayExceedQuota ? ANY_MS : windowMs + costMs / 1000;
}

/** Hashes a subject, so that the table has no callers' names and every subject fits the index. */
function digestOf(subject: string): string {
  return createHash('sha256').update(subject).digest('base64url');
}
