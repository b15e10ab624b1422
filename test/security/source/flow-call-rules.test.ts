import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';
import { COMMAND, type Language, linesFound } from './handlers.ts';

/** Which calls a rule is about: by the name, the object, the imports, the arguments and the way they are written. */

const scanner = createSourceScanner();
const SQL = 'source/sql-injection';
const XSS = 'source/cross-site-scripting';
const COOKIE = 'source/insecure-cookie';
const ORIGIN = 'source/cross-origin-access';
const SSRF = 'source/server-side-request-forgery';
const MASS = 'source/mass-assignment';
const TLS = 'source/tls-verification-off';
const RANDOM = 'source/weak-random';
const LOG = 'source/secret-in-log';
const SLOW = 'source/slow-regular-expression';

/** Lines of a rule's findings in a file. */
async function linesIn(rule: string, path: string, lines: readonly string[]): Promise<number[]> {
  const found = await scanner.scan({ path, text: `${lines.join('\n')}\n` }, { deep: true });
  return found.filter(({ id }) => id === rule).map(({ line }) => line ?? 0);
}

/** The last line has a weakness or none. */
const rows = (
  rule: string,
  language: Language,
  cases: readonly (readonly [isFound: boolean, ...lines: string[]])[],
) => cases.map(([isFound, ...lines]) => [rule, language, isFound, lines] as const);

const ANSWER = "new Response(p, { headers: { 'Content-Type'";

test.each([
  // What a sink gives holds nothing of its arguments, except where the sink is about one kind of text.
  ...rows(COMMAND, 'php', [
    [false, 'pcntl_exec(printf("%d", $p));'],
    [false, 'pcntl_exec(sprintf("%d", $p));'],
    [true, 'pcntl_exec(sprintf("%s", $p));'],
    [false, 'pcntl_exec(eval($p));'],
    [true, 'pcntl_exec(array_map("trim", [$p])[0]);'],
    [true, 'pcntl_exec(array_filter([$p])[0]);'],
    [true, 'pcntl_exec(preg_replace("/a/", "b", $p));'],
  ]),
  ...rows(COMMAND, 'javascript', [
    [true, 'exec(new RegExp(p).source);'],
    [true, "exec(p.replace(/(a+)+$/, ''));"],
    [false, 'exec(vm.runInNewContext(p));'],
    [true, "require('mongoose');", 'exec(Object.assign(other, req.body).a);'],
    [true, 'setTimeout(() => exec(p));'],
    [false, "require('typeorm');", 'exec(q.orderBy(p).a);'],
    [true, 'exec(q.orderBy(p).a);'],
  ]),
  ...rows(COMMAND, 'python', [[false, 'os.system(eval(globals=p))']]),
  // What a call makes of each element, where a text that is not known is a weakness.
  ...rows('source/code-injection', 'php', [
    [false, 'eval(array_map(fn($a) => "a", $other));'],
    [false, 'eval(array_map(fn($a) => count($a), $other));'],
    [true, 'eval(array_map(fn($a) => other($a), $other));'],
  ]),
  // The object's type, where its name is another.
  ...rows(SSRF, 'csharp', [
    [true, 'HttpClient x = Other();', 'x.GetAsync(p);'],
    [false, 'Other x = Other();', 'x.GetAsync(p);'],
    [false, 'x.GetAsync(p);'],
    [true, 'client.GetAsync(p);'],
  ]),
  ...rows('source/weak-cipher', 'csharp', [
    [true, 'RSACryptoServiceProvider x = other.key;', 'x.Encrypt(data, false);'],
    [false, 'Other x = other.key;', 'x.Encrypt(data, false);'],
    [false, 'x.Encrypt(data, false);'],
    [true, 'rsa.Encrypt(data, false);'],
  ]),
  // Answers whose type no browser runs scripts in.
  ...rows(XSS, 'javascript', [
    [true, "res.send('<b>' + p);"],
    [false, "res.send({ a: '<b>' + p });"],
    [true, "res.write({ a: '<b>' + p });"],
    [true, 'res.send({ ...req.query, a: 1 });'],
    [true, "res.status(200).send('<b>' + p);"],
    [false, 'res.status(200).send({ a: p });'],
    [false, `${ANSWER}: 'text/plain' } });`],
    [true, `${ANSWER}: 'text/html' } });`],
    [false, 'res.send(1);'],
  ]),
  ...rows(XSS, 'php', [
    [false, 'printf("%d", $p);'],
    [true, 'printf("%s", $p);'],
    [false, 'header("Content-Type: application/json");', 'echo $p;'],
    [true, 'other("Content-Type: application/json");', 'echo $p;'],
    [true, 'header("X-A: application/json");', 'echo $p;'],
    [true, 'header($other);', 'echo $p;'],
    [true, 'header();', 'echo $p;'],
    [true, 'header("Content-Type: application/json");', 'header("Content-Type: text/html");', 'echo $p;'],
  ]),
  // A statement that is prepared, and one that is not.
  ...rows(SQL, 'javascript', [
    [true, "const db = require('mysql').createConnection();", 'db.query(p);'],
    [false, "const db = require('mysql').createConnection();", "db.prepare('select 1').query(p);"],
    [false, "const db = require('mysql').createConnection();", "db.prepareStatement('select 1').query(p);"],
    [true, "const db = require('mysql').createConnection();", "db.prepare('select 1').other().query(p);"],
    [false, "require('mysql');", "prepare('select 1').query(p);"],
    [true, "require('mysql');", "open('select 1').query(p);"],
  ]),
  ...rows(SQL, 'php', [[true, 'mysqli_query($db, $p);']]),
  ...rows('source/nosql-injection', 'javascript', [
    [true, "require('mongodb');", "db.prepare('a').find(req.body);"],
  ]),
  // A call and a construction.
  ...rows(MASS, 'javascript', [
    [true, "require('mongoose');", 'new User(req.body);'],
    [false, "require('mongoose');", 'User(req.body);'],
    [false, "require('mongoose');", 'new User(req.body.a);'],
    [false, "require('other');", 'new User(req.body);'],
    [false, "require('mongoose');", 'new user(req.body);'],
  ]),
  // A search by an expression that may take very long.
  ...rows(SLOW, 'ruby', [
    [true, 'p =~ /^(a+)+$/'],
    [false, 'p =~ /^a+$/'],
    [false, '"aaa" =~ /^(a+)+$/'],
    [true, 'params[:p].strip =~ /^(a+)+$/'],
    [true, 'raise "no" unless p =~ /^(a+)+$/'],
  ]),
  // Names that a call shows.
  ...rows(LOG, 'python', [
    [true, 'print(password)'],
    [true, 'print("a", password)'],
    [true, 'print(password, "a")'],
    [true, 'print("a %s" % password)'],
    [false, 'print("a", "password")'],
    [false, 'print("a")'],
    [false, 'print()'],
    [false, 'show(password)'],
    [true, 'log.debug(password)'],
    [false, 'other.debug(password)'],
  ]),
  // What becomes a secret.
  ...rows(RANDOM, 'javascript', [
    [true, 'setCookie(Math.random());'],
    [true, "setCookie('a', Math.random());"],
    [true, "setCookie('a', [Math.random()]);"],
    [false, 'setCookie(Date.now());'],
    [false, 'makeToken(Date.now());'],
    [true, 'makeToken(String(Date.now()));'],
    [true, 'makeResetToken(Date.now());'],
    [false, 'makeCookie(String(Date.now()));'],
    [false, 'setOther(Math.random());'],
    [true, 'hashSecret(Math.random());'],
    [true, 'other(Math.random()).other; makeSession(Math.random());'],
    [false, "setCookie('a');"],
    [false, 'setCookie();'],
    [false, "const crypto = require('crypto');", 'setCookie(crypto.randomBytes(8));'],
  ]),
  ...rows(RANDOM, 'python', [
    [true, 'import random', 'connect(token=random.random())'],
    [false, 'import random', 'connect(other=random.random())'],
    [false, 'import hashlib', 'set_cookie(hashlib.md5(email).hexdigest())'],
    [true, 'import hashlib, random', 'set_cookie(hashlib.md5(str(random.random())).hexdigest())'],
  ]),
  ...rows(RANDOM, 'java', [
    [true, 'new IvParameterSpec(String.valueOf(Math.random()));'],
    ...['MyIvParameterSpec', 'IvParameterSpecs', 'Spec'].map(
      (name) => [false, `new ${name}(String.valueOf(Math.random()));`] as const,
    ),
  ]),
  ...rows(RANDOM, 'csharp', [
    ...['AesGcm', 'AesCcm', 'ChaCha20Poly1305', 'HMACSHA256', 'HMACSHA512', 'HMACSHA1'].map(
      (name) => [true, `new ${name}(new Random().Next());`] as const,
    ),
    ...['Aes', 'AesGcmOther', 'MyAesGcm', 'ChaCha20', 'HMACSHA', 'HMACSHA2560', 'HMACSHA256Other'].map(
      (name) => [false, `new ${name}(new Random().Next());`] as const,
    ),
  ]),
  // Settings that calls make on an object, one after another.
  ...rows(COOKIE, 'java', [
    [false, 'c.setSecure(true);', 'c.setHttpOnly(true);', 'resp.addCookie(c);'],
    [false, 'c.setHttpOnly(true);', 'c.setSecure(true);', 'resp.addCookie(c);'],
    [true, 'c.setHttpOnly(true);', 'c.setPath("/");', 'resp.addCookie(c);'],
    [true, 'other.setSecure(true);', 'resp.addCookie(c);'],
    [true, 'other.c.setSecure(true);', 'resp.addCookie(c);'],
    [true, 'resp.addCookie(c);'],
  ]).map(([rule, language, isFound, lines]) => {
    return [rule, language, isFound, ['Cookie c = new Cookie("session", "a");', ...lines]] as const;
  }),
  ...rows(XSS, 'go', [
    [false, 'w.Header().Set("Content-Type", "text/plain")', 'w.Write([]byte(p))'],
    [true, 'other.Header().Set("Content-Type", "text/plain")', 'w.Write([]byte(p))'],
    [true, 'w.Header().Get("Content-Type", "text/plain")', 'w.Write([]byte(p))'],
    [true, 'w.Header().Set("X-A", "text/plain")', 'w.Write([]byte(p))'],
  ]),
  ...rows(COOKIE, 'csharp', [
    [false, 'new CookieOptions { Secure = true, HttpOnly = true };'],
    [true, 'new CookieOptions { Secure = false, HttpOnly = true };'],
  ]),
  ...rows(ORIGIN, 'csharp', [
    [true, 'b.SetIsOriginAllowed(o => true).AllowCredentials();'],
    [false, 'b.SetIsOriginAllowed(o => o == "a").AllowCredentials();'],
    [true, 'b.AllowAnyOrigin().AllowCredentials();'],
    [true, 'b.AllowAnyOrigin().AllowAnyMethod().AllowCredentials();'],
    [true, 'b.AllowAnyOrigin();', 'b.AllowCredentials();'],
    [false, 'b.AllowAnyOrigin();', 'c.AllowCredentials();'],
    [false, 'b.AllowCredentials();'],
  ]),
])('%s in %s (%s): %j', async (rule, language, isFound, lines) => {
  const found = await linesFound(rule, language, lines);
  expect([...new Set(found)]).toEqual(isFound ? [lines.length] : []);
});

test('a secret that can be predicted shows where it is used', async () => {
  const text = "const token = 'a';\nsetCookie('a',\n  Math.random());\n";
  const [found] = await scanner.scan({ path: 'a.js', text }, { deep: true });
  expect(found).toMatchObject({ id: RANDOM, line: 3 });
  expect(found?.trace?.map(({ line, note }) => [line, note])).toEqual([
    [3, 'the output of random() can be predicted'],
    [2, 'used as a secret here'],
    [3, found?.title],
  ]);
  const java = 'class A { void b() {\nbyte[] b = new byte[8];\nnew java.util.Random().nextBytes(b);\n';
  const [filled] = await scanner.scan(
    { path: 'A.java', text: `${java}byte[] token = b;\n} }\n` },
    { deep: true },
  );
  expect(filled?.trace?.[0]).toMatchObject({ line: 3, note: 'the output of nextBytes() can be predicted' });
});

const TRUSTS = ['import javax.net.ssl.*;', 'import java.security.cert.X509Certificate;'];
const CHECK = 'public void checkServerTrusted(X509Certificate[] chain, String type) ';
const CHECKS = `${CHECK}{ other(chain); }`;
const CHECKS_CLIENT =
  'public void checkClientTrusted(X509Certificate[] chain, String type) { other(chain); }';

test.each<[name: string, found: readonly number[], lines: readonly string[]]>([
  ['a class with an empty check', [4], ['class A implements X509TrustManager {', `${CHECK}{ }`, '}']],
  ['a class with a check', [], ['class A implements X509TrustManager {', CHECKS, '}']],
  ['a class that extends one', [4], ['class A extends X509ExtendedTrustManager {', `${CHECK}{ }`, '}']],
  [
    'a class with the full name',
    [4],
    ['class A implements javax.net.ssl.X509TrustManager {', `${CHECK}{ }`, '}'],
  ],
  ['a class with a field', [5], ['class A implements X509TrustManager {', 'int a = 1;', `${CHECK}{ }`, '}']],
  ['another class', [], ['class A implements Other {', `${CHECK}{ }`, '}']],
  ['another method', [], ['class A implements X509TrustManager {', 'public void check() { }', '}']],
  [
    'an object',
    [7],
    [
      ...['class A {', 'Object b = new X509TrustManager() {', CHECKS_CLIENT],
      ...['', `${CHECK}{ }`, '};', '}'],
    ],
  ],
  [
    'an object with a check',
    [],
    ['class A {', 'Object b = new X509TrustManager() {', CHECKS_CLIENT, CHECKS, '};', '}'],
  ],
])('a check of certificates that does nothing is found in %s', async (_, found, lines) => {
  const all = await scanner.scan({ path: 'A.java', text: [...TRUSTS, ...lines].join('\n') }, { deep: true });
  const own = all.filter(({ id, severity }) => id === TLS && severity !== 'info');
  expect(own.map(({ line }) => line)).toEqual(found);
});

test('a class of C# checks certificates by the name of its base, whatever stands before it', async () => {
  const checked = (base: string) =>
    linesIn(TLS, 'A.cs', [
      `class A : ${base} {`,
      'public override void Validate(X509Certificate2 certificate) { }',
      '}',
    ]);
  expect(await checked('X509CertificateValidator')).toEqual([2]);
  expect(await checked('System.IdentityModel.Selectors.X509CertificateValidator')).toEqual([2]);
  expect(await checked('X509CertificateValidator.Other')).toEqual([]);
});

test('a rule about an argument by its name is about the call', async () => {
  const made = (...lines: string[]) =>
    linesIn(TLS, 'A.cs', ['using System.Net.Http;', 'class A { void B() {', ...lines, '} }']);
  expect(
    await made(
      'var h = new HttpClientHandler {',
      '  ServerCertificateCustomValidationCallback =',
      '    (a, b, c, d) => true };',
    ),
  ).toHaveLength(1);
  expect(
    await made(
      'var h = new HttpClientHandler {',
      '  ServerCertificateCustomValidationCallback =',
      '    (a, b, c, d) => d == 0 };',
    ),
  ).toEqual([]);
  expect(await made('var h = new HttpClientHandler(other: 1);')).toEqual([]);
});

const ENTITY = (line: string, using = 'Microsoft.EntityFrameworkCore') =>
  linesIn(SQL, 'A.cs', [
    `using ${using}; using Microsoft.AspNetCore.Mvc;`,
    'public class AController : Controller { public IActionResult Get(string p) {',
    line,
    'return Ok(); } }',
  ]);

test.each([
  [false, 'db.Users.FromSql($"select a from b where c = {p}");'],
  [false, 'db.Database.ExecuteSql($"delete from b where c = {p}");'],
  [false, 'db.Database.ExecuteSqlAsync($"delete from b where c = {p}");'],
  [false, 'db.Database.SqlQuery($"select a from b where c = {p}");'],
  [true, 'db.Users.FromSqlRaw($"select a from b where c = {p}");'],
  [true, 'db.Database.ExecuteSqlRaw($"delete from b where c = {p}");'],
  [true, 'db.Database.ExecuteSqlRawAsync($"delete from b where c = {p}");'],
  [true, 'db.Users.FromSql("select a from b where c = " + p);'],
  [true, 'db.Users.FromSql(p);'],
  [false, 'db.Users.FromSql();'],
  [true, 'db.Users.FromSql(string.Format("select a from b where c = {0}", p));'],
])(
  'a statement of Entity Framework is found where its values are part of it (%s): %s',
  async (isFound, line) => {
    expect(await ENTITY(line)).toEqual(isFound ? [3] : []);
  },
);

test('a statement of another framework takes no values by interpolation', async () => {
  expect(await ENTITY('db.Users.FromSql($"select a from b where c = {p}");', 'Other')).toEqual([3]);
});

const IMPLEMENTS = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `app/M${at}.java`,
      `package app;\npublic class M${at} implements Maker { public String make(String s) { return "${at}"; } }\n`,
    ]),
  );
const MAKER = 'package app;\npublic interface Maker { String make(String s); }\n';

/** The classes of which a scan of several files says that it did not try all. */
async function cutIn(count: number, line: string): Promise<readonly string[]> {
  const handler = `package app;
import javax.servlet.http.*;
public class A extends HttpServlet {
  private Maker maker;
  public void doGet(HttpServletRequest req, HttpServletResponse resp) throws Exception {
    String p = req.getParameter("p");
    ${line}
  }
}
`;
  const files = { ...IMPLEMENTS(count), 'app/Maker.java': MAKER, 'app/A.java': handler };
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  return (await scanner.together?.scan(all, { deep: true }, () => undefined))?.cut ?? [];
}

test('a class of which not all implementations were tried is named where data from outside reaches it', async () => {
  expect(await cutIn(5, 'maker.make(p);')).toEqual(['Maker']);
  expect(await cutIn(5, 'maker.make("a", p);')).toEqual(['Maker']);
  expect(await cutIn(4, 'maker.make(p);')).toEqual([]);
  expect(await cutIn(5, 'maker.make("a");')).toEqual([]);
  expect(await cutIn(5, 'maker.make();')).toEqual([]);
  expect(await cutIn(5, 'maker.make("a"); other(p);')).toEqual([]);
  expect(await cutIn(5, 'other(p); } String b(String q) { return maker.make(q);')).toEqual([]);
});

test.each([
  [1, 'other: db'],
  [0, 'other: Other'],
  [0, 'other'],
])('%i: the type of an object stands for its name in a rule: %s', async (count, parameter) => {
  const text = `import 'sqlite3';\nfunction f(${parameter}, q) { other.all('select a from b where c = ' + q); }`;
  expect(await linesIn(SQL, 'a.ts', text.split('\n'))).toHaveLength(count);
});

/** Commands in the methods of a Java class with these members. */
const inJava = (...members: string[]) =>
  linesIn(COMMAND, 'A.java', [
    'import javax.servlet.http.*;',
    'public class A extends HttpServlet {',
    ...members,
    '}',
  ]);
const DO_GET = 'public void doGet(HttpServletRequest req, HttpServletResponse resp) throws Exception {';

test('a source is a method of a type, where the object has another name', async () => {
  const run = (type: string, method: string) =>
    inJava(
      `private ${type} r;`,
      'void f() throws Exception {',
      `Runtime.getRuntime().exec(r.${method}("p"));`,
      '}',
    );
  expect(await run('HttpServletRequest', 'getParameter')).toEqual([5]);
  expect(await run('HttpServletRequest', 'other')).toEqual([]);
  expect(await run('Other', 'getParameter')).toEqual([]);
  const local = (type: string) =>
    inJava(DO_GET, `${type} w = req;`, 'Runtime.getRuntime().exec(w.getParameter("p"));', '}');
  expect(await local('HttpServletRequest')).toEqual([5]);
  expect(await local('Other')).toEqual([5]);
});

test('a method of the class is called by its name alone in Java', async () => {
  const own = (body: string, call: string) =>
    inJava(`String q(String a) { ${body} }`, DO_GET, `Runtime.getRuntime().exec(${call});`, '}');
  expect(await own('return "a";', 'q(req.getParameter("p"))')).toEqual([]);
  expect(await own('return a;', 'q(req.getParameter("p"))')).toEqual([5]);
  expect(await own('return "a";', 'r(req.getParameter("p"))')).toEqual([5]);
});

test('a class of another file is made by its name in the module', async () => {
  const takenBack = async (line: string) => {
    const text = `const { exec } = require('child_process');\nconst f = require('./f');\nrequire('express')().get('/', (req, res) => {\n  ${line}\n});\n`;
    const own = "class A { constructor(a) { this.b = 'a'; this.c = a; } }\nmodule.exports = { A };\n";
    const files = [
      { path: 'a.js', text },
      { path: 'f.js', text: own },
    ];
    return (await scanner.together?.scan(files, { deep: true }, () => undefined))?.refuted?.length;
  };
  expect(await takenBack('exec(new f.A(req.query.a).b);')).toBe(1);
  expect(await takenBack('exec(new f.A(req.query.a).c);')).toBe(0);
  expect(await takenBack('exec(new f.B(req.query.a).b);')).toBe(0);
});
