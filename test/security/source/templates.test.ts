import { expect, test } from 'vitest';
import { translateTemplate } from '../../../src/security/scanners/source/templates/code.ts';
import { type TemplateKind, templateTypeOf } from '../../../src/security/scanners/source/templates/kinds.ts';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

/** Templates: what they print without escaping, and what a program puts into them. */

const scanner = createSourceScanner();
const RULE = 'source/cross-site-scripting';

async function linesOf(path: string, text: string): Promise<string[]> {
  const found = await scanner.scan({ path, text }, { deep: true });
  return found.filter(({ id }) => id === RULE).map(({ line, severity }) => `${severity} ${line}`);
}

async function together(files: Readonly<Record<string, string>>): Promise<string[]> {
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  const found = await scanner.together?.scan(all, { deep: true }, () => undefined);
  return (found?.findings ?? []).map(({ severity, path, line }) => `${severity} ${path}:${line}`);
}

test.each<[path: string, text: string, found: readonly string[]]>([
  ['views/a.ejs', '<p>\n<%- user.name %>\n<%= user.name %>\n<%- include("x") %>\n<%# <%- no %>', ['low 2']],
  ['views/a.ejs', '<%- JSON.stringify(user) %>\n<%- "fixed" %>\n<%- escapeHtml(user.name) %>', []],
  ['views/a.ejs', '<% for (const one of all) { %>\n<%- one %>\n<% } %>', ['low 2']],
  [
    'app/views/a.html.erb',
    '<%= @a %>\n<%= raw @a %>\n<%== @a %>\n<%= @a.html_safe %>',
    ['low 2', 'low 3', 'low 4'],
  ],
  ['app/views/a.html.erb', '<%= raw t("a.b") %>\n<%= "<b>".html_safe %>\n<%= raw sanitize(@a) %>', []],
  ['app/views/a.html.erb', '<%= raw cookies[:font] %>', ['high 1']],
  ['templates/a.html', '{{ a }}\n{{ a | safe }}\n{{ a|tojson|safe }}\n{# {{ a|safe }} #}', ['low 2']],
  ['templates/a.html', '{% autoescape false %}\n{{ a }}{% endautoescape %}\n{{ a }}', ['low 2']],
  ['a.twig', '{% for one in all %}\n{{ one.name|raw }}\n{% endfor %}\n{{ "x"|raw }}', ['low 2']],
  ['a.njk', '{% set a = b %}\n{{ a | safe }}', ['low 2']],
  [
    'a.hbs',
    '{{name}}\n{{{name}}}\n{{#each all}}\n{{& this.name}}\n{{/each}}\n{{{body}}}',
    ['low 2', 'low 4'],
  ],
  ['a.mustache', '{{{ name }}}{{', ['low 1']],
  [
    'a.pug',
    'p= name\np!= name\n!= name\np Hello !{name}\nif a != b\n- const x = 1',
    ['low 2', 'low 3', 'low 4'],
  ],
  [
    'a.blade.php',
    '{{ $a }}\n{!! $a !!}\n{!! e($a) !!}\n@foreach ($all as $one)\n{!! $one->name !!}\n@endforeach',
    ['low 2', 'low 5'],
  ],
  ['page.html', '{{ a | safe }}', []],
])('%s: %j', async (path, text, found) => {
  expect(await linesOf(path, text)).toEqual(found);
});

const EXPRESS = "const app = require('express')();\n";

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    'what Express puts in, by the keys of its object and through what is included',
    {
      'app.js': `${EXPRESS}app.get('/', (req, res) => res.render('shop/list', { shop: { term: req.query.q }, fixed: 'a' }));`,
      'views/shop/list.ejs': '<%= shop.term %>\n<%- shop.term %>\n<%- fixed %>\n<%- include("foot", {}) %>',
      'views/foot.ejs': '<%- shop.term %>',
      'views/other/list.ejs': '<%- shop.term %>',
    },
    ['high views/foot.ejs:1', 'high views/shop/list.ejs:2'],
  ],
  [
    'each element of a list',
    {
      'app.js': `${EXPRESS}app.get('/', (req, res) => res.render('list', { all: req.query.q }));`,
      'views/list.hbs': '{{#each all}}\n<b>{{{this}}}</b>\n{{{name}}}\n{{/each}}',
    },
    ['high views/list.hbs:2', 'high views/list.hbs:3'],
  ],
  [
    'templates whose escaping is switched off',
    {
      'app.js': `${EXPRESS}require('swig').setDefaults({ autoescape: false });
app.get('/', (req, res) => res.render('a', { name: req.query.n }));`,
      'views/a.html': '{{ name }}\n{{ name|e }}',
    },
    ['high views/a.html:1'],
  ],
  [
    'templates that escape',
    {
      'app.js': `${EXPRESS}app.get('/', (req, res) => res.render('a', { name: req.query.n }));`,
      'views/a.html': '{{ name }}',
    },
    [],
  ],
  [
    'what Flask puts in by names',
    {
      'app.py':
        'from flask import request, render_template\ndef show():\n    return render_template("a.html", name=request.args["n"], own="x")\n',
      'templates/a.html': '{{ name }}\n{{ name|safe }}\n{{ own|safe }}',
    },
    ['high templates/a.html:2'],
  ],
  [
    'what Laravel puts in, by dotted names',
    {
      'app/Shop.php':
        '<?php\nfunction show($request) { return view("shop.list", ["name" => $_GET["n"]]); }\n',
      'resources/views/shop/list.blade.php': '{{ $name }}\n{!! $name !!}',
    },
    ['high resources/views/shop/list.blade.php:2'],
  ],
])('%s', async (_, files, found) => {
  expect((await together(files)).sort()).toEqual(found);
});

const KINDS: readonly TemplateKind[] = [
  'ejs',
  'erb',
  'jinja',
  'mustache',
  'pug',
  'blade',
  'jsp',
  'aspx',
  'razor',
  'vue',
  'mybatis',
];

test.each(KINDS)('the code of %s keeps the line numbers of its template', (kind) => {
  const text =
    'a\n<% if (a)\n{ %>\n<%- b %>\n{{ a\n}}\n{% b\n%}\n{{{ c\n}}}\n{#\n#}\n{!! d !!}\n<%# e\n%>\n<% } %>\nend';
  const lines = (whole: string) => whole.split('\n').length;
  const code = translateTemplate(kind, text);
  // Behind the last mark nothing follows.
  expect(lines(code)).toBeLessThanOrEqual(lines(text));
  expect(code.split('\n').findIndex((line) => /\bd\b/.test(line))).toBe(kind === 'blade' ? 12 : -1);
});

test.each(KINDS)('unclosed tags of %s do not hang the parser', { timeout: 120_000 }, (kind) => {
  for (const mark of ['<%', '{{', '{{{', '{%', '{!!', '!{', '{{ a }', "{{ '", '- (', '!='])
    expect(translateTemplate(kind, mark.repeat(200_000)).length).toBeLessThan(20_000_000);
});

test('template files are recognised with their template engine', () => {
  expect(templateTypeOf('a/views/b.html')?.filledBy).toEqual(['Python', 'JavaScript', 'Java']);
  expect(templateTypeOf('a/b.html')).toBeUndefined();
  expect(templateTypeOf('resources/views/a.blade.php')?.language).toBe('PHP');
  expect(templateTypeOf('src/a.php')).toBeUndefined();
  expect(templateTypeOf('src/main/resources/mapper/UserMapper.xml')?.kind).toBe('mybatis');
  expect(templateTypeOf('pom.xml')).toBeUndefined();
  expect(templateTypeOf('web/a.jsp')?.language).toBe('Java');
  expect(templateTypeOf('Views/A.cshtml')?.filledBy).toEqual(['C#']);
  expect(scanner.together?.groupsOf('views/b.html')).toEqual(['Python', 'JavaScript', 'Java']);
  expect(scanner.together?.groupsOf('views/b.ejs')).toEqual(['JavaScript']);
});
