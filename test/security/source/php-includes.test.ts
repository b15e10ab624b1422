import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

/** Variables that an included file fills and the page uses, and the reverse. */

const scanner = createSourceScanner();

/** `rule path:line` of what several files show together. */
async function found(files: Readonly<Record<string, string>>): Promise<string[]> {
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  const together = await scanner.together?.scan(all, { deep: true }, () => undefined);
  const out = (together?.findings ?? []).map(
    ({ id, path, line }) => `${id.replace('source/', '')} ${path}:${line}`,
  );
  return out.sort();
}

const CHOOSES = `<?php
define('TOP', '../../');
require_once TOP . 'lib/page.php';
$page = newPage();
switch (level()) {
  case 'low': $file = 'low.php'; break;
  case 'medium': $file = 'medium.php'; break;
  default: $file = 'safe.php'; break;
}
`;
const PAGE = `<?php
function newPage() { return array('title' => 'a', 'body' => ''); }
function showPage($all) { echo "<html><title>{$all['title']}</title>" . theme() . "{$all['body']}</html>"; }
function theme() { return isset($_COOKIE['theme']) ? htmlspecialchars($_COOKIE['theme']) : 'dark'; }
`;
const PRINTS = {
  'lib/page.php': PAGE,
  'pages/greet/low.php': '<?php\n$html .= "<b>" . $_GET["name"] . "</b>";\n',
  'pages/greet/medium.php':
    '<?php\n$name = str_replace("<script>", "", $_GET["name"]);\n$html .= "<b>{$name}</b>";\n',
  'pages/greet/safe.php': '<?php\n$name = htmlspecialchars($_GET["name"]);\n$html .= "<b>{$name}</b>";\n',
};
const INDEX = `${CHOOSES}require_once TOP . "pages/greet/{$file}";\n$page['body'] .= "<p>{$html}</p>";\nshowPage($page);\n`;

test('each included file that fills what the page prints is found where it does so', async () => {
  expect(await found({ ...PRINTS, 'pages/greet/index.php': INDEX })).toEqual([
    'cross-site-scripting lib/page.php:3',
    'cross-site-scripting pages/greet/low.php:2',
    'cross-site-scripting pages/greet/medium.php:3',
  ]);
  const safe = INDEX.replaceAll("'low.php'", "'safe.php'").replaceAll("'medium.php'", "'safe.php'");
  expect(await found({ ...PRINTS, 'pages/greet/index.php': safe })).toEqual([]);
});

test('a file that the page includes by a name that an included file takes from the request', async () => {
  const files = {
    'lib/page.php': PAGE,
    'pages/show/low.php': '<?php\n$show = $_GET["page"];\n',
    'pages/show/medium.php':
      '<?php\n$show = $_GET["page"];\n$show = str_replace(array("../", "..\\\\"), "", $show);\n',
    'pages/show/safe.php':
      '<?php\n$show = $_GET["page"];\n$all = ["a.php", "b.php"];\nif (!in_array($show, $all)) { echo "no"; exit; }\n',
    'pages/show/index.php': `${CHOOSES}require_once TOP . "pages/show/{$file}";\nif (isset($show)) include($show);\n`,
  };
  expect(await found(files)).toEqual([
    'code-injection pages/show/index.php:11',
    'code-injection pages/show/low.php:2',
    'code-injection pages/show/medium.php:3',
  ]);
  const safe = files['pages/show/safe.php'];
  const all = { ...files, 'pages/show/low.php': safe, 'pages/show/medium.php': safe };
  expect(await found(all)).toEqual([]);
});

test.each<[string, string]>([
  ['a constant', "const LIB = '/lib';\nrequire __DIR__ . LIB . '/take.php';"],
  ['the folder above', "require dirname(__DIR__) . '/web/lib/take.php';"],
  ['the folder of the file', "require dirname(__FILE__) . '/lib/take.php';"],
  ['one of an array', "$which = ['a' => 'lib/take.php'];\nrequire $which['a'];"],
  ['a condition', "$which = $x ? 'lib/take.php' : 'lib/other.php';\nrequire $which;"],
])('an included file is found by %s', async (_, include) => {
  const files = {
    'web/lib/take.php': '<?php\n$given = $_GET["q"];\n',
    'web/lib/other.php': '<?php\n$given = "a";\n',
    'web/index.php': `<?php\n${include}\necho "<p>$given</p>";\n`,
  };
  expect(await found(files)).toEqual([
    `cross-site-scripting web/index.php:${include.split('\n').length + 2}`,
  ]);
});

test('files that include each other, or very many, end', async () => {
  const files: Record<string, string> = {};
  for (let at = 0; at < 40; at++)
    files[`a${at}.php`] =
      `<?php\n$next = $x ? 'a${(at + 1) % 40}.php' : 'a${(at + 7) % 40}.php';\n$q .= $_GET['q'];\ninclude $next;\n`;
  files['index.php'] = "<?php\ninclude 'a0.php';\necho $q;\n";
  expect(await found(files)).toContain('cross-site-scripting index.php:3');
});
