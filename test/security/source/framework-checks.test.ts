import { expect, test } from 'vitest';
import { COMMAND, type Language, linesFound, RUNS } from './handlers.ts';

/** Checks and safe calls of frameworks: what each rules out, and beside it the like that rules out nothing. */

const SQL = 'source/sql-injection';
const XSS = 'source/cross-site-scripting';
const SSRF = 'source/server-side-request-forgery';
const REDIRECT = 'source/open-redirect';
const PATH = 'source/path-traversal';
const NOSQL = 'source/nosql-injection';

test.each<[string, Language, readonly string[]]>([
  ['abort', 'python', ['if p not in ("a", "b"): abort(400)']],
  ['a type that Flask converts to', 'python', ['p = request.args.get("n", type=int)']],
  ['die()', 'php', ['if (!in_array($p, ["a"])) die();']],
  ['throw as an expression', 'php', ['if (!ctype_digit($p)) throw new Exception("a");']],
  ['abort_unless', 'php', ['abort_unless(in_array($p, ["a"]), 400);']],
  ['isset of a key', 'php', ['if (!isset($map[$p])) exit;']],
  ['array_key_exists', 'php', ['if (!array_key_exists($p, $map)) exit;']],
  ['a match of constants', 'php', ['$p = match ($p) { "a" => "b", default => "c" };']],
  ['arithmetic', 'php', ['$p = $p + 1;']],
  ['a case as a value', 'ruby', ['p = case p when "a" then "b" else "c" end']],
  ['presence_in', 'ruby', ['p = params[:p].presence_in(%w[a b])']],
  ['a key that Go asks for', 'go', ['m := map[string]string{"a": "b"}', 'if _, ok := m[p]; !ok { return }']],
  ['process.exit', 'javascript', ["if (p !== 'a') process.exit(1);"]],
  ['isNaN', 'javascript', ['if (isNaN(p)) return;']],
  ['hasOwnProperty.call', 'javascript', ['if (!Object.prototype.hasOwnProperty.call(map, p)) return;']],
  ['a schema of one value', 'javascript', ["const z = require('zod');", "p = z.enum(['a', 'b']).parse(p);"]],
  [
    'a schema of joi',
    'javascript',
    ["const Joi = require('joi');", 'p = Joi.object({ n: Joi.number() }).validate(req.query).value.n;'],
  ],
  ['=~', 'ruby', ["raise 'no' unless p =~ /\\A\\w+\\z/"]],
  ['an expression that finds digits alone', 'javascript', ['p = p.match(/^\\d+$/)[0];']],
  [
    'a function of the program that asks a list',
    'javascript',
    ["const isKnown = (name) => ['a'].includes(name);", 'if (!isKnown(p)) return;'],
  ],
])('a check ends the flow: %s', async (_name, language, lines) => {
  const all = [...lines, RUNS[language]];
  expect(await linesFound(COMMAND, language, all)).toEqual([]);
  expect(await linesFound(COMMAND, language, [RUNS[language]])).toEqual([1]);
});

test.each<[Language, readonly string[]]>([
  ['php', ['if (in_array($p, ["a"])) die();']],
  ['php', ['if (isset($map[$p])) exit;']],
  ['php', ['abort_if(!$p, 400);']],
  ['php', ['if (hash_equals($a, $b)) echo 1;']],
  ['php', ['$p = match ($p) { "a" => $p . "b", default => $p };']],
  ['ruby', ['p = case other when "a" then p else "c" end']],
  ['javascript', ['if (!isNaN(p)) return;']],
  [
    'javascript',
    ["const Joi = require('joi');", 'p = Joi.object({ n: Joi.string() }).validate(req.query).value.n;'],
  ],
  ['python', ['p = request.args.get("n", type=str)']],
  ['go', ['m := map[string]string{"a": "b"}', 'if _, ok := m[p]; ok { return }']],
  ['ruby', ["raise 'no' unless p !~ /\\A\\w+\\z/"]],
  ['javascript', ['p = p.match(/^.+$/)[0];']],
  ['javascript', ['p = p.match(/^[^a]+$/)[0];']],
  ['javascript', ['const isLong = (name) => name.length > 3;', 'if (!isLong(p)) return;']],
  ['javascript', ["const isKnown = (name) => ['a'].includes(name);", 'if (isKnown(p)) return;']],
  ['javascript', ["if (req.get('a') !== 'b') return;"]],
  ['javascript', ["switch (req.query.a) { case 'a': break; }"]],
])('%s: %j rules out nothing', async (language, lines) => {
  expect(await linesFound(COMMAND, language, [...lines, RUNS[language]])).toEqual([lines.length + 1]);
});

test.each<[string, Language, string, string]>([
  // What a call checks holds for the same call again.
  [
    COMMAND,
    'javascript',
    "if (['a'].includes(req.get('x'))) exec(req.get('x'));",
    "if (['a'].includes(req.get('x'))) exec(req.get('y'));",
  ],
  [
    COMMAND,
    'php',
    'if (in_array(parse_url($_GET["u"], PHP_URL_HOST), ["a"])) system($_GET["u"]);',
    'if (in_array(parse_url($_GET["v"], PHP_URL_HOST), ["a"])) system($_GET["u"]);',
  ],
  // Constants by an unknown key.
  [
    SQL,
    'javascript',
    "const m = new Map([['a', 'b']]); other.many('select a from t order by ' + m.get(p));",
    "const m = new Map([['a', p]]); other.many('select a from t order by ' + m.get(p));",
  ],
  // A host that stands before the data.
  [
    SSRF,
    'javascript',
    "require('axios').get('https://a.example?q=' + p);",
    "require('axios').get('https://a.example' + p);",
  ],
  [
    SSRF,
    'go',
    'http.Get(fmt.Sprintf("https://a.example/%s", p))',
    'http.Get(fmt.Sprintf("https://%s/a", p))',
  ],
  [
    SSRF,
    'javascript',
    "const u = new URL('https://a.example'); u.searchParams.set('q', p); require('axios').get(u);",
    "const u = new URL(p); u.searchParams.set('q', 'a'); require('axios').get(u);",
  ],
  [
    REDIRECT,
    'python',
    'if not urllib.parse.urlparse(p).netloc: redirect(p)',
    'if urllib.parse.urlparse(p).netloc: redirect(p)',
  ],
  [
    REDIRECT,
    'php',
    'header("Location: " . $_SERVER["PHP_SELF"]);',
    'header("Location: " . $_SERVER["HTTP_REFERER"]);',
  ],
  [REDIRECT, 'ruby', 'redirect_to p, allow_other_host: false', 'redirect_to p, allow_other_host: true'],
  // Answers in whose type browsers run no script.
  [XSS, 'javascript', "res.type('text/plain').send(p);", "res.type('html').send(p);"],
  [
    XSS,
    'javascript',
    "res.set('Content-Type', 'application/json'); res.send(p);",
    "res.set('X-A', 'application/json'); res.send(p);",
  ],
  [
    XSS,
    'go',
    'w.Header().Set("Content-Type", "text/plain"); w.Write([]byte(p))',
    'w.Header().Set("Content-Type", "text/html"); w.Write([]byte(p))',
  ],
  [
    XSS,
    'java',
    'resp.setContentType("application/json"); resp.getWriter().print(p);',
    'resp.setContentType("text/html"); resp.getWriter().print(p);',
  ],
  [
    XSS,
    'php',
    'header("Content-Type: application/json"); echo $p;',
    'header("Content-Type: text/html"); echo $p;',
  ],
  [XSS, 'php', 'printf("%d", $p);', 'printf("%s", $p);'],
  // A filter with an operator that takes a value, and one that runs code.
  [
    NOSQL,
    'javascript',
    "require('mongoose').model('A').find({ a: { $eq: req.body.a } });",
    "require('mongoose').model('A').find({ a: { $not: req.body.a } });",
  ],
  [
    NOSQL,
    'javascript',
    "require('mongoose').model('A').find({ a: '' + req.body.a });",
    "require('mongoose').model('A').find({ $where: '' + req.body.a });",
  ],
  // The start of a resolved path.
  [
    PATH,
    'php',
    '$f = realpath($p); if (substr($f, 0, 5) !== "/data") die(); unlink($f);',
    '$f = realpath($p); if (substr($f, 0, 5) === "/data") die(); unlink($f);',
  ],
  // A program and its arguments.
  [COMMAND, 'php', 'Process::run(["ls", $p]);', 'Process::run("ls " . $p);'],
])('%s in %s: harmless %s', async (rule, language, harmless, harmful) => {
  expect(await linesFound(rule, language, [harmless])).toEqual([]);
  expect(await linesFound(rule, language, [harmful])).toContain(1);
});
