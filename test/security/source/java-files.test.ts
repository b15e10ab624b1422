import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

/** What files of a Java program say of each other: helpers, interfaces, settings. */

const scanner = createSourceScanner();

/** `rule file:line`, after what several files say together is brought in. */
async function found(files: Readonly<Record<string, string>>): Promise<string[]> {
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  const groups = all.filter(({ path }) => scanner.together?.groupsOf(path).includes('Java'));
  const out = new Set<string>();
  const key = (one: { id: string; path?: string; line?: number }) =>
    `${one.id.replace('source/', '')} ${one.path}:${one.line}`;
  for (const file of all.filter(({ path }) => scanner.wants(path)))
    for (const one of await scanner.scan(file, { deep: true })) out.add(key(one));
  const together = await scanner.together?.scan(groups, { deep: true }, () => undefined);
  for (const one of together?.refuted ?? []) out.delete(key(one));
  for (const one of together?.findings ?? []) out.add(key(one));
  return [...out].sort();
}

const HEAD = 'package app;\nimport javax.servlet.http.*;\n';
const handler = (body: string) => `${HEAD}public class Handler extends HttpServlet {
  public void doPost(HttpServletRequest request, HttpServletResponse response) throws Exception {
${body}
  }
}
`;

const DIGEST = `    java.util.Properties settings = new java.util.Properties();
    settings.load(this.getClass().getClassLoader().getResourceAsStream("app.properties"));
    String name = settings.getProperty("digest.first", "SHA-512");
    java.security.MessageDigest.getInstance(name);
    String other = settings.getProperty("digest.second", "MD5");
    java.security.MessageDigest.getInstance(other);`;

test('the algorithm name comes from the settings file, not from the default in the code', async () => {
  const files = { 'src/main/java/app/Handler.java': handler(DIGEST) };
  const text = 'digest.first = MD5\ndigest.second=SHA-256\n';
  expect(await found({ ...files, 'src/main/resources/app.properties': text })).toEqual([
    'weak-hash src/main/java/app/Handler.java:8',
  ]);
  expect(await found({ ...files, 'src/main/java/app/Other.java': 'package app; class Other {}' })).toEqual([
    'weak-hash src/main/java/app/Handler.java:10',
  ]);
});

test('a setting with two different values in two files is unknown', async () => {
  const files = {
    'src/main/java/app/Handler.java': handler(DIGEST),
    'src/main/resources/a.properties': 'digest.first=MD5\ndigest.second=MD5\n',
    'src/main/resources/b.properties': 'digest.first=SHA-256\ndigest.second=SHA-256\n',
  };
  expect(await found(files)).toEqual(['weak-hash src/main/java/app/Handler.java:10']);
});

const ASK = `package app;
import javax.servlet.http.HttpServletRequest;
public class Ask {
  private HttpServletRequest request;
  public Ask(HttpServletRequest request) { this.request = request; }
  public String param(String name) { return request.getParameter(name); }
  public String value(String name) { return "fixed"; }
}
`;
const MAKERS = {
  'app/Maker.java': 'package app;\npublic interface Maker { String make(String s); }\n',
  'app/Plain.java':
    'package app;\npublic class Plain implements Maker { public String make(String s) { return s; } }\n',
  'app/Built.java':
    'package app;\npublic class Built implements Maker { public String make(String s) { return new StringBuilder(s).toString(); } }\n',
  'app/Makers.java': `package app;
public class Makers {
  public static Maker create() throws Exception {
    return (Maker) Class.forName(System.getProperty("maker")).getDeclaredConstructor().newInstance();
  }
}
`,
  'app/Base.java': `package app;
public class Base {
  public static java.sql.Statement statement() throws java.sql.SQLException {
    return java.sql.DriverManager.getConnection("jdbc:h2:mem").createStatement();
  }
  public static String shell() {
    if (System.getProperty("os.name").contains("Windows")) return "cmd.exe /c echo ";
    return "echo ";
  }
}
`,
};
const SELECT = 'Base.statement().executeQuery("select a from t where b = \'" + bar + "\'");';

test.each<[string, string, readonly string[]]>([
  [
    'a helper that asks the request',
    'String bar = new Ask(request).param("p");',
    ['sql-injection app/Handler.java:6'],
  ],
  ['a helper that gives a constant', 'String bar = new Ask(request).value("p");', []],
  [
    'an interface of which the class is not known',
    'Maker maker = Makers.create(); String bar = maker.make(request.getParameter("p"));',
    ['sql-injection app/Handler.java:6'],
  ],
  [
    'a constant through that interface',
    'String p = request.getParameter("p"); Maker maker = Makers.create(); String bar = maker.make("fixed");',
    [],
  ],
])('%s', async (_, body, expected) => {
  const files = { ...MAKERS, 'app/Ask.java': ASK, 'app/Handler.java': handler(`${body}\n${SELECT}`) };
  expect((await found(files)).filter((one) => one.startsWith('sql'))).toEqual(expected);
});

test('a command that starts with text from another file is found', async () => {
  const body = 'String bar = request.getParameter("p");\nRuntime.getRuntime().exec(Base.shell() + bar);';
  const all = await found({ ...MAKERS, 'app/Handler.java': handler(body) });
  expect(all.filter((one) => one.startsWith('command'))).toEqual(['command-injection app/Handler.java:6']);
});

const TWO = {
  'src/main/resources/a.properties': 'digest=MD5\n',
  'src/main/resources/b.properties': 'digest=SHA-256\n',
};
test.each<[string, string, boolean]>([
  [
    'a file that is loaded',
    'java.util.Properties s = new java.util.Properties(); s.load(getClass().getClassLoader().getResourceAsStream("a.properties")); String name = s.getProperty("digest");',
    true,
  ],
  [
    'the other file',
    'java.util.Properties s = new java.util.Properties(); s.load(new java.io.FileInputStream("b.properties")); String name = s.getProperty("digest", "MD5");',
    false,
  ],
  ['a bundle', 'String name = java.util.ResourceBundle.getBundle("a").getString("digest");', true],
  ['the other bundle', 'String name = java.util.ResourceBundle.getBundle("b").getString("digest");', false],
])('an algorithm comes from %s', async (_, body, isWeak) => {
  const text = handler(`${body}\njava.security.MessageDigest.getInstance(name);`);
  const all = await found({ ...TWO, 'src/main/java/app/Handler.java': text });
  expect(all).toEqual(isWeak ? ['weak-hash src/main/java/app/Handler.java:6'] : []);
});

test('of files of one name, the nearest counts', async () => {
  const body = `java.util.Properties s = new java.util.Properties();
s.load(getClass().getResourceAsStream("/app.properties"));
java.security.MessageDigest.getInstance(s.getProperty("digest"));`;
  const all = await found({
    'one/src/main/java/app/Handler.java': handler(body),
    'one/src/main/resources/app.properties': 'digest=SHA-256\n',
    'two/src/main/java/app/Handler.java': handler(body),
    'two/src/main/resources/app.properties': 'digest=MD5\n',
  });
  expect(all).toEqual(['weak-hash two/src/main/java/app/Handler.java:7']);
});

test('a field that Spring fills from a setting', async () => {
  const text = (value: string) => `package app;
import javax.servlet.http.*;
public class Seal {
  @Value("${value}")
  private String kind;
  Object seal(HttpServletRequest request) throws Exception { return javax.crypto.Cipher.getInstance(kind); }
}
`;
  const files = (value: string) => ({
    'src/main/java/app/Seal.java': text(value),
    'src/main/resources/application.properties':
      'app.cipher=DES/CBC/PKCS5Padding\napp.good=AES/GCM/NoPadding\n',
  });
  const weak = ['weak-cipher src/main/java/app/Seal.java:6'];
  const at = (name: string) => files(`$\{${name}}`);
  expect(await found(at('app.cipher'))).toEqual(weak);
  expect(await found(at('app.good:DES'))).toEqual([]);
  expect(await found(at('app.other:DES'))).toEqual(weak);
});
