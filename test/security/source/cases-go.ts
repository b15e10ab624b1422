import type { RuleCase } from './rule-case.ts';

const handler = (imports: string, ...lines: string[]) =>
  `package a\n\nimport (\n\t"net/http"\n${imports
    .split(' ')
    .filter(Boolean)
    .map((name) => `\t"${name}"\n`)
    .join(
      '',
    )})\n\nfunc h(w http.ResponseWriter, r *http.Request) {\n\tp := r.URL.Query().Get("p")\n${lines.map((line) => `\t${line}\n`).join('')}}\n`;
const both = (rule: string, imports: string, found: string, clean: string): RuleCase => ({
  rule,
  found: handler(imports, found),
  clean: handler(imports, clean),
});

/** Per rule one that must be found, and one of the same shape that must not. */
export const goCases: readonly RuleCase[] = [
  both(
    'source/sql-injection',
    'database/sql fmt',
    'db.Query(fmt.Sprintf("select * from t where a = \'%s\'", p))',
    'db.Query("select * from t where a = $1", p)',
  ),
  both(
    'source/command-injection',
    'os/exec',
    'exec.Command("sh", "-c", "ping "+p)',
    'exec.Command("ping", p)',
  ),
  both(
    'source/path-traversal',
    'os path/filepath',
    'os.Open("/srv/" + p)',
    'os.Open("/srv/" + filepath.Base(p))',
  ),
  both('source/server-side-request-forgery', '', 'http.Get(p)', 'http.Get("https://api.example.com/" + p)'),
  both(
    'source/cross-site-scripting',
    'fmt html',
    'fmt.Fprintf(w, "<b>%s", p)',
    'fmt.Fprintf(w, "<b>%s", html.EscapeString(p))',
  ),
  both('source/open-redirect', '', 'http.Redirect(w, r, p, 302)', 'http.Redirect(w, r, "/a/"+p, 302)'),
  both('source/weak-hash', 'crypto/md5', 'md5.New()', 'sha256.New()'),
  both('source/weak-cipher', 'crypto/des', 'des.NewCipher(k)', 'aes.NewCipher(k)'),
  both('source/weak-random', 'math/rand', 'token := rand.Int63()', 'delay := rand.Int63()'),
  both(
    'source/tls-verification-off',
    'crypto/tls',
    'c := &tls.Config{InsecureSkipVerify: true}',
    'c := &tls.Config{InsecureSkipVerify: false}',
  ),
  both(
    'source/insecure-cookie',
    '',
    'http.SetCookie(w, &http.Cookie{Name: "a", Secure: false})',
    'http.SetCookie(w, &http.Cookie{Name: "session", Secure: true})',
  ),
  both(
    'source/hard-coded-credentials',
    '',
    'dbPassword := "tr0ub4dor&3x"',
    'dbPassword := os.Getenv("DB_PASSWORD")',
  ),
  both(
    'source/template-injection',
    'html/template',
    'template.New("a").Parse(p)',
    'template.New("a").Parse("<b>{{.}}</b>")',
  ),
  both(
    'source/code-injection',
    'github.com/robertkrimen/otto',
    'otto.New().Run(p)',
    'otto.New().Run("1 + 1")',
  ),
  both(
    'source/ldap-injection',
    'github.com/go-ldap/ldap',
    'ldap.NewSearchRequest("dc=a", 2, 0, 0, 0, false, "(uid=" + p + ")", nil, nil)',
    'ldap.NewSearchRequest("dc=a", 2, 0, 0, 0, false, "(uid=" + ldap.EscapeFilter(p) + ")", nil, nil)',
  ),
  both(
    'source/xpath-injection',
    'github.com/antchfx/xpath',
    `xpath.Compile("//user[name='" + p + "']")`,
    'xpath.Compile("//user")',
  ),
  both(
    'source/cookie-readable-by-script',
    '',
    'http.SetCookie(w, &http.Cookie{Name: "a", Secure: true, HttpOnly: false})',
    'http.SetCookie(w, &http.Cookie{Name: "a", Secure: true, HttpOnly: true})',
  ),
  both(
    'source/weak-tls-version',
    'crypto/tls',
    'c := &tls.Config{MinVersion: tls.VersionTLS10}',
    'c := &tls.Config{MinVersion: tls.VersionTLS12}',
  ),
  both(
    'source/jwt-unverified',
    'github.com/golang-jwt/jwt/v5',
    'jwt.NewParser().ParseUnverified(p, claims)',
    'jwt.NewParser().ParseWithClaims(p, claims, key)',
  ),
  both(
    'source/debug-on',
    'github.com/gin-gonic/gin',
    'gin.SetMode(gin.DebugMode)',
    'gin.SetMode(gin.ReleaseMode)',
  ),
];
