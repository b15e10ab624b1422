import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

/** Places in Java where data from a request does harm, as servlets are usually written. */

const scanner = createSourceScanner();

async function idsIn(body: string): Promise<string[]> {
  const text = `package app;
import java.io.*;
import java.util.*;
import javax.servlet.http.*;
public class Handler extends HttpServlet {
  @Override
  public void doPost(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String bar = request.getParameter("p");
${body}
  }
}
`;
  const all = await scanner.scan({ path: 'src/app/Handler.java', text }, { deep: true });
  return all.map((one) => one.id.replace('source/', ''));
}

const OS = `String a1 = ""; String a2 = "";
    if (System.getProperty("os.name").indexOf("Windows") != -1) { a1 = "cmd.exe"; a2 = "/c"; } else { a1 = "sh"; a2 = "-c"; }`;
const RUN = 'Process p = Runtime.getRuntime().exec';

const HARMED: readonly (readonly [string, string])[] = [
  ['command-injection', `${OS} String[] args = {a1, a2, "echo " + bar}; ${RUN}(args);`],
  ['command-injection', `${OS} String[] args = {a1, a2, "echo " + bar}; new ProcessBuilder(args).start();`],
  [
    'command-injection',
    `List<String> args = new ArrayList<String>();
    if (System.getProperty("os.name").indexOf("Windows") != -1) { args.add("cmd.exe"); args.add("/c"); } else { args.add("sh"); args.add("-c"); }
    args.add("echo " + bar);
    ProcessBuilder b = new ProcessBuilder(args);
    b.start();`,
  ],
  [
    'command-injection',
    `List<String> args = new ArrayList<>(); args.add("sh"); args.add("-c"); args.add("ls " + bar);
    ProcessBuilder b = new ProcessBuilder(); b.command(args); b.start();`,
  ],
  ['command-injection', 'String cmd = "echo "; Runtime r = Runtime.getRuntime(); r.exec(cmd + bar);'],
  [
    'command-injection',
    'String[] env = {bar}; Runtime r = Runtime.getRuntime(); r.exec("ls", env, new File(System.getProperty("user.dir")));',
  ],
  [
    'command-injection',
    'String[] env = {"A=b"}; Runtime r = Runtime.getRuntime(); r.exec("ls " + bar, env);',
  ],
  [
    'command-injection',
    'String[] args = {"ls -la", bar}; String[] env = {bar}; Runtime.getRuntime().exec(args, env, new File("."));',
  ],
  [
    'weak-cipher',
    'javax.crypto.Cipher c = javax.crypto.Cipher.getInstance("DES/CBC/PKCS5Padding", "SunJCE");',
  ],
  ['weak-cipher', 'javax.crypto.Cipher c = javax.crypto.Cipher.getInstance("DESede/ECB/PKCS5Padding");'],
  [
    'weak-cipher',
    'javax.crypto.Cipher c = javax.crypto.Cipher.getInstance("DES/CBC/PKCS5PADDING", java.security.Security.getProvider("SunJCE"));',
  ],
  ['weak-cipher', 'javax.crypto.Cipher c = javax.crypto.Cipher.getInstance("RC4");'],
  ['weak-hash', 'java.security.MessageDigest m = java.security.MessageDigest.getInstance("SHA1", "SUN");'],
  [
    'weak-hash',
    'java.security.MessageDigest m = java.security.MessageDigest.getInstance("sha-1", java.security.Security.getProvider("SUN"));',
  ],
  [
    'weak-hash',
    'java.security.Provider[] all = java.security.Security.getProviders(); java.security.MessageDigest m = java.security.MessageDigest.getInstance("MD5", all[0]);',
  ],
  [
    'ldap-injection',
    `javax.naming.directory.DirContext ctx = Directory.open();
    javax.naming.directory.SearchControls sc = new javax.naming.directory.SearchControls();
    String filter = "(&(objectclass=person)(uid=" + bar + "))";
    NamingEnumeration<?> found = ctx.search("ou=users", filter, sc);`,
  ],
  [
    'ldap-injection',
    `javax.naming.directory.InitialDirContext ctx = (javax.naming.directory.InitialDirContext) Directory.open();
    Object[] values = new Object[] {"a", "b"};
    ctx.search("ou=users", "(&(objectclass=person)(|(uid=" + bar + ")(street={0})))", values, sc);`,
  ],
  ['path-traversal', 'java.io.File f = new java.io.File("/srv/" + bar);'],
  ['path-traversal', 'File f = new File(new File("/srv"), bar);'],
  ['path-traversal', 'File f = new File(bar, "/x.txt");'],
  ['path-traversal', 'FileInputStream in = new FileInputStream(new File("/srv/" + bar));'],
  ['path-traversal', 'java.io.FileOutputStream out = new java.io.FileOutputStream("/srv/" + bar, false);'],
  [
    'path-traversal',
    'java.nio.file.Path at = java.nio.file.Paths.get("/srv/" + bar); InputStream is = java.nio.file.Files.newInputStream(at, java.nio.file.StandardOpenOption.READ);',
  ],
  [
    'path-traversal',
    "java.net.URI at = new java.net.URI(\"file:///srv/\".replace(' ', '_') + bar); File f = new File(at);",
  ],
  [
    'path-traversal',
    'java.net.URI at = new java.net.URI("file", null, "/srv/" + bar, null, null); File f = new File(at);',
  ],
  ['path-traversal', 'java.io.RandomAccessFile f = new java.io.RandomAccessFile("/srv/" + bar, "r");'],
  ['path-traversal', 'getServletContext().getResourceAsStream("/" + bar);'],
  ['path-traversal', 'java.nio.file.Files.readAllBytes(java.nio.file.Path.of("/srv").resolve(bar));'],
  [
    'insecure-cookie',
    'Cookie c = new Cookie("a", bar); c.setSecure(false); c.setHttpOnly(true); response.addCookie(c);',
  ],
  ['sql-injection', 'st.addBatch("insert into t values (\'" + bar + "\')");'],
  ['sql-injection', 'st.executeUpdate("insert into t values (\'" + bar + "\')", new int[] {1, 2});'],
  [
    'sql-injection',
    'st.execute("insert into t values (\'" + bar + "\')", java.sql.Statement.RETURN_GENERATED_KEYS);',
  ],
  ['sql-injection', 'java.sql.CallableStatement st = Base.connection().prepareCall("{call " + bar + "}");'],
  [
    'sql-injection',
    'java.sql.PreparedStatement st = Base.connection().prepareStatement("select * from t where a = \'" + bar + "\'", new String[] {"a"});',
  ],
  ['sql-injection', 'Base.jdbc.queryForMap("select * from t where a = \'" + bar + "\'");'],
  ['sql-injection', 'Base.jdbc.queryForRowSet("select * from t where a = \'" + bar + "\'");'],
  ['sql-injection', 'Base.jdbc.batchUpdate("update t set a = \'" + bar + "\'");'],
  [
    'sql-injection',
    'List<String> all = Base.jdbc.query("select * from t where a = \'" + bar + "\'", new RowMapper<String>() { public String mapRow(ResultSet rs, int n) { return rs.getString(1); } });',
  ],
  ['sql-injection', 'Long n = Base.jdbc.queryForLong("select * from t where a = \'" + bar + "\'");'],
  ['trust-boundary', 'request.getSession().setAttribute("userid", bar);'],
  ['trust-boundary', 'request.getSession().setAttribute(bar, "10340");'],
  ['trust-boundary', 'request.getSession().putValue("userid", bar);'],
  ['trust-boundary', 'HttpSession s = request.getSession(true); s.setAttribute("userid", bar);'],
  [
    'weak-random',
    'int n = new java.util.Random().nextInt(99); String rememberKey = Integer.toString(n); request.getSession().setAttribute("x", rememberKey);',
  ],
  [
    'weak-random',
    'float n = new java.util.Random().nextFloat(); String key = Float.toString(n).substring(2); Cookie c = new Cookie("rememberMe", key); response.addCookie(c);',
  ],
  [
    'weak-random',
    'double n = java.lang.Math.random(); String key = Double.toString(n).substring(2); response.addCookie(new Cookie("rememberMe", key));',
  ],
  [
    'weak-random',
    'long n = new java.util.Random().nextLong(); String key = Long.toString(n); Cookie c = new Cookie("rememberMe", key);',
  ],
  [
    'weak-random',
    'double n = new java.util.Random().nextGaussian(); String key = Double.toString(n).substring(2); Cookie c = new Cookie("rememberMe", key);',
  ],
  [
    'weak-random',
    'boolean n = new java.util.Random().nextBoolean(); String key = Boolean.toString(n); Cookie c = new Cookie("rememberMe", key);',
  ],
  [
    'weak-random',
    'java.util.Random r = new java.util.Random(); byte[] b = new byte[10]; r.nextBytes(b); String key = Base64.getEncoder().encodeToString(b); Cookie c = new Cookie("rememberMe", key);',
  ],
  [
    'weak-random',
    'int n = new java.util.Random().nextInt(); session.setAttribute("token" + bar, String.valueOf(n)); String sessionToken = "t" + n;',
  ],
  [
    'xpath-injection',
    `javax.xml.xpath.XPath xp = javax.xml.xpath.XPathFactory.newInstance().newXPath();
    String e = "/users/user[@id='" + bar + "']"; String out = xp.evaluate(e, doc);`,
  ],
  [
    'xpath-injection',
    `javax.xml.xpath.XPathFactory xpf = javax.xml.xpath.XPathFactory.newInstance(); javax.xml.xpath.XPath xp = xpf.newXPath();
    NodeList l = (NodeList) xp.compile("/users/user[@id='" + bar + "']").evaluate(doc, javax.xml.xpath.XPathConstants.NODESET);`,
  ],
  ['cross-site-scripting', 'response.getWriter().print(bar.toCharArray());'],
  ['cross-site-scripting', 'Object[] o = {"a", "b"}; response.getWriter().format(bar, o);'],
  [
    'cross-site-scripting',
    'Object[] o = {"a", bar}; response.getWriter().format(java.util.Locale.US, "%1$s and %2$s", o);',
  ],
  ['cross-site-scripting', 'Object[] o = {"a", bar}; response.getWriter().printf("%1$s and %2$s", o);'],
  [
    'cross-site-scripting',
    'int length = 1; if (bar != null) { length = bar.length(); response.getWriter().write(bar, 0, length); }',
  ],
  [
    'cross-site-scripting',
    'java.io.PrintWriter out = response.getWriter(); out.write("a"); out.println(bar);',
  ],
  ['cross-site-scripting', 'response.getOutputStream().print(bar);'],
  ['cross-site-scripting', 'response.getOutputStream().write(bar.getBytes());'],
  [
    'cross-site-scripting',
    'response.setContentType("text/html"); try (PrintWriter out = response.getWriter()) { out.append("<p>").append(bar); }',
  ],
];
test.each(HARMED)('%s: %s', async (id, body) => expect(await idsIn(body)).toContain(id));

const KEPT: readonly (readonly [string, string])[] = [
  [
    'command-injection',
    'new ProcessBuilder("ls", "-l").start(); List<String> args = new ArrayList<>(); args.add("ls"); args.add(bar); new ProcessBuilder(args).start();',
  ],
  ['command-injection', `${OS} String[] args = {a1, a2, "echo fixed"}; ${RUN}(args);`],
  ['weak-cipher', 'javax.crypto.Cipher c = javax.crypto.Cipher.getInstance("AES/CBC/PKCS5Padding");'],
  ['weak-hash', 'java.security.MessageDigest m = java.security.MessageDigest.getInstance("SHA-512", "SUN");'],
  ['insecure-cookie', 'Cookie c = new Cookie("a", bar); c.setSecure(true); response.addCookie(c);'],
  [
    'sql-injection',
    'java.sql.PreparedStatement st = c.prepareStatement("select * from t where a = ?"); st.setString(1, bar); st.execute();',
  ],
  ['sql-injection', 'Base.jdbc.queryForMap("select * from t where a = ?", bar);'],
  ['trust-boundary', 'request.getSession().setAttribute("n", Integer.parseInt(bar));'],
  [
    'weak-random',
    'int n = java.security.SecureRandom.getInstance("SHA1PRNG").nextInt(99); String rememberKey = Integer.toString(n); request.getSession().setAttribute("x", rememberKey);',
  ],
  [
    'weak-random',
    'java.util.Random r = new java.security.SecureRandom(); byte[] b = new byte[10]; r.nextBytes(b); String key = Base64.getEncoder().encodeToString(b); Cookie c = new Cookie("rememberMe", key);',
  ],
  [
    'weak-random',
    'double n = java.security.SecureRandom.getInstance("SHA1PRNG").nextDouble(); Cookie c = new Cookie("rememberMe", Double.toString(n).substring(2));',
  ],
  [
    'cross-site-scripting',
    'response.getWriter().println(org.owasp.esapi.ESAPI.encoder().encodeForHTML(bar));',
  ],
  [
    'cross-site-scripting',
    'response.getWriter().println(org.springframework.web.util.HtmlUtils.htmlEscape(bar));',
  ],
  [
    'cross-site-scripting',
    'response.getWriter().println(org.apache.commons.lang.StringEscapeUtils.escapeHtml(bar));',
  ],
  ['cross-site-scripting', 'response.getWriter().println(org.owasp.encoder.Encode.forHtml(bar));'],
  ['cross-site-scripting', 'Object[] o = {"a", "b"}; response.getWriter().format("%1$s", o);'],
  ['path-traversal', 'File f = new File("/srv/" + org.apache.commons.io.FilenameUtils.getName(bar));'],
  ['path-traversal', 'File f = new File("/srv", bar.replace("..", "").replace("/", ""));'],
  [
    'ldap-injection',
    'javax.naming.directory.DirContext ctx = d; ctx.search("ou=users", "(uid={0})", new Object[] {bar}, sc);',
  ],
];
test.each(KEPT)('no %s: %s', async (id, body) => expect(await idsIn(body)).not.toContain(id));
