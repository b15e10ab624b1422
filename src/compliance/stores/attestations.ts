import { type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { deleteOwnRow, insertSql, readRows } from '../../storage/rows.ts';
import type { Attestation, AttestationStore } from '../attesting/attestation.ts';

export function createAttestationStore(of: StoreDatabase): AttestationStore {
  const db = toAnyDatabase(of);
  return {
    putAttestation(owner, attestation, most) {
      const { id, scope, standard, control } = attestation;
      return db.write(function* (sql) {
        yield* sql.lockName(`attestations of ${owner}`);
        const others = yield* sql.get<{ count: number }>`SELECT count(*) AS count
          FROM compliance_attestations WHERE owner = ${owner} AND NOT (scope = ${scope}
          AND standard = ${standard} AND control = ${control})`;
        if ((others?.count ?? 0) >= most) return false;
        const row = { id, owner, scope, standard, control, body: JSON.stringify(attestation) };
        const keys = ['owner', 'scope', 'standard', 'control'];
        yield* sql.send(...insertSql('compliance_attestations', row, keys));
        return true;
      });
    },
    async listAttestations(owner) {
      const text =
        'SELECT body FROM compliance_attestations WHERE owner = ? ORDER BY standard, control, scope';
      const rows = await readRows<{ body: string }>(db, text, owner);
      return rows.map(({ body }) => JSON.parse(body) as Attestation);
    },
    removeAttestation: (owner, id) => deleteOwnRow(db, 'compliance_attestations', owner, id),
  };
}
