import { expect, test } from 'vitest';
import { COMMAND, IF, type Language, linesFound, RUNS, taken } from './handlers.ts';

/** Conditions that rule out harm: where they hold, where they do not, and what looks like one and is none. */

const FIRST = [2];
const SECOND = [4];
const BOTH = [2, 4];

/** Lines in which the request's text is still found: 2 in the branch where the condition holds, 4 in the other. */
test.each<[Language, string, readonly number[]]>([
  // Equal to a constant, in whatever order and language.
  ['python', 'p == "a"', SECOND],
  ['python', '"a" == p', SECOND],
  ['python', 'p != "a"', FIRST],
  ['python', 'p is "a"', SECOND],
  ['python', 'p is not "a"', FIRST],
  ['python', 'p == None', BOTH],
  ['python', 'p == 3', SECOND],
  ['python', 'len(p) == 3', BOTH],
  ['javascript', 'p.length === 3', BOTH],
  ['javascript', 'parseInt(p) === 3', BOTH],
  ['javascript', 'req.query.n === 3', BOTH],
  ['python', 'p is not None', BOTH],
  ['python', 'p == other', BOTH],
  ['python', 'p == request.args["q"]', BOTH],
  ['python', 'p > "a"', BOTH],
  ['python', 'not p == "a"', FIRST],
  ['python', 'not (p != "a")', SECOND],
  ['javascript', "p === 'a'", SECOND],
  ['javascript', "p !== 'a'", FIRST],
  ['javascript', "'a' === p", SECOND],
  ['javascript', "!(p === 'a')", FIRST],
  ['javascript', "(q = p) === 'a'", BOTH],
  ['ruby', 'p == "a"', SECOND],
  ['go', 'p == "a"', SECOND],
  ['csharp', 'p == "a"', SECOND],
  ['php', '$p === "a"', SECOND],
  // Both of an `and` hold; one of an `or` does.
  ['python', 'p == "a" and other()', SECOND],
  ['python', 'other() and p == "a"', SECOND],
  ['python', 'p == "a" or other()', BOTH],
  ['python', 'p != "a" or other()', FIRST],
  ['python', 'other() or p != "a"', FIRST],
  ['python', 'p != "a" and other()', BOTH],
  ['python', 'not (p == "a" and other())', FIRST],
  // In a list of this program's.
  ['python', 'p in ("a", "b")', SECOND],
  ['python', 'p not in ("a", "b")', FIRST],
  ['python', 'p in ALLOWED', SECOND],
  ['python', 'p in request.args', BOTH],
  ['javascript', "['a', 'b'].includes(p)", SECOND],
  ['javascript', "!['a', 'b'].includes(p)", FIRST],
  ['javascript', "['a', 'b'].indexOf(p) === -1", FIRST],
  ['javascript', "['a', 'b'].indexOf(p) !== -1", SECOND],
  ['javascript', "-1 === ['a', 'b'].indexOf(p)", FIRST],
  ['javascript', "['a', 'b'].indexOf(p) >= 0", SECOND],
  ['javascript', "['a', 'b'].indexOf(p) > -1", SECOND],
  ['javascript', "['a', 'b'].indexOf(p) < 0", FIRST],
  ['javascript', "['a', 'b'].indexOf(p) <= 0", BOTH],
  ['javascript', "['a', 'b'].indexOf(p) > other", BOTH],
  ['javascript', "['a', 'b'].includes(p) === true", SECOND],
  ['javascript', "['a', 'b'].includes(p) === false", FIRST],
  ['javascript', "['a', 'b'].includes(p) !== true", FIRST],
  ['javascript', "['a', 'b'].includes(p) === other", BOTH],
  ['javascript', 'allowed.has(p)', SECOND],
  ['javascript', 'req.query.list.includes(p)', BOTH],
  ['javascript', 'allowed.hasSome(p)', BOTH],
  ['javascript', 'allowed.excludes(p)', BOTH],
  ['javascript', 'allowed.has()', BOTH],
  ['ruby', '%w[a b].include?(p)', SECOND],
  ['ruby', 'ALLOWED.key?(p)', SECOND],
  ['ruby', 'ALLOWED.member?(p)', SECOND],
  ['java', 'Set.of("a", "b").contains(p)', SECOND],
  ['java', 'ALLOWED.containsKey(p)', SECOND],
  ['java', '!ALLOWED.contains(p)', FIRST],
  ['csharp', 'allowed.Contains(p)', SECOND],
  ['csharp', 'allowed.ContainsKey(p)', SECOND],
  ['php', 'in_array($p, ["a", "b"])', SECOND],
  ['php', 'in_array($p, ["a", "b"], true)', SECOND],
  ['php', 'in_array("a", $p)', BOTH],
  ['php', '!in_array($p, $allowed)', FIRST],
  ['go', 'slices.Contains(allowed, p)', SECOND],
  ['go', '!slices.Contains(allowed, p)', FIRST],
  // Matched by a pattern.
  ['python', 're.fullmatch(r"[a-z]+", p)', SECOND],
  ['python', 're.match(r"[a-z]+", p)', SECOND],
  ['python', 'not re.match(r"[a-z]+", p)', FIRST],
  ['python', 're.rematch(r"[a-z]+", p)', BOTH],
  ['python', 're.matching(r"[a-z]+", p)', BOTH],
  ['javascript', '/^[a-z]+$/.test(p)', SECOND],
  ['javascript', 'p.match(/^[a-z]+$/)', SECOND],
  ['javascript', '/^[a-z]+$/.test(p) === false', FIRST],
  ['javascript', '/^[a-z]+$/.test(other)', BOTH],
  ['java', 'p.matches("[a-z]+")', SECOND],
  ['ruby', 'p.match?(/\\A[a-z]+\\z/)', SECOND],
  ['php', 'preg_match("/^[a-z]+$/", $p)', SECOND],
  ['csharp', 'Regex.IsMatch(p, "^[a-z]+$")', SECOND],
  // Of digits or letters alone.
  ['python', 'p.isdigit()', SECOND],
  ['python', 'p.isalnum()', SECOND],
  ['python', 'not p.isalnum()', FIRST],
  ['python', 'p.isdigits()', BOTH],
  ['python', 'p.noisdigit()', BOTH],
  ['python', 'other.isdigit()', BOTH],
  ['php', 'ctype_alnum($p)', SECOND],
  ['php', 'is_numeric($p)', SECOND],
  ['javascript', 'Number.isInteger(p)', SECOND],
  ['javascript', 'validator.isUUID(p)', SECOND],
  // Allowed, as the name of the function says.
  ['python', 'is_valid(p)', SECOND],
  ['python', 'not is_valid(p)', FIRST],
  ['python', 'isallowed(p)', SECOND],
  ['python', '_is_safe(p)', SECOND],
  ['python', 'allowed(p)', SECOND],
  ['python', 'has_permitted(p)', SECOND],
  ['python', 'haspermitted(p)', SECOND],
  ['python', 'check_trusted(p)', SECOND],
  ['python', 'validate_known(p)', SECOND],
  ['python', 'verify_safe(p)', SECOND],
  ['python', 'assert_valid(p)', SECOND],
  ['python', 'is_in_allowed(p)', SECOND],
  ['python', 'inallowed(p)', SECOND],
  ['python', 'is_invalid(p)', BOTH],
  ['python', 'is_unsafe(p)', BOTH],
  ['python', 'was_valid(p)', BOTH],
  ['python', 'is_valid(other)', BOTH],
  ['python', 'is_valid(other, p)', SECOND],
  ['python', 'p.is_valid()', SECOND],
  ['python', 'p.is_valid(other)', BOTH],
  ['javascript', 'isAllowed(p)', SECOND],
  ['javascript', 'checkAllowed(p)', SECOND],
  ['javascript', 'validateKnown(p)', SECOND],
  ['javascript', 'verifyTrusted(p)', SECOND],
  ['javascript', 'assertSafe(p)', SECOND],
  ['javascript', 'inAllowed(p)', SECOND],
  ['java', 'isWhitelisted(p)', SECOND],
  ['php', 'is_allowed($p)', SECOND],
  ['ruby', 'allowed?(p)', SECOND],
  ['go', 'isAllowed(p)', SECOND],
  ['csharp', 'IsTrusted(p)', SECOND],
  // Of none of these.
  ['python', 'p', BOTH],
  ['python', 'len(p) < 5', BOTH],
  ['python', 'p.startswith("a")', BOTH],
  ['python', 'other()', BOTH],
  ['javascript', 'table[0](p)', BOTH],
  ['javascript', 'log(p)', BOTH],
])('in %s `if %s` leaves the text in %j', async (language, condition, found) => {
  expect(await taken(language, condition)).toEqual(found);
});

/** Characters that a text is known not to hold: what they would do is then ruled out. */
test.each<[Language, string, readonly number[]]>([
  ['python', '";" in p', FIRST],
  ['python', '";" not in p', SECOND],
  ['python', '"x" in p', BOTH],
  ['javascript', "p.includes(';')", FIRST],
  ['javascript', "!p.includes(';')", SECOND],
  ['javascript', "p.indexOf(';') === -1", SECOND],
  ['javascript', "p.indexOf(';') >= 0", FIRST],
  ['java', 'p.indexOf(";") == -1', SECOND],
  ['java', 'p.indexOf(";") != -1', FIRST],
  ['java', 'p.indexOf(";") == 1', BOTH],
  ['csharp', 'p.IndexOf(";") == -1', BOTH],
  ['go', 'strings.Index(p, ";") == -1', BOTH],
  ['python', 'p.find(";") == -1', SECOND],
  ['python', 'p.find(";") == +1', BOTH],
  ['php', 'strpos($p, ";") !== false', FIRST],
  ['php', 'strpos($p, ";") === false', SECOND],
  ['php', 'str_contains($p, ";")', FIRST],
  ['java', 'p.contains(";")', FIRST],
  ['go', 'strings.Contains(p, ";")', FIRST],
  ['go', '!strings.Contains(p, ";")', SECOND],
  ['ruby', 'p.include?(";")', FIRST],
  ['csharp', 'p.Contains(";")', FIRST],
])('in %s after `%s` the text is dangerous in %j', async (language, condition, found) => {
  expect(await taken(language, condition)).toEqual(found);
});

const REDIRECT = 'source/open-redirect';
const PATH = 'source/path-traversal';
const CODE = 'source/code-injection';
const REDIRECTS: Partial<Record<Language, string>> = {
  javascript: 'res.redirect(p);',
  python: 'redirect(p)',
  java: 'resp.sendRedirect(p);',
  go: 'http.Redirect(w, r, p, 302)',
  php: 'header("Location: " . $p);',
};

test.each<[Language, string, readonly number[]]>([
  ['javascript', "p.startsWith('https://a.example/')", SECOND],
  ['javascript', "p.startsWith('http://a.example/')", SECOND],
  ['javascript', "!p.startsWith('https://a.example/')", FIRST],
  ['javascript', "p.startsWith('https://a.example')", BOTH],
  ['javascript', "p.startsWith('https://')", BOTH],
  ['javascript', "p.startsWith('/')", SECOND],
  ['javascript', "p.startsWith('//')", BOTH],
  ['javascript', "p.startsWith('./')", SECOND],
  ['javascript', "p.startsWith('x/')", BOTH],
  ['javascript', "p.startsWith('a https://a.example/')", BOTH],
  ['javascript', 'p.startsWith(other)', BOTH],
  ['javascript', 'p.startsWith()', BOTH],
  ['javascript', "p.startsWithout('/')", BOTH],
  ['javascript', "p.notstartsWith('/')", BOTH],
  ['javascript', "startsWith('/')", BOTH],
  ['python', 'p.startswith("/")', SECOND],
  ['python', 'url_has_allowed_host_and_scheme(p)', SECOND],
  ['java', 'p.startsWith("/")', SECOND],
  ['go', 'strings.HasPrefix(p, "/")', SECOND],
  ['go', 'strings.HasPrefix("/", p)', BOTH],
  ['php', 'str_starts_with($p, "/")', SECOND],
  ['php', 'str_starts_with("/", $p)', BOTH],
])('in %s after `%s` a redirect is open in %j', async (language, condition, found) => {
  const line = REDIRECTS[language] ?? '';
  expect(await linesFound(REDIRECT, language, IF[language](condition, line, line))).toEqual(found);
});

test.each<[string, Language, readonly string[], readonly number[]]>([
  // The host of an address was compared, and its path was not.
  [REDIRECT, 'javascript', ['const u = new URL(p);', "if (u.host === 'a.example') res.redirect(u);"], []],
  [REDIRECT, 'javascript', ['const u = new URL(p);', 'if (u.host === OWN) res.redirect(u);'], []],
  [REDIRECT, 'javascript', ['const u = new URL(p);', 'if (u.host !== OWN) res.redirect(u);'], [2]],
  [REDIRECT, 'javascript', ['const u = new URL(p);', 'if (u.host === req.query.q) res.redirect(u);'], [2]],
  [REDIRECT, 'javascript', ['if (p === OWN) res.redirect(p);'], [1]],
  [COMMAND, 'javascript', ['const u = new URL(p);', 'if (u.host === OWN) exec(u);'], [2]],
  // A resolved path that begins with a folder of the program's.
  [PATH, 'python', ['q = os.path.realpath(p)', 'if q.startswith("/srv/"):', '    open(q)'], []],
  [PATH, 'python', ['q = os.path.realpath(p)', 'if q.startswith(BASE):', '    open(q)'], []],
  [PATH, 'python', ['q = os.path.realpath(p)', 'if not q.startswith(BASE):', '    open(q)'], [3]],
  [PATH, 'python', ['q = os.path.realpath(p)', 'if q.startswith(p):', '    open(q)'], [3]],
  [PATH, 'python', ['q = os.path.realpath(p)', 'if other.startswith(BASE):', '    open(q)'], [3]],
  [PATH, 'python', ['q = BASE + p', 'if q.startswith(BASE):', '    open(q)'], [3]],
  [COMMAND, 'python', ['q = os.path.realpath(p)', 'if q.startswith(BASE):', '    os.system(q)'], [3]],
  // A text between quotes, with no other quote in it, is data of its own.
  [CODE, 'python', ['if p.startswith("\'") and "\'" not in p[1:-1]:', '    eval(p)'], []],
  [CODE, 'python', ["if p.startswith('\"') and '\"' not in p[1:-1]:", '    eval(p)'], []],
  [CODE, 'python', ['if p.startswith("\'"):', '    eval(p)'], [2]],
  [CODE, 'python', ['if "\'" not in p[1:-1]:', '    eval(p)'], [2]],
  [CODE, 'python', ['if p.startswith("x") and "\'" not in p[1:-1]:', '    eval(p)'], [2]],
  // A part of a text was checked, and the rest was not.
  [COMMAND, 'python', ['if ";" not in p[1:]:', '    os.system(p)'], [2]],
  [COMMAND, 'python', ['if p[0:3] == "abc":', '    os.system(p)'], [2]],
  // One field of the request was checked, and another was not.
  [COMMAND, 'javascript', ["if (req.query.a === 'x') exec(req.query.a);"], []],
  [COMMAND, 'javascript', ["if (req.query.a === 'x') exec(req.query.b);"], [1]],
  [COMMAND, 'javascript', ["if (req.query.a === 'x') exec(p);"], [1]],
  [COMMAND, 'python', ['if request.args["a"] == "x":', '    os.system(request.args["a"])'], []],
  [COMMAND, 'python', ['if request.args["a"] == "x":', '    os.system(request.args["b"])'], [2]],
  [COMMAND, 'php', ['if ($_GET["a"] === "x") system($_GET["a"]);'], []],
  [COMMAND, 'php', ['if ($_GET["a"] === "x") system($_GET["b"]);'], [1]],
  // What a variable was made of is checked with it.
  [COMMAND, 'javascript', ['const q = p.trim();', "if (q === 'x') exec(p);"], []],
  [COMMAND, 'javascript', ['const q = p.trim();', "if (p === 'x') exec(q);"], [2]],
  [COMMAND, 'python', ['if (q := p) == "x":', '    os.system(q)'], []],
  [COMMAND, 'javascript', ['let m;', 'if (m = /^[a-z]+$/.test(p)) exec(p);'], []],
  [COMMAND, 'javascript', ['let m;', 'if (!(m = /^[a-z]+$/.test(p))) exec(p);'], [2]],
  // A check that leaves the function holds for what follows it.
  [COMMAND, 'javascript', ["if (p !== 'x') return;", 'exec(p);'], []],
  [COMMAND, 'javascript', ["if (p !== 'x') log();", 'exec(p);'], [2]],
  [COMMAND, 'javascript', ["exec(p === 'x' ? p : 'y');"], []],
  [COMMAND, 'javascript', ["exec(p !== 'x' ? p : 'y');"], [1]],
  [COMMAND, 'javascript', ["p === 'x' && exec(p);"], []],
  [COMMAND, 'javascript', ["p === 'x' || exec(p);"], [1]],
  [COMMAND, 'python', ['while p == "x":', `    ${RUNS.python}`], []],
])('%s in %s: %j: %j', async (rule, language, lines, found) => {
  expect(await linesFound(rule, language, lines)).toEqual(found);
});

test('conditions within each other are followed some levels down', async () => {
  const not = (times: number) => `${'!('.repeat(times)}p === 'x'${')'.repeat(times)}`;
  expect(await taken('javascript', not(10))).toEqual(SECOND);
  expect(await taken('javascript', not(40))).toEqual(BOTH);
});
