export const OLDEST_POSTGRES = 16;
/** Oldest allowed version of pgvector. In earlier versions, a vacuum may damage an index. */
const OLDEST_PGVECTOR = '0.8.4';

export interface ServerVersions {
  readonly version: string;
  readonly major: number;
  readonly pgvector: string | undefined;
}

export const SERVER_VERSIONS_SQL = `
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int / 10000 AS major,
    (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS pgvector`;

export function describeOldPostgres(versions: Omit<ServerVersions, 'pgvector'>): string | undefined {
  const { version, major } = versions;
  if (major >= OLDEST_POSTGRES) return undefined;
  return `it is PostgreSQL ${version}, and Magpie takes ${OLDEST_POSTGRES} or newer: update the server`;
}

export function describeOldPgvector(version: string): string | undefined {
  if (!isOlder(version, OLDEST_PGVECTOR)) return undefined;
  return `pgvector ${version} may damage indexes: install ${OLDEST_PGVECTOR} or newer and run ALTER EXTENSION vector UPDATE; until then all vectors of a user are compared`;
}

export function describeOldParts({ pgvector, ...server }: ServerVersions): string[] {
  return [
    describeOldPostgres(server),
    pgvector === undefined ? undefined : describeOldPgvector(pgvector),
  ].filter((one) => one !== undefined);
}

function isOlder(version: string, than: string): boolean {
  const [given, oldest] = [version.split('.').map(Number), than.split('.').map(Number)];
  const differs = oldest.findIndex((part, at) => part !== (given[at] ?? 0));
  return differs >= 0 && (given[differs] ?? 0) < (oldest[differs] ?? 0);
}
