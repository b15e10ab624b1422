import { randomBytes } from 'node:crypto';
import type { AnyDatabase } from '../any-database.ts';

const SECRET_BYTES = 32;

/** Returns the secret that signs links and sessions. All nodes get the same secret. */
export async function loadSharedSecret(db: AnyDatabase): Promise<Buffer> {
  const row = await db.write(function* (sql) {
    yield* sql.send(
      "INSERT INTO magpie_secrets (name, bytes) VALUES ('links', ?) ON CONFLICT (name) DO NOTHING",
      randomBytes(SECRET_BYTES),
    );
    return yield* sql.get<{ bytes: Uint8Array }>("SELECT bytes FROM magpie_secrets WHERE name = 'links'");
  });
  return Buffer.from(row?.bytes ?? []);
}

export async function keepSharedSecret(db: AnyDatabase, secret: Uint8Array): Promise<void> {
  await db.write((sql) =>
    sql.run(
      `INSERT INTO magpie_secrets (name, bytes) VALUES ('links', ?)
       ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes`,
      secret,
    ),
  );
}
