import type { KeyRecord } from '../../access/types.ts';

/** Times are ISO 8601. Missing values are null. */
export function keyToJson(key: KeyRecord) {
  return {
    id: key.id,
    user: key.user,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    createdAt: iso(key.createdAt),
    expiresAt: iso(key.expiresAt),
    revokedAt: iso(key.revokedAt),
    replacedBy: key.replacedBy ?? null,
    usedAt: iso(key.usedAt),
  };
}

function iso(at: number): string;
function iso(at: number | undefined): string | null;
function iso(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
