import { ACCESS_SCOPES } from '../../caller.ts';
import { type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { fragment, raw } from '../../storage/sql-template.ts';
import type { AppGrant, GrantStore, GrantToken } from '../grants/grant-store.ts';

type GrantRow = Omit<AppGrant, 'scopes'> & { readonly scopes: string };
type TokenRow = GrantRow & Pick<GrantToken, 'kind'> & { readonly ends: number };

const COLUMNS =
  raw(`g.id, g."user", g.key_id AS "keyId", g.client_id AS "clientId", g.client_name AS "clientName",
  g.redirect_uri AS "redirectUri", g.challenge, g.scopes, g.created_at AS "createdAt", g.used_at AS "usedAt",
  g.expires_at AS "expiresAt"`);

/** Tables of the grants whose key is active at a time. */
const activeGrants = (at: number) => fragment`access_grants AS g JOIN access_keys AS k
  ON k.id = g.key_id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${at})`;

export function createGrantStore(of: StoreDatabase): GrantStore {
  const db = toAnyDatabase(of);
  return {
    insertGrant: (grant, code, most) =>
      db.write(function* (sql) {
        const { id, user, keyId, clientId, clientName, redirectUri, challenge, scopes } = grant;
        yield* sql.lockName(`grants of ${user}`);
        yield* sql.send`INSERT INTO access_grants (id, "user", key_id, client_id, client_name, redirect_uri,
            challenge, scopes, created_at, used_at, expires_at)
          VALUES (${id}, ${user}, ${keyId}, ${clientId}, ${clientName}, ${redirectUri},
            ${challenge}, ${scopes.join(',')}, ${grant.createdAt}, ${grant.usedAt}, ${grant.expiresAt})`;
        yield* sql.send`${insertToken(id, code)}`;
        yield* sql.send`DELETE FROM access_grants WHERE id IN (SELECT id FROM access_grants
          WHERE "user" = ${user} ORDER BY used_at DESC, id DESC LIMIT 1000 OFFSET ${most})`;
      }),
    async findToken(hash, at) {
      const row = await db.read(
        (sql) => sql.get<TokenRow>`SELECT ${COLUMNS}, t.kind, t.expires_at AS ends
          FROM ${activeGrants(at)} JOIN access_tokens AS t ON t.grant_id = g.id WHERE t.hash = ${hash}`,
      );
      if (!row) return undefined;
      const { kind, ends: expiresAt, ...grant } = row;
      return { token: { hash, kind, expiresAt }, grant: grantOf(grant) };
    },
    redeemToken: (hash, id, { at, graceMs, tokens, most }) =>
      db.write(function* (sql) {
        yield* sql.lockName(`grant ${id}`);
        const live = yield* sql.get<{ count: number }>`SELECT count(*) AS count FROM access_tokens
          WHERE grant_id = ${id} AND kind = 'access' AND expires_at > ${at}`;
        if ((live?.count ?? 0) >= most) return 'busy';
        const used = yield* sql.run`UPDATE access_tokens SET used_at = coalesce(used_at, ${at})
          WHERE hash = ${hash} AND grant_id = ${id} AND (used_at IS NULL OR used_at > ${at - graceMs})`;
        if (used === 0) return 'used';
        for (const token of tokens) yield* sql.send`${insertToken(id, token)}`;
        yield* sql.send`UPDATE access_grants SET used_at = ${at}, expires_at = ${tokens.at(-1)?.expiresAt ?? at}
          WHERE id = ${id}`;
        return 'done';
      }),
    listGrants: (user, at) =>
      db.read(function* (sql) {
        const rows = yield* sql.all<GrantRow>`SELECT ${COLUMNS} FROM ${activeGrants(at)}
          WHERE g."user" = ${user} AND g.expires_at > ${at}
          AND EXISTS (SELECT 1 FROM access_tokens AS t WHERE t.grant_id = g.id AND t.kind <> 'code')
          ORDER BY g.created_at, g.id`;
        return rows.map(grantOf);
      }),
    async hasGrant(id, at) {
      const one = fragment`SELECT 1 FROM ${activeGrants(at)} WHERE g.id = ${id} AND g.expires_at > ${at}`;
      return (await db.read((sql) => sql.get`${one}`)) !== undefined;
    },
    async deleteGrant(id, user) {
      const isOfUser = user === undefined ? raw('TRUE') : fragment`"user" = ${user}`;
      const text = fragment`DELETE FROM access_grants WHERE id = ${id} AND ${isOfUser}`;
      return (await db.remove((sql) => sql.run`${text}`)) > 0;
    },
    async deleteExpired(before) {
      await db.remove(function* (sql) {
        yield* sql.send`DELETE FROM access_tokens WHERE expires_at < ${before}`;
        return yield* sql.run`DELETE FROM access_grants WHERE expires_at < ${before}`;
      });
    },
  };
}

function insertToken(grant: string, { hash, kind, expiresAt }: GrantToken) {
  return fragment`INSERT INTO access_tokens (hash, grant_id, kind, expires_at)
    VALUES (${hash}, ${grant}, ${kind}, ${expiresAt})`;
}

function grantOf(row: GrantRow): AppGrant {
  const scopes = row.scopes.split(',');
  return { ...row, scopes: ACCESS_SCOPES.filter((scope) => scopes.includes(scope)) };
}
