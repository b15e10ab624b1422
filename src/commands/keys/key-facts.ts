import type { KeyRecord } from '../../access/types.ts';

/** Describes a key as JSON, with times in ISO 8601 and null for missing values. */
export const keyToJson = (key: KeyRecord) => ({
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
});

function iso(at: number): string;
function iso(at: number | undefined): string | null;
function iso(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
