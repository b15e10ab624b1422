import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { UnmaskedFinding } from '../../../src/security/findings/hide.ts';
import { TOKEN_RULES } from '../../../src/security/scanners/secrets/token-rules.ts';
import { createSecretsScanner } from '../../../src/security/scanners/secrets.ts';
import { draw, jwt, WORD } from './draw.ts';
import { TOKEN_SAMPLES } from './token-samples.ts';

const scanner = createSecretsScanner();

async function scan(path: string, text: string): Promise<readonly UnmaskedFinding[]> {
  return scanner.scan({ path, text }, { deep: false });
}

async function ids(path: string, text: string): Promise<string[]> {
  return (await scan(path, text)).map(({ id }) => id);
}

describe('tokens with a known format', () => {
  test('every rule has its samples', () => {
    const named = TOKEN_RULES.map(({ id }) => id.replace('secrets/', ''));
    expect(Object.keys(TOKEN_SAMPLES).sort()).toEqual(named.sort());
  });

  test.each(TOKEN_RULES)('$id', async ({ id, severity, cwe }) => {
    const { found, not } = TOKEN_SAMPLES[id.replace('secrets/', '')] ?? { found: '', not: '' };
    const findings = await scan('src/start.py', `# start\n${found}`);
    expect(findings).toContainEqual(expect.objectContaining({ id, severity, cwe: [cwe], line: 2 }));
    expect(await ids('src/start.py', `# start\n${not}`)).not.toContain(id);
  });

  test('are less severe in tests, and are not reported in lock files', async () => {
    const { found = '' } = TOKEN_SAMPLES['gitlab-token'] ?? {};
    expect(await scan('test/fixtures/push.py', found)).toMatchObject([{ severity: 'medium' }]);
    expect(await scan('package-lock.json', found)).toEqual([]);
  });
});

test.each([
  ['a.json', (begin: string, key: string, end: string) => `{"key":"${begin}\\n${key}\\n${end}\\n"}`],
  ['a.env', (begin: string, key: string) => `KEY="${begin} ${key}"`],
  [
    'a.conf',
    (begin: string, key: string, end: string) => `${begin} ${key.slice(0, 700)}\n${key.slice(700)}\n${end}\n`,
  ],
])('a finding in %s shows nothing of a long private key', async (path, write) => {
  const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} ${'PRIVATE'} KEY-----`);
  const key = Array.from({ length: 400 }, (_, at) => `k${String(at).padStart(3, '0')}`).join('');
  const findings = await scan(path, write(begin ?? '', key, end ?? ''));
  expect(findings).toMatchObject([{ id: 'secrets/private-key', line: 1 }]);
  expect(findings[0]?.excerpt).not.toMatch(/k\d/);
});

const RANDOM = ['q7Zr2', 'LmX9v', 'Tb4Ks', '8wYpD', '3hNc'].join('');
const CHOSEN = ['blue', 'Ostrich', '77'].join('');
/** Drawn, and too short for what is random anywhere. */
const DRAWN = ['kT9w', 'q2Lx', 'Zb7pQm'].join('');

/** What a value is given to, in which file, and which rule reports it; none where it is not a secret. */
const GIVEN: readonly (readonly [path: string, line: string, rule: string | undefined])[] = [
  ['.env', `DB_PASSWORD=${CHOSEN}`, 'password'],
  ['.env', `export SERVICE_API_KEY='${RANDOM}' # of the shop`, 'assigned-secret'],
  ['config/app.yml', `  secret_key_base: ${RANDOM}${RANDOM}`, 'assigned-secret'],
  ['deploy.json', `{"host": "files.acme.dev", "password": "swordfish"}`, 'password'],
  ['servers.xml', `<Host>files.acme.dev</Host>\n<Pass encoding="plain">${CHOSEN}</Pass>`, 'password'],
  ['servers.xml', `<server host="files.acme.dev" password="${CHOSEN}"/>`, 'password'],
  ['.netrc', `machine files.acme.dev login ada password ${CHOSEN}`, 'password'],
  ['.mailrc', `username "ada@acme.dev"\npassword "${CHOSEN}"`, 'password'],
  ['app.ini', `AdminPassword = ${CHOSEN}`, 'password'],
  ['main.tf', `  admin_password = "${CHOSEN}"`, 'password'],
  ['settings.py', `SECRET_KEY = '${RANDOM}'`, 'assigned-secret'],
  [
    'Store.cs',
    `var sql = "update c set password = '" + Codec.Write1(secret2) + "' where id = 17" ;`,
    undefined,
  ],
  ['Debug.java', 'out.append("Token: ").append(shown1(token2)).append("17\\n");', undefined],
  ['src/db.php', `define('DB_PASSWORD', '${CHOSEN}');`, 'password'],
  ['src/mail.ts', `const smtpPassword: string = "${CHOSEN}";`, 'password'],
  ['src/Mail.java', `private static final String API_TOKEN = "${RANDOM}";`, 'assigned-secret'],
  ['src/mail.go', `apiKey := "${RANDOM}"`, 'assigned-secret'],
  ['src/mail.rb', `client.configure(api_key: "${RANDOM}")`, 'assigned-secret'],
  ['src/mail.js', `headers: { 'x-api-key': '${RANDOM}' }`, 'assigned-secret'],
  ['run.sh', `mysql --user=root --password=${CHOSEN}`, 'command-login'],
  ['run.sh', `mysql -u root -p${CHOSEN} shop`, 'command-login'],
  ['run.sh', `curl -s -u 'ada:${CHOSEN}' https://files.acme.dev`, 'command-login'],
  ['run.sh', `curl --user=ada:${CHOSEN} https://files.acme.dev`, 'command-login'],
  ['run.sh', `curl https://files.acme.dev \\\n  -H "X-Api-Key: ${RANDOM}"`, 'command-login'],
  ['src/deploy.py', `os.system("sshpass -p ${CHOSEN} ssh ada@files.acme.dev")`, 'command-login'],
  ['README.md', `Run \`curl -H 'Authorization: Bearer ${RANDOM}' https://acme.dev\` first.`, 'command-login'],
  ['ci.yml', `run: docker login registry.acme.dev -u ada -p ${CHOSEN}`, 'command-login'],
  ['nuget.config', `<add key="ClearTextPassword" value="${CHOSEN}" />`, 'nuget-password'],
  ['README.md', `SERVICE_API_KEY=${RANDOM}`, 'assigned-secret'],
  ['notes.txt', `the password is set by\nservice_token: "${RANDOM}"`, 'assigned-secret'],
  ['notes.txt', `Algolia admin key = ${RANDOM.toLowerCase().slice(0, 24)}z81kq02m`, 'service-key'],
  ['src/pay.go', `lookerSecret := "${RANDOM.toLowerCase().slice(0, 24)}"`, 'service-key'],
  ['docker-compose.yml', `      - POSTGRES_PASSWORD=${CHOSEN}`, 'password'],
  ['app.yml', `uri: "mongodb://ada:${CHOSEN}@data.acme.dev:27017/main"`, 'url-login'],
  ['app.yml', `uri: "mongodb+srv://ada:${CHOSEN}@shop.x1y2z.mongodb.net/main"`, 'url-login'],
  ['app.yml', `uri: "amqp://ada:${CHOSEN}@10.3.0.17:5672"`, 'url-login'],
  ['src/db.js', `connect("postgres://ada:${RANDOM}@localhost:5432/shop")`, 'url-login'],
  ['README.md', `postgres://ada:${RANDOM}@data.acme.dev/shop`, 'url-login'],
  ['README.md', `mongodb+srv://ada:${DRAWN}@shop.x1y2z.mongodb.net/main`, 'url-login'],
  ['notes.txt', `redis://:${DRAWN}@10.3.0.17:6379`, 'url-login'],
  ['run.sh', `PGPASSWORD=${CHOSEN} psql -h data.acme.dev shop`, 'password'],
  ['run.sh', `docker run -e MYSQL_ROOT_PASSWORD=${CHOSEN} mysql:9`, 'password'],
  ['appsettings.json', `"Shop": "Server=data.acme.dev;User Id=ada;Password=${CHOSEN};"`, 'connection-login'],
  ['src/Db.cs', `var c = "Host=data.acme.dev;Username=ada;Password=${CHOSEN}";`, 'connection-login'],
  ['src/Db.java', `u = "jdbc:mysql://data.acme.dev/shop?user=ada&password=${CHOSEN}";`, 'connection-login'],
  ['README.md', `"Server=data.acme.dev;User Id=ada;Password=${DRAWN};"`, 'connection-login'],
  ['.git-credentials', `https://ada:${CHOSEN}@git.acme.dev`, 'url-login'],
  ['db/.pgpass', `localhost:5432:shop:ada:${CHOSEN}`, 'pgpass'],
  ['README.md', `see https://feeds.acme.dev/all?token=${RANDOM}&page=2)`, 'assigned-secret'],
  ['README.md', `\`\`\`js\nconst apiKey = '${RANDOM}';\n\`\`\``, 'assigned-secret'],
  ['README.md', `\`\`\`sh\nexport API_KEY=${RANDOM}\n\`\`\``, 'assigned-secret'],
  ['README.md', `\`\`\`\nAPI_KEY=${RANDOM}\n\`\`\``, 'assigned-secret'],
  ['README.md', `\`\`\`ts\nf();\n\`\`\`\nAPI_KEY=${RANDOM}`, 'assigned-secret'],
  ['README.md', `API_KEY=${RANDOM.slice(0, 12)}(${RANDOM.slice(12)}`, 'assigned-secret'],
  ['config/master.key', `${'3f'.repeat(4)}a09c4b17d2e85f60b3d1c7e4`, 'master-key'],

  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference as shells write it
  ['.env', 'DB_PASSWORD=${SHOP_DB_PASSWORD}', undefined],
  ['.env', 'DB_PASSWORD=$SHOP_DB_PASSWORD', undefined],
  ['.env', 'API_KEY=your-api-key-here', undefined],
  ['.env', 'API_KEY=<key>', undefined],
  ['.env', 'DB_PASSWORD=', undefined],
  ['.env', 'DB_PASSWORD=xxxxxxxx', undefined],
  ['.env', 'TOKEN_LIFETIME=86400', undefined],
  ['.env', 'PASSWORD_RESET_URL=https://acme.dev/reset/1a2b3c4d5e6f', undefined],
  ['app.yml', 'password: {{ vault_password }}', undefined],
  ['app.yml', 'password: !vault |\n  6438', undefined],
  ['app.yml', 'private_key: /etc/ssl/private/server2.key', undefined],
  ['schema.json', '{"password": {"type": "string"}, "secret": "string"}', undefined],
  ['locales/de.json', '{"login": "Anmelden", "password": "Passwort2"}', undefined],
  ['src/form.ts', 'const passwordField = "password";', undefined],
  ['src/form.ts', 'if (password === "hunter27") return;', undefined],
  ['src/form.ts', 'const password = form.get("password1");', undefined],
  ['src/form.ts', 'label: { password: "Enter a password with 8 characters" }', undefined],
  ['src/charts.ts', "const COLOURS = { pass: '#1a7f37' };", undefined],
  ['src/charts.ts', "const COLOURS = { pass: '#1a7f3z' };", 'password'],
  ['src/lexer.ts', 'const token = "identifier-or-keyword-with-2-parts";', undefined],
  ['src/lexer.py', 'next_token = "Zq81LmX9vTb4Ks8wYp"', undefined],
  ['src/auth.py', 'token = os.environ["TOKEN"]', undefined],
  ['src/auth.py', 'api_key = f"{prefix}-{account}-{number:04d}"', undefined],
  ['src/auth.go', 'const grantToken = "urn:ietf:params:oauth:token-type:id_token2"', undefined],
  ['src/db.py', 'url = "postgresql://user:pass@localhost/test"', undefined],
  ['src/db.py', 'url = "postgresql://scott:tiger@host:port/name"', undefined],
  ['README.md', `DB_PASSWORD=${CHOSEN}`, undefined],
  ['README.md', `postgres://ada:${CHOSEN}@data.acme.dev/shop`, undefined],
  ['README.md', `mongodb+srv://ada:${DRAWN}@cluster.example.com/main`, undefined],
  ['README.md', `redis://:${DRAWN}@localhost:6379`, undefined],
  ['README.md', 'postgres://ada:MyP4ssw0rd123@data.acme.dev/shop', undefined],
  ['README.md', `"Server=data.acme.dev;User Id=ada;Password=${CHOSEN};"`, undefined],
  ['src/Db.cs', 'var c = "Server=data.acme.dev;User Id=ada;Password={0};";', undefined],
  ['src/Db.cs', 'var c = "Server=data.acme.dev;User Id=ada;Password=" + word + ";";', undefined],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference as shells write it
  ['run.sh', 'PGPASSWORD=${SHOP_PASSWORD} psql -h data.acme.dev shop', undefined],
  ['README.md', 'curl -u user:password https://files.acme.dev', undefined],
  [
    'README.md',
    `[![cover](https://cover.dev/graph/badge.svg?token=${RANDOM})](https://cover.dev/shop)`,
    undefined,
  ],
  ['README.md', '[cover](https://cover.dev/shop?token=Zq81LmX9v)](https://cover.dev/shop/a/b)', undefined],
  ['README.md', '```ts\nconst credential = identity.fromX509V3({\n  a,\n});\n```', undefined],
  ['README.md', 'const auth = { token: "ghp_PersonalAccessToken01245678900000000" };', undefined],
  ['README.md', 'const credential = identity.fromX509V3({', undefined],
  ['README.md', '```py\napi_key = keys.vault2[names[0]] or keys.vault2[names[1]]\n```', undefined],
  ['README.md', '~~~go\nsecretKey := sha256.Sum256(in[4:]).x1.y2\n~~~', undefined],
  ['run.sh', 'curl -u "$FILES_USER:$FILES_PASSWORD" https://files.acme.dev', undefined],
  ['run.sh', 'docker run -p 8080:80 acme/shop', undefined],
  ['run.sh', 'mysql -u root -p shop2024', undefined],
  ['src/db.js', `connect("postgres://ada:${CHOSEN}@localhost:5432/shop")`, undefined],
  ['src/blob.ts', `const blobId = "${RANDOM.toLowerCase().slice(0, 24)}";`, undefined],
  ['test/mail.test.ts', `const smtpPassword = "${CHOSEN}";`, undefined],
  ['dist/app.min.js', `a={password:"${CHOSEN}"}`, undefined],
];

test.each(GIVEN)('%s: %s', async (path, line, rule) => {
  const found = await ids(path, `# before\n${line}\n# after\n`);
  expect(found).toEqual(rule === undefined ? [] : [`secrets/${rule}`]);
});

test('an expired or invalid token is low, and the finding says why', async () => {
  const expired = jwt({ sub: '4711', exp: 1_700_000_000 });
  expect(await scan('src/a.py', `token = x(${expired})`)).toMatchObject([
    { severity: 'low', description: expect.stringContaining('It ended on 2023-11-14') },
  ]);
  expect(await scan('src/a.py', `ghp_${draw(WORD, 36)}`)).toMatchObject([
    {
      id: 'secrets/github-token',
      severity: 'low',
      description: expect.stringContaining('checksum does not fit'),
    },
  ]);
});

test('a finding reveals nothing of the secret', async () => {
  const text =
    GIVEN.map(([, line]) => line).join('\n') +
    Object.values(TOKEN_SAMPLES)
      .map(({ found }) => found)
      .join('');
  const findings = await scan('.env', text);
  expect(findings.length).toBeGreaterThan(60);
  const said = JSON.stringify(findings.map(({ identity: _, hides: __, ...rest }) => rest));
  expect(said).not.toContain(CHOSEN);
  expect(said).not.toContain(RANDOM);
  // What can be guessed has no digest either.
  const chosen = await scan('.env', `DB_PASSWORD=${CHOSEN}`);
  expect(chosen).toMatchObject([{ identity: `DB_PASSWORD ${CHOSEN.length}` }]);
});

test('the fingerprint stays when the line moves, and changes with the secret', async () => {
  const at = async (text: string) => (await scan('.env', text)).map(({ identity }) => identity);
  const line = `SERVICE_API_KEY=${RANDOM}`;
  expect(await at(`\n\n\n${line}`)).toEqual(await at(line));
  expect(await at(`${line}9`)).not.toEqual(await at(line));
});

test('binary files are not scanned', () => {
  expect(['logo.png', 'a/b.sqlite', 'x.wasm'].map((path) => scanner.wants(path))).toEqual([
    false,
    false,
    false,
  ]);
  expect(['.env', 'hub', 'a.py', 'id_rsa'].map((path) => scanner.wants(path))).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

/** Two megabytes of what a backtracking expression would choke on: hours where it is quadratic, a second where not. */
const HOSTILE: readonly (readonly [name: string, unit: string])[] = [
  ['names', 'password_token_key_secret'],
  ['an endless name', 'pass'],
  ['separators', 'password = '],
  ['quotes', 'password="'],
  ['addresses', 'http://a:'],
  ['logins', 'http://a:bbb@'],
  ['a token without end', 'eyJhbGciOiJIUzI1NiJ9.eyJ'],
  ['hashes', '$2y$12$'],
  ['keys', '-----BEGIN RSA PRIVATE KEY-----\n'],
  ['backslashes', 'password="\\\\'],
  ['elements', '<password a='],
  ['one letter', 'a'],
  ['blanks', 'password  \t '],
  ['base64', 'AccountKey='],
  ['commands', 'curl -u '],
  ['commands with quotes', 'curl "'],
  ['names of services', 'discord: '],
];

test.each(HOSTILE)('hostile: %s', async (_, unit) => {
  const text = unit.repeat(Math.ceil(2_000_000 / unit.length));
  expect((await scan('.env', text)).length).toBeLessThanOrEqual(300);
});

test('a private key is low in tests and documents, and critical elsewhere', async () => {
  const { found = '' } = TOKEN_SAMPLES['private-key'] ?? {};
  const severity = async (path: string) => (await scan(path, found))[0]?.severity;
  for (const path of [
    'test/tls/server.key',
    'README.md',
    'src/jvmTest/kotlin/acme/Keys.kt',
    'src/it/java/acme/Keys.java',
  ])
    expect([path, await severity(path)]).toEqual([path, 'low']);
  for (const path of ['deploy/server.key', 'src/main/kotlin/acme/latestTest/Keys.kt'])
    expect([path, await severity(path)]).toEqual([path, 'critical']);
});

test('a complete, unencrypted private key in a document is high', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = (options: object = {}) =>
    privateKey.export({ type: 'pkcs8', format: 'pem', ...options }).toString();
  const key = pem();
  const severity = async (text: string, path = 'notes.txt') => (await scan(path, text))[0]?.severity;
  expect(await severity(key)).toBe('high');
  const short = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  expect(await severity(short)).toBe('high');
  expect(await severity(`# Deploying\n\n${key.replaceAll(/^/gm, '    ')}`, 'README.md')).toBe('high');
  expect(await severity(`<td>"${key.replaceAll('\n', '\\n')}"</td>`, 'key.html')).toBe('high');
  expect(await severity(key, 'test/notes.txt')).toBe('low');
  expect(await severity(key.replace(/\n(\w{20})\w{8}/, '\n$1'))).toBe('low');
  expect(await severity(key.replace(/-----END.*/, ''))).toBe('low');
  expect(await severity(pem({ cipher: 'aes-256-cbc', passphrase: 'x' }))).toBe('low');
});

test('a private key in a document is low beside its certificate for one day or for localhost', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const certificate = (
    until: string,
    name: string,
    spki = publicKey.export({ type: 'spki', format: 'der' }),
  ) => {
    const body = Buffer.concat([
      Buffer.from([0x30, 0x1e, 0x17, 13]),
      Buffer.from('180713120432Z'),
      Buffer.from([0x17, 13]),
      Buffer.from(`${until}Z`),
      Buffer.from([0x06, 0x03, 0x55, 0x04, 0x03, 0x0c, name.length]),
      Buffer.from(name),
      spki,
    ]).toString('base64');
    return `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
  };
  const severity = async (text: string) => (await scan('README.md', `${text}${key}`))[0]?.severity;
  expect(await severity(certificate('180714120432', 'shop.acme.dev'))).toBe('low');
  expect(await severity(certificate('280714120432', 'localhost'))).toBe('low');
  expect(await severity(certificate('280714120432', 'shop.acme.dev'))).toBe('high');
  expect(await severity(certificate('180714120432', 'localhost', randomBytes(91)))).toBe('high');
});

test('an OpenSSH key is complete when all its parts are there and it has no passphrase', async () => {
  const part = (bytes: Buffer | string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, Buffer.from(bytes)]);
  };
  const write = (cipher: string, rest = Buffer.alloc(0)) => {
    const bytes = Buffer.concat([
      Buffer.from('openssh-key-v1\0'),
      ...[cipher, 'none', ''].map(part),
      Buffer.from([0, 0, 0, 1]),
      part(randomBytes(51)),
      part(Buffer.concat([Buffer.from('abcdabcd'), randomBytes(120)])),
      rest,
    ]);
    const kind = `OPENSSH ${'PRIVATE'} KEY-----`;
    return `-----BEGIN ${kind}\n${bytes.toString('base64').replaceAll(/.{70}/g, '$&\n')}\n-----END ${kind}\n`;
  };
  const severity = async (text: string) => (await scan('login.md', text))[0]?.severity;
  expect(await severity(write('none'))).toBe('high');
  expect(await severity(write('aes256-ctr'))).toBe('low');
  expect(await severity(write('none', Buffer.from('x')))).toBe('low');
});

test('a password equal to the user name is low', async () => {
  const compose = (password: string) =>
    `environment:\n  - MYSQL_USER=petshop\n  - MYSQL_PASSWORD=${password}\n  - MYSQL_DATABASE=petshop\n`;
  expect(await scan('compose.yml', compose('petshop'))).toMatchObject([
    { id: 'secrets/password', severity: 'low' },
  ]);
  expect(await scan('compose.yml', compose(CHOSEN))).toMatchObject([{ severity: 'medium' }]);
});

test.each(['firstPass', 'hwScaleFilterSecondPass', 'renderPass', 'two_pass'])(
  'the text called %s is not a password',
  async (name) => {
    expect(await scan('src/a.cs', `var ${name} = "vpp_qsv=w=1280:h=720:format=nv12,${RANDOM}";`)).toEqual([]);
  },
);

test('a public key token is public', async () => {
  const token = ['96d09a1eb7', 'f44a77'].join('');
  const reference = `<assemblyIdentity name="nunit.framework" publicKeyToken="${token}" culture="neutral"/>`;
  expect(await scan('src/App.config', reference)).toEqual([]);
});
