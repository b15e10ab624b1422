import { expect, test } from 'vitest';
import { assessControls } from '../../../src/compliance/assessing/assess.ts';
import type { Evidence } from '../../../src/compliance/assessing/evidence.ts';
import { CATALOGUES } from '../../../src/compliance/catalogues/list.ts';
import { readTechnologies } from '../../../src/compliance/evidence/read-technologies.ts';
import { canShowTechnologies, findTechnologies } from '../../../src/compliance/evidence/technologies.ts';
import { evidence, finding } from '../../helpers/compliance.ts';

/** Controls about what an application does not use do not apply; what may use it is not called absent. */

async function seenIn(files: Readonly<Record<string, string | undefined>>) {
  const found = await readTechnologies(
    {
      subject: 'shop',
      files: Object.entries(files).map(([path, text = '']) => ({ path, bytes: text.length })),
      content: async (path) => (files[path] === undefined ? undefined : Buffer.from(files[path])),
    },
    new AbortController().signal,
  );
  return { found, states: Object.fromEntries(found.map(({ name, state }) => [name, state])) };
}

const PLAIN = {
  'server.js': "const { get } = require('http');\nconst request = new XMLHttpRequest();\n",
  'package.json': '{"dependencies":{"express":"5.0.0"}}',
  'public/index.html':
    '<html xmlns="http://www.w3.org/1999/xhtml"><p>What LDAP and XPath injection is</p></html>',
  'README.md': 'We read no XML, and ask no LDAP server.',
  'public/js/jquery.min.js': 'a.parseXML=new DOMParser;document.evaluate(b)',
  'package-lock.json': '{"packages":{"node_modules/xml2js":{}}}',
};
const ABSENT = { ldap: 'absent', xpath: 'absent', xml: 'absent' };

test('prose, pages and lockfiles show no technology; searched files are counted', async () => {
  const { found, states } = await seenIn(PLAIN);
  expect(states).toEqual(ABSENT);
  expect(found[0]?.detail).toBe('3 files of code, settings and dependencies searched');
});

test('a technology in a file is present, and the others are absent', async () => {
  const { found, states } = await seenIn({ ...PLAIN, 'read.js': "const libxmljs = require('libxmljs');" });
  expect(states).toEqual({ ldap: 'absent', xpath: 'present', xml: 'present' });
  expect(found.find(({ name }) => name === 'xml')?.detail).toBe('read.js');
});

test.each([
  ['auth.js', "const ldap = require('ldapjs');", { ldap: 'present' }],
  ['Auth.java', 'import javax.naming.directory.InitialDirContext;', { ldap: 'present' }],
  ['package.json', '{"dependencies":{"passport-activedirectory":"1"}}', { ldap: 'present' }],
  ['settings.yaml', 'auth: { ldap_url: x }', { ldap: 'present' }],
  ['Find.cs', 'document.SelectNodes(q)', { xpath: 'present' }],
  ['find.py', 'from lxml import etree', { xpath: 'present', xml: 'present' }],
  ['read.js', "const libxmljs = require('libxmljs');", { xpath: 'present', xml: 'present' }],
  ['upload.py', 'from docx import Document', { xml: 'present' }],
  ['feed.rb', "require 'rss'", { xml: 'present' }],
  ['sso.go', 'import "github.com/crewjam/saml"', { xml: 'present' }],
  ['requirements.txt', 'python-docx==1.1\n', { xml: 'present' }],
  ['data/goods.xml', '<goods/>', { xml: 'present' }],
  ['page.html', '<script>new DOMParser()</script>', { xml: 'present' }],
])('the file %s with the text %j shows the technologies %j', async (path, text, shown) => {
  const files = Object.entries({ ...PLAIN, [path]: text }).filter(([name]) => canShowTechnologies(name));
  const seen = findTechnologies(files.map(([name, of]) => ({ path: name, content: Buffer.from(of) })));
  expect(Object.fromEntries(Object.keys(seen).map((name) => [name, 'present']))).toEqual(shown);
});

test('long files are searched to their end, in a worker', async () => {
  const text = `${'# a line of no meaning\n'.repeat(2000)}from lxml import etree`;
  expect((await seenIn({ 'find.py': text })).states).toEqual({
    ...ABSENT,
    xpath: 'present',
    xml: 'present',
  });
});

test.each([
  ['vendor/tool.jar', 'x', 'vendor/tool.jar is built, and cannot be searched'],
  ['big.js', 'x'.repeat(2_000_001), 'big.js is over 2 MB'],
  ['gone.js', undefined, 'gone.js could not be read'],
])('no technology counts as absent if a file could not be searched: %s', async (path, text, why) => {
  const { found, states } = await seenIn({ ...PLAIN, [path]: text });
  expect(Object.values(states)).toEqual(['unknown', 'unknown', 'unknown']);
  expect(found[0]?.detail).toBe(why);
});

async function statusesOf(seen: Evidence) {
  const [asvs] = await assessControls(
    CATALOGUES.filter(({ id }) => id === 'owasp-asvs'),
    seen,
  );
  const of = (id: string) => asvs?.controls.find((one) => one.id === id);
  return { ldap: of('V1.2.6'), xpath: of('V1.2.7'), xml: of('V1.5.1'), sql: of('V1.2.4') };
}

test('controls of an absent technology do not apply, and name the searched files; others stay', async () => {
  const technologies = (await seenIn(PLAIN)).found;
  const absent = await statusesOf(evidence([], { technologies }));
  for (const one of [absent.ldap, absent.xpath, absent.xml]) expect(one?.status).toBe('not_applicable');
  expect(absent.ldap?.reason).toBe(
    'Nothing to check: no use of LDAP was seen (3 files of code, settings and dependencies searched)',
  );
  expect(absent.sql?.status).not.toBe('not_applicable');
  const before = await statusesOf(evidence());
  for (const one of [before.ldap, before.xpath, before.xml]) expect(one?.status).toBe('no_findings');
});

test('a technology in one of several repositories is present, a finding counts, and a gap leaves all open', async () => {
  const technologies = (await seenIn(PLAIN)).found;
  const subjects = ['shop', 'till'].map((name) => ({ name, kind: 'repository' as const }));
  const looks = subjects.flatMap(({ name }) => evidence().looks.map((one) => ({ ...one, subject: name })));
  const two = await statusesOf(evidence([], { subjects, looks, technologies }));
  expect(two.ldap?.status).toBe('no_findings');
  const both = [...technologies, ...technologies.map((one) => ({ ...one, subject: 'till' }))];
  expect((await statusesOf(evidence([], { subjects, looks, technologies: both }))).ldap?.status).toBe(
    'not_applicable',
  );
  const found = await statusesOf(
    evidence([finding('source/ldap-injection', { cwe: ['CWE-90'] })], { technologies }),
  );
  expect(found.ldap?.status).toBe('fail');
  const gap = evidence().looks.map((one) => ({ ...one, partly: true, why: '1 big file' }));
  expect((await statusesOf(evidence([], { technologies, looks: gap }))).ldap?.status).toBe('not_assessed');
});
