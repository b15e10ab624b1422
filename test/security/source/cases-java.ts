import type { RuleCase } from './rule-case.ts';

const servlet = (...lines: string[]) =>
  `import javax.servlet.http.*;\nimport java.sql.*;\npublic class A extends HttpServlet {\n  public void doGet(HttpServletRequest req, HttpServletResponse resp) throws Exception {\n    String p = req.getParameter("p");\n${lines.map((line) => `    ${line}\n`).join('')}  }\n}\n`;
const both = (rule: string, found: string, clean: string): RuleCase => ({
  rule,
  found: servlet(found),
  clean: servlet(clean),
});
const importing = (name: string, rule: string, found: string, clean: string): RuleCase => ({
  rule,
  found: `import ${name};\n${servlet(found)}`,
  clean: `import ${name};\n${servlet(clean)}`,
});

/** Per rule one that must be found, and one of the same shape that must not. */
export const javaCases: readonly RuleCase[] = [
  both(
    'source/sql-injection',
    'conn.createStatement().executeQuery("select * from t where a = \'" + p + "\'");',
    'PreparedStatement s = conn.prepareStatement("select * from t where a = ?"); s.setString(1, p); s.executeQuery();',
  ),
  both(
    'source/command-injection',
    'Runtime.getRuntime().exec("ping " + p);',
    'new ProcessBuilder("ping", p).start();',
  ),
  both(
    'source/code-injection',
    'new SpelExpressionParser().parseExpression(p);',
    'new SpelExpressionParser().parseExpression("1 + 1");',
  ),
  both(
    'source/path-traversal',
    'new FileInputStream("/srv/" + p);',
    'new FileInputStream("/srv/" + Integer.parseInt(p));',
  ),
  both(
    'source/server-side-request-forgery',
    'new URL(p).openStream();',
    'new URL("https://api.example.com/" + p).openStream();',
  ),
  both(
    'source/cross-site-scripting',
    'resp.getWriter().println("<b>" + p);',
    'resp.getWriter().println("<b>" + Encode.forHtml(p));',
  ),
  both(
    'source/unsafe-deserialisation',
    'new java.io.ObjectInputStream(req.getInputStream()).readObject();',
    'new ObjectMapper().readTree(req.getInputStream());',
  ),
  both('source/open-redirect', 'resp.sendRedirect(p);', 'if (p.equals("/a")) resp.sendRedirect("/a");'),
  both(
    'source/trust-boundary',
    'req.getSession().setAttribute("role", p);',
    'req.getSession().setAttribute("n", Integer.parseInt(p));',
  ),
  both('source/weak-hash', 'MessageDigest.getInstance("MD5");', 'MessageDigest.getInstance("SHA-256");'),
  both(
    'source/weak-cipher',
    'Cipher.getInstance("DES/CBC/PKCS5Padding");',
    'Cipher.getInstance("AES/GCM/NoPadding");',
  ),
  both(
    'source/weak-random',
    'String token = String.valueOf(new java.util.Random().nextInt());',
    'int delay = new java.util.Random().nextInt();',
  ),
  both(
    'source/insecure-cookie',
    'Cookie c = new Cookie("a", "b"); c.setSecure(false);',
    'Cookie c = new Cookie("a", "b"); c.setSecure(true);',
  ),
  both(
    'source/hard-coded-credentials',
    'String dbPassword = "tr0ub4dor&3x";',
    'String dbPassword = System.getenv("DB_PASSWORD");',
  ),
  importing(
    'javax.xml.xpath.XPath',
    'source/xpath-injection',
    'javax.xml.xpath.XPath xpath = f.newXPath(); xpath.evaluate("//a[@id=\'" + p + "\']", doc);',
    'javax.xml.xpath.XPath xpath = f.newXPath(); xpath.evaluate("//a", doc);',
  ),
  both(
    'source/xml-external-entities',
    'DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(p);',
    'DocumentBuilderFactory.newInstance().newDocumentBuilder().parse("own.xml");',
  ),
  both('source/weak-tls-version', 'SSLContext.getInstance("TLSv1");', 'SSLContext.getInstance("TLSv1.3");'),
  both(
    'source/tls-verification-off',
    'client.setSSLHostnameVerifier(NoopHostnameVerifier.INSTANCE);',
    'client.setSSLHostnameVerifier(new DefaultHostnameVerifier());',
  ),
  both('source/cookie-readable-by-script', 'cookie.setHttpOnly(false);', 'cookie.setHttpOnly(true);'),
  both(
    'source/jwt-hard-coded-secret',
    'Algorithm.HMAC256("correct-horse-1");',
    'Algorithm.HMAC256(System.getenv("KEY"));',
  ),
  importing(
    'org.apache.velocity.app.Velocity',
    'source/template-injection',
    'Velocity.evaluate(ctx, out, "x", p);',
    'Velocity.evaluate(ctx, out, "x", "Hello");',
  ),
  importing(
    'javax.naming.directory.DirContext',
    'source/ldap-injection',
    'directory.search("ou=people", "(uid=" + p + ")", controls);',
    'directory.search("ou=people", "(uid=admin)", controls);',
  ),
  importing(
    'com.auth0.jwt.JWT',
    'source/jwt-unverified',
    'JWT.decode(p);',
    'JWT.require(algorithm).build().verify(p);',
  ),
  importing(
    'org.springframework.security.config.WebSecurity',
    'source/debug-on',
    'web.debug(true);',
    'web.debug(false);',
  ),
];
