import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

/** Data from a request in ASP.NET, by the ways in which it is taken, carried and given back in usual C#. */

const scanner = createSourceScanner();

/** Severities of the queries that are found in a file. */
async function queries(text: string): Promise<string[]> {
  const all = await scanner.scan({ path: 'src/App/Shop.cs', text }, { deep: true });
  return all.filter((one) => one.id === 'source/sql-injection').map(({ severity }) => severity);
}

const USING = `using System; using System.Linq; using System.Collections.Generic; using System.Data.SqlClient; using Microsoft.AspNetCore.Mvc;`;

/** `bar` of a handler in a query. */
function found(body: string, beside = ''): Promise<string[]> {
  return queries(`${USING}
namespace App {
  public class ShopController : Controller {
    private SqlConnection db;
    public IActionResult Show() {
      ${body}
      var c = new SqlCommand("select id from goods where name = '" + bar + "'", db);
      return Ok();
    }
    ${beside}
  }
}
`);
}

/** A method of a controller whose parameters are data from outside. */
function action(
  declaration: string,
  bar: string,
  beside = '',
  klass = 'ShopController : Controller',
): Promise<string[]> {
  return queries(`${USING}
namespace App {
  public class ${klass} {
    private SqlConnection db;
    ${declaration} {
      var c = new SqlCommand("select id from goods where name = '" + ${bar} + "'", db);
      return Ok();
    }
  }
  ${beside}
}
`);
}

const PARAM = 'string param = Request.Query["p"];';
const ITEM = 'public class Item { public string Name { get; set; } public int Id { get; set; } }';

const TAKEN: readonly (readonly [string, string])[] = [
  ['the query', 'string bar = Request.Query["p"];'],
  ['the query, as text', 'var bar = Request.Query["p"].ToString();'],
  ['the query, first value', 'var bar = Request.Query["p"].FirstOrDefault();'],
  ['a form', 'var bar = Request.Form["p"][0];'],
  ['a form that is awaited', 'var form = await Request.ReadFormAsync(); string bar = form["p"];'],
  ['a header', 'string bar = Request.Headers["X-Name"];'],
  ['a header by its property', 'string bar = Request.Headers.UserAgent;'],
  ['a cookie', 'var bar = Request.Cookies["p"];'],
  ['a cookie of ASP.NET', 'HttpCookie k = Request.Cookies["p"]; string bar = k.Value;'],
  ['a cookie that may be missing', 'var bar = Request.Cookies["p"]?.Value;'],
  ['TryGetValue', 'if (!Request.Query.TryGetValue("p", out var bar)) return NotFound();'],
  ['the body', 'using var r = new System.IO.StreamReader(Request.Body); var bar = await r.ReadToEndAsync();'],
  ['the raw address', 'string bar = Request.RawUrl;'],
  ['the query string', 'string bar = Request.QueryString.Value;'],
  ['a route', 'string bar = (string)RouteData.Values["p"];'],
  ['the request of the context', 'string bar = HttpContext.Request.Query["p"];'],
  ['the current context', 'string bar = System.Web.HttpContext.Current.Request.Params["p"];'],
  ['ServerVariables', 'string bar = Request.ServerVariables["HTTP_X"];'],
  ['a name of an uploaded file', 'string bar = Request.Form.Files[0].FileName;'],
];
test.each(TAKEN)('data is taken from %s', async (_, body) => expect(await found(body)).toEqual(['high']));

const ACTIONS: readonly (readonly [string, string, string, string?, string?])[] = [
  ['a parameter with HttpGet', '[HttpGet] public IActionResult Get(string name)', 'name'],
  [
    'a parameter with HttpGet and a route',
    '[HttpGet("{name}")] public async Task<IActionResult> Get(string name)',
    'name',
  ],
  ['a parameter of an action without attributes', 'public ActionResult Details(string name)', 'name'],
  ['an object of an action', '[HttpPost] public IActionResult Save(Item item)', 'item.Name', ITEM],
  [
    'an object from the body',
    '[HttpPost] public IActionResult Save([FromBody] Item item)',
    'item.Name',
    ITEM,
  ],
  ['an object of an action without attributes', 'public ActionResult Save(Item item)', 'item.Name', ITEM],
  ['a list of an action', '[HttpPost] public IActionResult Save(List<string> names)', 'names[0]'],
  [
    'an action of ApiController',
    '[Route("x")] public IActionResult Get(string name)',
    'name',
    '',
    'ShopController : ApiController',
  ],
  [
    'an action of ControllerBase',
    'public IActionResult Get([FromRoute] string name)',
    'name',
    '',
    'Shop : ControllerBase',
  ],
  ['a page', 'public IActionResult OnGet(string name)', 'name', '', 'ShopModel : PageModel'],
  [
    'a bound property',
    'public IActionResult OnPost()',
    'Name',
    '',
    'ShopModel : PageModel { [BindProperty] public string Name { get; set; }',
  ],
  ['a web method', '[WebMethod] public string Get(string name)', 'name', '', 'Service : WebService'],
  ['a file', '[HttpPost] public IActionResult Up(IFormFile file)', 'file.FileName'],
  ['a collection of forms', '[HttpPost] public ActionResult Up(FormCollection form)', 'form["a"]'],
];
test.each(ACTIONS)(
  'data is taken from %s',
  async (_, declaration = '', bar = '', beside = '', klass = undefined) => {
    const open = klass?.includes('{') ? klass : (klass ?? 'ShopController : Controller');
    expect(await action(declaration, bar, beside, open)).toEqual(['high']);
  },
);

test('data is taken from a parameter of a minimal API', async () => {
  const text = `using System.Data.SqlClient;
var app = WebApplication.Create(args);
app.MapGet("/goods/{name}", (string name, SqlConnection db) => {
  var c = new SqlCommand("select id from goods where name = '" + name + "'", db);
  return c.ExecuteScalar();
});
`;
  expect(await queries(text)).toEqual(['high']);
});

const QUIET_ACTIONS: readonly (readonly [string, string, string, string?, string?])[] = [
  ['a number', '[HttpGet] public IActionResult Get(int id)', 'id'],
  ['a number that may be missing', '[HttpGet] public IActionResult Get(int? id)', 'id'],
  ['a Guid', '[HttpGet] public IActionResult Get(Guid id)', 'id'],
  ['a number of an object', '[HttpPost] public IActionResult Save(Item item)', 'item.Id', ITEM],
  ['a date', '[HttpGet] public IActionResult Get(DateTime day)', 'day'],
];
test.each(QUIET_ACTIONS)(
  'no data comes by %s',
  async (_, declaration = '', bar = '', beside = '', klass = undefined) =>
    expect(await action(declaration, bar, beside, klass)).toEqual([]),
);

const CARRIED: readonly (readonly [string, string, string?])[] = [
  [
    'a builder',
    'var b = new System.Text.StringBuilder(); b.Append("x").Append(param); var bar = b.ToString();',
  ],
  ['interpolation', 'var bar = $"x{param}";'],
  ['Format', 'var bar = string.Format("{0}-{1}", param, 3);'],
  ['Concat', 'var bar = String.Concat("a", param);'],
  ['Join', 'var bar = string.Join(",", new[] { param, "b" });'],
  ['a list', 'var l = new List<string>(); l.Add("a"); l.Add(param); var bar = l[1];'],
  ['a list that is written out', 'var l = new List<string> { "a", param }; var bar = l[1];'],
  [
    'a dictionary',
    'var d = new Dictionary<string, string>(); d["a"] = param; d["b"] = "x"; var bar = d["a"];',
  ],
  [
    'a dictionary that is written out',
    'var d = new Dictionary<string, string> { ["a"] = param, ["b"] = "x" }; var bar = d["a"];',
  ],
  [
    'a dictionary of pairs',
    'var d = new Dictionary<string, string> { { "a", param }, { "b", "x" } }; var bar = d["a"];',
  ],
  [
    'TryGetValue of a dictionary',
    'var d = new Dictionary<string, string>(); d.Add("a", param); d.TryGetValue("a", out string bar);',
  ],
  ['a tuple', 'var (a, bar) = ("x", param);'],
  ['a named tuple', 'var t = (Left: param, Right: "x"); var bar = t.Left;'],
  ['an anonymous object', 'var o = new { Name = param }; var bar = o.Name;'],
  ['an object', 'var o = new Item { Name = param }; var bar = o.Name;', ITEM],
  [
    'a record',
    'var o = new Pair(param, "x"); var bar = o.Left;',
    'public record Pair(string Left, string Right);',
  ],
  [
    'a property that computes',
    'kept = param; var bar = Kept;',
    'private string kept; private string Kept { get { return kept; } }',
  ],
  [
    'a property of an expression',
    'kept = param; var bar = Kept;',
    'private string kept; private string Kept => kept.Trim();',
  ],
  ['a switch expression', 'var bar = param.Length switch { 0 => "none", _ => param };'],
  ['a method', 'var bar = Make(param);', 'private string Make(string p) => p.Trim();'],
  [
    'a static method of a class',
    'var bar = Tools.Make(param);',
    'static class Tools { public static string Make(string p) { return p; } }',
  ],
  [
    'an extension',
    'var bar = param.Cut();',
    '} static class Tools { public static string Cut(this string p) { return p.Substring(1); }',
  ],
  ['Linq', "var bar = param.Split(',').Select(x => x.Trim()).First();"],
  ['Linq as a query', 'var bar = (from x in param.Split(\',\') where x != "" select x).First();'],
  ['a cast', 'object o = param; var bar = (string)o;'],
  ['as', 'object o = param; var bar = o as string;'],
  ['a pattern', 'object o = param; string bar = ""; if (o is string s) { bar = s; }'],
  ['??', 'var bar = param ?? "x";'],
  ['?.', 'var bar = param?.Trim();'],
  ['!', 'var bar = param!.Trim();'],
  ['foreach', 'var bar = ""; foreach (var one in param.Split(\',\')) { bar += one; }'],
  ['a lambda', 'Func<string, string> f = s => s + "!"; var bar = f(param);'],
  ['a local function', 'string F(string s) { return s; } var bar = F(param);'],
  ['Base64 and back', 'var bar = System.Text.Encoding.UTF8.GetString(Convert.FromBase64String(param));'],

  ['await', 'var bar = await Load(param);', 'private async Task<string> Load(string p) { return p; }'],
  ['Replace of something else', 'var bar = param.Replace("a", "b");'],
];
test.each(CARRIED)('data is carried by %s', async (_, body, beside) =>
  expect(await found(`${PARAM}\n${body}`, beside)).toEqual(['high']),
);

const HARMLESS: readonly (readonly [string, string, string?])[] = [
  ['another key', 'var d = new Dictionary<string, string> { ["a"] = param, ["b"] = "x" }; var bar = d["b"];'],
  [
    'another field',
    'var o = new Item { Name = param, Other = "x" }; var bar = o.Other;',
    'class Item { public string Name { get; set; } public string Other { get; set; } }',
  ],
  ['int.Parse', 'var bar = int.Parse(param);'],
  ['int.TryParse', 'if (!int.TryParse(param, out var bar)) return NotFound();'],
  ['Guid.TryParse', 'if (!Guid.TryParse(param, out Guid bar)) return NotFound();'],
  ['an enum', 'var bar = Enum.Parse<Kind>(param);', 'enum Kind { A, B }'],
  [
    'a check of a list',
    'if (!new List<string> { "a", "b" }.Contains(param)) return NotFound(); var bar = param;',
  ],
  ['a constant', 'const string x = "a"; var bar = x;'],
  ['a constant format', 'var bar = string.Format("{0}", "x");'],
  ['a switch expression over a constant', 'var k = "b"; var bar = k switch { "a" => param, _ => "x" };'],
  ['a regular expression', 'if (!Regex.IsMatch(param, "^[a-z]+$")) return NotFound(); var bar = param;'],
  ['the length', 'var bar = param.Length;'],
  ['a quotient', 'var n = 7; var bar = n / 2 > 3 ? param : "x";'],
];
test.each(HARMLESS)('no data comes by %s', async (_, body, beside) =>
  expect(await found(`${PARAM}\n${body}`, beside)).toEqual([]),
);
