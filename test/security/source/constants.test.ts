import { expect, test } from 'vitest';
import { COMMAND, type Language, linesFound, RUNS, taken } from './handlers.ts';

/** Conditions of constants: a branch that they never take shows no weakness, and one that may be taken does. */

test.each<[Language, string]>([
  ['python', '3 + 4 == 7'],
  ['python', '4 - 3 == 1'],
  ['python', '3 * 4 == 12'],
  ['python', '12 / 4 == 3'],
  ['python', '14 % 4 == 2'],
  ['python', '0 % 4 == 0'],
  ['python', '2 ** 3 == 8'],
  ['python', '3 < 4'],
  ['python', '4 > 3'],
  ['python', '3 <= 4'],
  ['python', '4 <= 4'],
  ['python', '4 >= 4'],
  ['python', '4 >= 3'],
  ['python', '4 != 3'],
  ['python', '"a" == "a"'],
  ['python', '"a" != "b"'],
  ['python', '"a" is "a"'],
  ['python', '"a" is not None'],
  ['python', 'None is None'],
  ['python', '"a" in "cat"'],
  ['python', '"x" not in "cat"'],
  ['python', '"a" + "b" == "ab"'],
  ['python', '"A".lower() == "a"'],
  ['python', '"a".upper() == "A"'],
  ['python', '" a ".strip() == "a"'],
  ['python', '"a".encode() == "a"'],
  ['python', '"a".decode() == "a"'],
  ['python', 'True'],
  ['python', '1'],
  ['python', '"text"'],
  ['python', 'not False'],
  ['python', 'True and True'],
  ['python', 'False or True'],
  ['python', 'len("abc") == 3'],
  ['javascript', "'A'.toLowerCase() === 'a'"],
  ['javascript', "'a'.toUpperCase() === 'A'"],
  ['javascript', "' a '.trim() === 'a'"],
  ['javascript', "'a'.toString() === 'a'"],
  ['javascript', "'abc'.charAt(1) === 'b'"],
  ['javascript', "'a'.concat('b') === 'ab'"],
  ['javascript', "1 + 'a' === '1a'"],
  ['javascript', '3 === 3'],
  ['javascript', '3 !== 4'],
  ['javascript', "'a' !== 'b'"],
  ['javascript', "1 !== '1'"],
  ['javascript', '!false'],
  ['javascript', 'true && 1'],
  ['javascript', 'false || 1'],
  ['java', '7 * 18 + 106 > 200'],
  ['java', '"a" == "a"'],
  ['go', '1 < 2'],
  ['php', '"a" . "b" === "ab"'],
  ['php', '1 <> 2'],
  ['ruby', '1 == 1'],
  ['csharp', '"a" + "b" == "ab"'],
])('in %s `%s` always holds', async (language, condition) => {
  expect(await taken(language, condition)).toEqual([2]);
});

test.each<[Language, string]>([
  ['python', '3 + 4 == 8'],
  ['python', '3 - 4 == 1'],
  ['python', '4 < 4'],
  ['python', '4 < 3'],
  ['python', '4 > 4'],
  ['python', '3 > 4'],
  ['python', '5 <= 4'],
  ['python', '3 >= 4'],
  ['python', '4 != 4'],
  ['python', '"a" == "b"'],
  ['python', '"a" != "a"'],
  ['python', '"a" is None'],
  ['python', 'None is not None'],
  ['python', '"x" in "cat"'],
  ['python', '"a" not in "cat"'],
  ['python', 'None'],
  ['python', 'False'],
  ['python', 'not True'],
  ['python', 'not "a"'],
  ['python', 'True and False'],
  ['python', 'False or False'],
  ['python', 'other() and False'],
  ['javascript', 'other() && null'],
  ['javascript', '3 === 4'],
  ['javascript', '3 !== 3'],
  ['javascript', "'a' === 'b'"],
  ['javascript', "'a' !== 'a'"],
  ['javascript', "1 === '1'"],
  ['javascript', "'1' === 1"],
  ['javascript', 'null'],
  ['java', '7 * 18 + 106 < 200'],
  ['go', '1 > 2'],
  ['php', '"a" . "b" === "b"'],
  ['ruby', '1 == 2'],
  ['ruby', 'nil'],
  ['csharp', '"a" == "b"'],
])('in %s `%s` never holds', async (language, condition) => {
  expect(await taken(language, condition)).toEqual([4]);
});

/** What languages judge differently, and what is not computed: both branches count. */
test.each<[Language, string]>([
  ['ruby', '0'],
  ['ruby', '""'],
  ['php', '"0"'],
  ['php', '0'],
  ['javascript', "''"],
  // A quotient with a rest is a fraction here.
  ['python', '7 / 2 > 3'],
  ['python', '1 / 0 == 1'],
  ['python', '1 % 0 == 1'],
  ['python', '(0 - 7) % 3 == 2'],
  ['java', '(0 - 7) % 3 == -1'],
  ['python', '7 % (0 - 3) == 1'],
  // The one operator converts in JavaScript and PHP alone.
  ['javascript', "1 == '1'"],
  ['php', '1 == "1"'],
  ['php', '"" == null'],
  ['javascript', "1 != '1'"],
  ['javascript', "'a' < 'b'"],
  ['javascript', "'a' - 'b'"],
  ['javascript', '1 & 2'],
  ['javascript', "'abc'.charAt(n) === 'b'"],
  ['javascript', "'a'.toString(16) === 'a'"],
  ['javascript', "'a'.constructor() === 'a'"],
  ['python', 'other() and True'],
  ['python', 'other() or False'],
  ['python', '"a" in other'],
  ['go', 'x > 2'],
])('in %s `%s` may hold or not', async (language, condition) => {
  expect(await taken(language, condition)).toEqual([2, 4]);
});

/** A text of more characters than are kept is not known. */
test('a constant text is tracked up to a maximum length', async () => {
  const known = async (length: number) => {
    const lines = [`h = "${'a'.repeat(length)}" + "b"`, 'if h + "b" == "b":', `    ${RUNS.python}`];
    return linesFound(COMMAND, 'python', lines);
  };
  expect(await known(4094)).toEqual([]);
  expect(await known(4095)).toEqual([3]);
});

const XSS = 'source/cross-site-scripting';
const SSRF = 'source/server-side-request-forgery';
const REDIRECT = 'source/open-redirect';

test.each<[string, Language, string, boolean]>([
  // Behind the program's own host or path nobody chooses where an address leads.
  [REDIRECT, 'javascript', "res.redirect('https://a.example/' + p);", false],
  [REDIRECT, 'javascript', "res.redirect('https://a.example' + p);", true],
  [REDIRECT, 'javascript', "res.redirect('https://' + p);", true],
  [REDIRECT, 'javascript', "res.redirect('https://' + p + '/a.example/');", true],
  [REDIRECT, 'javascript', "res.redirect('svn+ssh.2-x://a.example/' + p);", false],
  [REDIRECT, 'javascript', "res.redirect('HTTPS://a.example/' + p);", false],
  [REDIRECT, 'javascript', "res.redirect('/a/' + p);", false],
  [REDIRECT, 'javascript', "res.redirect('/' + p);", true],
  [REDIRECT, 'javascript', "res.redirect('//' + p);", true],
  [REDIRECT, 'javascript', "res.redirect('/\\\\' + p);", true],
  [REDIRECT, 'javascript', "res.redirect('?a=' + p);", false],
  [REDIRECT, 'javascript', "res.redirect('#' + p);", false],
  [REDIRECT, 'javascript', "res.redirect('a?' + p);", true],
  [REDIRECT, 'javascript', 'res.redirect(1 + p);', true],
  [REDIRECT, 'javascript', "res.redirect(p + '/a/');", true],
  [REDIRECT, 'python', 'redirect(f"/a/{p}")', false],
  [REDIRECT, 'python', 'redirect(f"{other}/a/{p}")', true],
  [SSRF, 'javascript', "fetch('https://a.example/' + p);", false],
  [SSRF, 'javascript', "fetch('https://' + p);", true],
  [XSS, 'javascript', "res.send('/a/' + p);", true],
  [COMMAND, 'javascript', "exec('/bin/ls/' + p);", true],
  [COMMAND, 'javascript', "exec('a' + 'b');", false],
  [COMMAND, 'python', 'os.system("ls %s" % p)', true],
  [COMMAND, 'python', 'os.system("ls %s %s" % ("a", p))', true],
  [COMMAND, 'python', 'os.system("ls {}".format(p))', true],
  [COMMAND, 'python', 'os.system(" ".join(["ls", p]))', true],
  [COMMAND, 'python', 'os.system(" ".join(["ls", "a"]))', false],
  [COMMAND, 'python', 'os.system(f"ls {p}")', true],
])('%s in %s: %s: %s', async (rule, language, line, isFound) => {
  expect(await linesFound(rule, language, [line])).toEqual(isFound ? [1] : []);
});
