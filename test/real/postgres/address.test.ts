import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatabaseFailure } from '../../../src/errors.ts';
import { openPostgres } from '../../../src/storage/postgres/open.ts';
import { freePort } from '../../helpers/free-port.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';
import { asUser } from '../../helpers/postgres-pair.ts';
import { makePostgresTls } from '../../helpers/postgres-tls.ts';
import { AUTHORITY, certificateOf } from '../../helpers/test-authority.ts';

/** What is wrong with an address, or with what is found at it, is said in words, and never with the password. */

const PASSWORD = 'hushhush';
const TAKES =
  'it takes sslmode, sslrootcert, sslcert, sslkey, channel_binding, application_name, options, host';

let place: PostgresPlace;
beforeAll(async () => {
  place = await makePostgres('none');
});
afterAll(async () => {
  await place.remove();
  await dropPostgres();
});

async function open(url: string | URL): Promise<string> {
  try {
    const db = await openPostgres({ url: String(url), migrations: [] });
    await db.close();
    return 'opened';
  } catch (error) {
    expect(error).toMatchObject({ name: expect.stringMatching(/^(AppError|DatabaseFailure)$/) });
    const { code, message } = error as { code: string; message: string };
    expect(message).not.toContain(PASSWORD);
    return `${code}: ${message}`;
  }
}

function withPart(part: 'hostname' | 'pathname' | 'search', value: string): URL {
  const url = new URL(place.url);
  url[part] = value;
  return url;
}

test.each([
  ['sslmod=require', `has the parameter sslmod (did you mean sslmode?): ${TAKES}`],
  ['statement_timeout=0', `has the parameter statement_timeout: ${TAKES}`],
  [
    'sslmode=requir',
    'has sslmode=requir (did you mean require?): it takes disable, require, verify-ca, verify-full',
  ],
  ['sslmode=prefer', 'has sslmode=prefer: it takes disable, require, verify-ca, verify-full'],
  [
    'sslmode=verify-ca',
    'has sslmode=verify-ca, which needs sslrootcert=<file>, the certificate of the authority',
  ],
  [
    'sslmode=verify-full&sslrootcert=/nowhere.pem',
    'has sslrootcert=/nowhere.pem, and that file cannot be read: it is not there; check the path',
  ],
])('an unsupported parameter is refused: %s', async (search, why) => {
  expect(await open(withPart('search', search))).toBe(`bad_request: the address of the database ${why}`);
});

test('addresses of common hosting providers are accepted', async () => {
  const search =
    'connect_timeout=10&pgbouncer=true&target_session_attrs=read-write&keepalives=1&gssencmode=disable&channel_binding=prefer';
  expect(await open(withPart('search', search))).toBe('opened');
  expect(await open(withPart('search', 'sslmode=disable&channel_binding=require'))).toContain('it takes TLS');
  expect(await open(withPart('search', 'sslmode=require&sslrootcert=system'))).toContain(
    'it takes sslmode=verify-full',
  );
});

test('an unreachable host or port and a missing database are named', async () => {
  expect(await open(withPart('hostname', 'nowhere.invalid'))).toMatch(
    /^unavailable: the database nowhere\.invalid:\d+\/\w+ is on a host whose name (is not known|cannot be looked up now): check the host/,
  );
  expect(await open(`postgres://ada:${PASSWORD}@localhost:1/kb`)).toBe(
    'unavailable: the database localhost:1/kb does not answer; try again',
  );
  expect(await open(withPart('pathname', '/nothing'))).toMatch(
    /\/nothing is not there: check its name in DATABASE_URL/,
  );
});

test('a read-only database is not described as a standby only', async () => {
  const url = withPart('search', 'options=-c%20default_transaction_read_only%3Don');
  await expect(openPostgres({ url: url.href })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('default_transaction_read_only is on for this user or database, or it'),
  });
});

test('an unknown setting of PostgreSQL is not mistaken for a missing pgvector', async () => {
  await expect(
    openPostgres({ url: withPart('search', 'options=-cnosuch%3D1').href }),
  ).rejects.not.toMatchObject({ message: expect.stringContaining('pgvector') });
});

test('a search_path without the schema of pgvector is named', async () => {
  await place.administer(`CREATE SCHEMA apart AUTHORIZATION ${new URL(place.url).username}`);
  await expect(
    openPostgres({ url: withPart('search', 'options=-csearch_path%3Dapart').href }),
  ).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining("does not find pgvector's types: the search_path of this user"),
  });
});

describe('TLS', () => {
  const warnings: string[] = [];
  const warned = ({ message }: Error) => void warnings.push(message);
  beforeAll(() => void process.on('warning', warned));
  afterAll(() => void process.off('warning', warned));

  test('an error says when the server does not support TLS', async () => {
    expect(await open(withPart('search', 'sslmode=require'))).toMatch(
      /^unavailable: the database \S+ does not speak TLS, which sslmode asks for: switch on ssl there/,
    );
  });

  const UNKNOWN =
    'from an authority that is not known: name the certificate of that authority by sslrootcert';
  test.each([
    ['self-signed', 'sslmode=require', 'opened'],
    ['self-signed', 'sslmode=disable', 'opened'],
    ['self-signed', 'sslmode=verify-full', UNKNOWN],
    ['good', 'sslmode=verify-full', UNKNOWN],
    ['good', `sslmode=verify-full&sslrootcert=${AUTHORITY}`, 'opened'],
    ['expired', `sslmode=verify-full&sslrootcert=${AUTHORITY}`, 'out of date'],
    ['other-name', `sslmode=verify-full&sslrootcert=${AUTHORITY}`, 'shows the certificate of another host'],
    ['other-name', `sslmode=verify-ca&sslrootcert=${AUTHORITY}`, 'opened'],
    ['self-signed', `sslmode=verify-ca&sslrootcert=${AUTHORITY}`, UNKNOWN],
    ['other-name', 'sslmode=require', 'opened'],
    ['self-signed', 'sslmode=require&channel_binding=require', UNKNOWN],
    ['good', `sslmode=require&channel_binding=require&sslrootcert=${AUTHORITY}`, 'opened'],
    ['good', 'sslrootcert=system', UNKNOWN],
  ])(
    'a certificate that is %s is accepted or refused by the setting %s',
    async (certificate, search, outcome) => {
      const tls = await makePostgresTls(place.url, certificateOf(certificate));
      try {
        const url = withPart('search', search);
        url.port = String(tls.port);
        expect(await open(url)).toContain(outcome);
        if (outcome === 'opened') expect(tls.met.encrypted > 0).toBe(!search.includes('disable'));
        expect(tls.met.bare > 0).toBe(search.includes('disable'));
        expect(warnings).toEqual([]);
      } finally {
        await tls.close();
      }
    },
  );
});

describe('a server that asks for passwords', () => {
  let home: string;
  let port: number;
  let program: (name: string, ...args: string[]) => ReturnType<typeof asUser>;

  beforeAll(async () => {
    const client = new pg.Client({ connectionString: process.env.MAGPIE_TEST_POSTGRES });
    await client.connect();
    const { rows } = await client.query("SELECT setting FROM pg_config() WHERE name = 'BINDIR'");
    await client.end();
    program = (name, ...args) => asUser(join(String(rows[0]?.setting), name), args);
    home = mkdtempSync(join(tmpdir(), 'magpie-passwords-'));
    chmodSync(home, 0o777);
    const file = join(home, 'password');
    writeFileSync(file, PASSWORD);
    chmodSync(file, 0o644);
    const data = join(home, 'data');
    await program(
      'initdb',
      '-D',
      data,
      '-U',
      'ada',
      '--auth=scram-sha-256',
      `--pwfile=${file}`,
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    );
    port = await freePort();
    appendFileSync(
      join(data, 'postgresql.conf'),
      `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${home}'\nfsync = off\nshared_buffers = 16MB\n`,
    );
    writeFileSync(
      join(data, 'pg_hba.conf'),
      'local postgres all scram-sha-256\nhost postgres all 127.0.0.1/32 scram-sha-256\nhost template1 all 127.0.0.1/32 trust\n',
    );
    await program('pg_ctl', '-D', data, '-w', '-l', join(home, 'log'), 'start');
  });
  afterAll(async () => {
    await program('pg_ctl', '-D', join(home, 'data'), '-m', 'immediate', '-w', 'stop').catch(() => {});
    rmSync(home, { recursive: true, force: true });
  });

  const REFUSED = 'refuses this user with this password: check both in DATABASE_URL, or PGPASSWORD';
  test.each([
    [`ada:${PASSWORD}`, 'postgres', 'opened'],
    ['ada', 'postgres', 'asks for a password, and none is given: it goes into DATABASE_URL'],
    [`ada:not${PASSWORD}`, 'postgres', REFUSED],
    [`bob:${PASSWORD}`, 'postgres', REFUSED],
    [
      `ada:${PASSWORD}`,
      'elsewhere',
      'does not know this user, or does not let it in from here or in this way',
    ],
    ['bob', 'template1', 'does not know this user'],
  ])(
    'the login %s to the database %s is accepted or refused with a reason',
    async (user, database, outcome) => {
      expect(await open(`postgres://${user}@127.0.0.1:${port}/${database}`)).toContain(outcome);
    },
  );

  test('the folder of the socket is accepted, without TLS, and a stopped server is reported as not answering', async () => {
    const url = `postgres://ada:${PASSWORD}@127.0.0.1:${port}/postgres?host=${home}&sslmode=require`;
    const db = await openPostgres({ url, migrations: [] });
    const ask = () => db.read((sql) => sql.get('SELECT 1 AS one'));
    expect(await ask()).toEqual({ one: 1 });
    await program('pg_ctl', '-D', join(home, 'data'), '-m', 'fast', '-w', 'stop');
    // The first is that of a connection which the server has ended.
    for (let times = 0; times < 3; times++) await expect(ask()).rejects.toBeInstanceOf(DatabaseFailure);
    await db.close();
    expect(await open(url)).toBe(`unavailable: the database ${home}/postgres does not answer; try again`);
  });
});
