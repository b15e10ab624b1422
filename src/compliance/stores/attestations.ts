import { type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { queryBuilder } from '../../storage/query-builder.ts';
import { deleteOwnRow, insertSql } from '../../storage/rows.ts';
import type { Attestation, AttestationStore } from '../attesting/attestation.ts';

interface AttestationTables {
  readonly compliance_attestations: {
    readonly id: string;
    readonly owner: string;
    readonly scope: string;
    readonly standard: string;
    readonly control: string;
    readonly body: string;
  };
}

export function createAttestationStore(of: StoreDatabase): AttestationStore {
  const db = toAnyDatabase(of);
  const query = queryBuilder<AttestationTables>(db);
  return {
    putAttestation(owner, attestation, most) {
      const { id, scope, standard, control } = attestation;
      return db.write(function* (sql) {
        yield* sql.lockName(`attestations of ${owner}`);
        const others = yield* sql.get<{ count: number }>(
          `SELECT count(*) AS count FROM compliance_attestations
           WHERE owner = ? AND NOT (scope = ? AND standard = ? AND control = ?)`,
          owner,
          scope,
          standard,
          control,
        );
        if ((others?.count ?? 0) >= most) return false;
        const row = { id, owner, scope, standard, control, body: JSON.stringify(attestation) };
        const keys = ['owner', 'scope', 'standard', 'control'];
        yield* sql.send(...insertSql('compliance_attestations', row, keys));
        return true;
      });
    },
    async listAttestations(owner) {
      const rows = await query
        .selectFrom('compliance_attestations')
        .select('body')
        .where('owner', '=', owner)
        .orderBy('standard')
        .orderBy('control')
        .orderBy('scope')
        .execute();
      return rows.map(({ body }) => JSON.parse(body) as Attestation);
    },
    removeAttestation: (owner, id) => deleteOwnRow(db, 'compliance_attestations', owner, id),
  };
}
