import type { RuleCase } from './rule-case.ts';

const action = (body: string) =>
  `using System;\nusing Microsoft.AspNetCore.Mvc;\npublic class AController : Controller {\n  public IActionResult Get() {\n    string p = Request.Query["p"];\n    ${body}\n    return Ok();\n  }\n}\n`;
const both = (rule: string, found: string, clean: string): RuleCase => ({
  rule,
  found: action(found),
  clean: action(clean),
});

/** Per rule one that must be found, and one of the same shape that must not. */
export const csharpCases: readonly RuleCase[] = [
  both(
    'source/sql-injection',
    'var c = new SqlCommand("select * from t where a = \'" + p + "\'", conn);',
    'var c = new SqlCommand("select * from t where a = @a", conn); c.Parameters.AddWithValue("@a", p);',
  ),
  both('source/command-injection', 'Process.Start("cmd", "/c " + p);', 'Process.Start("cmd", "/c dir");'),
  both(
    'source/path-traversal',
    'System.IO.File.ReadAllText("/srv/" + p);',
    'System.IO.File.ReadAllText("/srv/" + Path.GetFileName(p));',
  ),
  both(
    'source/server-side-request-forgery',
    'new HttpClient().GetAsync(p);',
    'new HttpClient().GetAsync($"https://api.example.com/{p}");',
  ),
  both(
    'source/cross-site-scripting',
    'Response.WriteAsync($"<b>{p}");',
    'Response.WriteAsync("<b>" + WebUtility.HtmlEncode(p));',
  ),
  both(
    'source/unsafe-deserialisation',
    'new BinaryFormatter().Deserialize(Request.Body);',
    'JsonSerializer.Deserialize<A>(Request.Body);',
  ),
  both('source/open-redirect', 'return Redirect(p);', 'if (Url.IsLocalUrl(p)) { return LocalRedirect(p); }'),
  both('source/weak-hash', 'MD5.Create();', 'SHA256.Create();'),
  both('source/weak-cipher', 'DES.Create();', 'Aes.Create();'),
  both('source/weak-random', 'var token = new Random().Next();', 'var delay = new Random().Next();'),
  both(
    'source/insecure-cookie',
    'var o = new CookieOptions { Secure = false };',
    'var o = new CookieOptions { Secure = true };',
  ),
  both(
    'source/tls-verification-off',
    'h.ServerCertificateCustomValidationCallback = HttpClientHandler.DangerousAcceptAnyServerCertificateValidator;',
    'h.CheckCertificateRevocationList = true;',
  ),
  both(
    'source/hard-coded-credentials',
    'var dbPassword = "tr0ub4dor&3x";',
    'var dbPassword = Environment.GetEnvironmentVariable("DB_PASSWORD");',
  ),
  both('source/xpath-injection', 'doc.SelectNodes("//a[@id=\'" + p + "\']");', 'doc.SelectNodes("//a");'),
  both('source/code-injection', 'CSharpScript.EvaluateAsync(p);', 'CSharpScript.EvaluateAsync("1 + 1");'),
  both(
    'source/template-injection',
    'Engine.Razor.RunCompile(p, "key");',
    'Engine.Razor.RunCompile("Hello @Model", "key");',
  ),
  both(
    'source/ldap-injection',
    'new DirectorySearcher("(uid=" + p + ")");',
    'new DirectorySearcher("(uid=admin)");',
  ),
  both(
    'source/trust-boundary',
    'HttpContext.Session.SetString("role", p);',
    'HttpContext.Session.SetString("role", "guest");',
  ),
  both('source/debug-on', 'app.UseDeveloperExceptionPage();', 'app.UseExceptionHandler("/error");'),
  both('source/unsafe-loader', 'var f = new BinaryFormatter();', 'var f = new XmlSerializer(typeof(A));'),
  both(
    'source/cookie-readable-by-script',
    'var o = new CookieOptions(); o.HttpOnly = false;',
    'var o = new CookieOptions(); o.HttpOnly = true;',
  ),
  both(
    'source/weak-tls-version',
    'ServicePointManager.SecurityProtocol = SecurityProtocolType.Tls11;',
    'ServicePointManager.SecurityProtocol = SecurityProtocolType.Tls12;',
  ),
  both(
    'source/jwt-unverified',
    'var v = new TokenValidationParameters(); v.ValidateIssuerSigningKey = false;',
    'var v = new TokenValidationParameters(); v.ValidateIssuerSigningKey = true;',
  ),
  both(
    'source/xml-external-entities',
    'settings.DtdProcessing = DtdProcessing.Parse;',
    'settings.DtdProcessing = DtdProcessing.Prohibit;',
  ),
];
