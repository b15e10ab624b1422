import { extractText, getDocumentProxy } from 'unpdf';
import { beforeAll, expect, test } from 'vitest';
import { assessControls } from '../../src/compliance/assessing/assess.ts';
import type { Assessment } from '../../src/compliance/assessing/assessment.ts';
import type { Evidence } from '../../src/compliance/assessing/evidence.ts';
import { CATALOGUES } from '../../src/compliance/catalogues/list.ts';
import { STATUS_COLOURS } from '../../src/compliance/reports/charts.ts';
import { STATUS_TEXT_COLOURS } from '../../src/compliance/reports/html-style.ts';
import { REPORT_WRITERS } from '../../src/compliance/reports/list.ts';
import { COUNT_COLUMN_HEADS } from '../../src/compliance/reports/outline.ts';
import type { ReportData } from '../../src/compliance/reports/report.ts';
import { type ComplianceReportFormat, REPORT_FORMATS } from '../../src/lib/compliance/report-formats.ts';
import { SEVERITIES } from '../../src/lib/severity.ts';
import { AT, evidence, finding } from '../helpers/compliance.ts';
import { oscalFaults } from '../helpers/oscal-schema.ts';
import { seenPages } from '../helpers/pdf-pixels.ts';

const FINGERPRINT = 'f'.repeat(64);
const HOSTILE = '<script>alert(1)</script>|[x](javascript:1)\n# 日本';
let whole: ReportData;
/** The reports of `whole`, each of which is written once. */
const writtenWhole = new Map<ComplianceReportFormat, string | Uint8Array>();

beforeAll(async () => {
  whole = await matterOf(CATALOGUES.map(({ id }) => id));
});

const SEEN = evidence([
  finding('source/sql-injection', { severity: 'critical', cwe: ['CWE-89'], location: `src/${HOSTILE}:3` }),
  finding('secrets/password', { title: HOSTILE, fingerprint: 'second' }),
  finding('infrastructure/docker-root-user', { severity: 'low', fingerprint: 'third' }),
]);

async function matterOf(ids: readonly string[], seen: Evidence = SEEN): Promise<ReportData> {
  const standards = await assessControls(
    CATALOGUES.filter(({ id }) => ids.includes(id)),
    seen,
  );
  const assessment: Assessment = { id: 'c'.repeat(24), createdAt: AT, version: '1.2.3', ...seen, standards };
  return { assessment, key: FINGERPRINT };
}

async function written(format: ComplianceReportFormat, matter = whole): Promise<string | Uint8Array> {
  const known = matter === whole ? writtenWhole.get(format) : undefined;
  if (known !== undefined) return known;
  const report = await REPORT_WRITERS[format](matter);
  if (matter === whole) writtenWhole.set(format, report);
  return report;
}

test.each(['json', 'markdown', 'html', 'oscal'] as const)(
  '%s has every control of every standard',
  async (format) => {
    const text = String(await written(format));
    // In JSON each is a value of its own.
    const values = new Set(format === 'markdown' || format === 'html' ? [] : text.split('"'));
    let at = 0;
    /** Looks behind the last one first: they stand in this order, in megabytes of text. */
    const has = (id: string) => {
      if (values.size > 0) return values.has(id);
      const found = text.indexOf(id, at);
      at = Math.max(at, found);
      return found >= 0 || text.includes(id);
    };
    for (const { standard, controls } of whole.assessment.standards) {
      expect(text).toContain(standard.edition);
      expect(controls.filter(({ id }) => !has(id))).toEqual([]);
    }
    expect(text).toContain(`magpie-seal-2 key=${FINGERPRINT}`);
  },
);

test('OSCAL output is valid by the schema of NIST, for each standard', async () => {
  const faults = oscalFaults(JSON.parse(String(await written('oscal'))));
  expect(faults).toEqual([]);
  expect(oscalFaults({ 'assessment-results': { uuid: '1' } })).not.toEqual([]);
});

test('OSCAL marks passed controls as satisfied, and no others', async () => {
  const { 'assessment-results': document } = JSON.parse(String(await written('oscal')));
  for (const [at, { counts }] of whole.assessment.standards.entries()) {
    const states = (document.results[at].findings ?? []).map(
      (one: { target: { status: { state: string } } }) => one.target.status.state,
    );
    const named = new Set(
      document.results[at]['reviewed-controls']['control-selections'][0]['include-controls'].map(
        (one: { 'control-id': string }) => `${one['control-id']}_smt`,
      ),
    );
    for (const { target } of document.results[at].findings ?? [])
      expect(named).toContain(target['target-id']);
    expect(states.filter((state: string) => state === 'satisfied')).toHaveLength(counts.pass);
    expect(states.filter((state: string) => state === 'not-satisfied')).toHaveLength(counts.fail);
  }
});

const oscalDocument = async (format: 'oscal_component' | 'oscal_poam', matter = whole) =>
  Object.entries(JSON.parse(String(await written(format, matter))))[0] as [string, Record<string, unknown>];

test('the component definition is valid by the schema of NIST, and has what checks or people support, by control', async () => {
  const [root, definition] = await oscalDocument('oscal_component');
  expect(root).toBe('component-definition');
  expect(oscalFaults({ [root]: definition }, root as 'component-definition')).toEqual([]);
  const [component] = definition.components as {
    readonly type: string;
    readonly title: string;
    readonly 'control-implementations': readonly {
      readonly source: string;
      readonly 'implemented-requirements': readonly { readonly 'control-id': string }[];
    }[];
  }[];
  expect(component).toMatchObject({ type: 'software', title: 'shop' });
  const implemented = component?.['control-implementations'] ?? [];
  for (const { standard, controls } of whole.assessment.standards) {
    const supported = controls.filter(({ status }) => ['pass', 'attested'].includes(status));
    const own = implemented.filter(({ source }) => source === standard.source);
    expect(own.flatMap((one) => one['implemented-requirements'])).toHaveLength(supported.length);
    expect(own).toHaveLength(supported.length > 0 ? 1 : 0);
  }
});

test('the plan of action is valid by the schema of NIST, and has each problem that counts once, with what to do', async () => {
  const [root, plan] = await oscalDocument('oscal_poam');
  expect(root).toBe('plan-of-action-and-milestones');
  expect(oscalFaults({ [root]: plan }, root as 'plan-of-action-and-milestones')).toEqual([]);
  const risks = plan.risks as readonly {
    readonly uuid: string;
    readonly title: string;
    readonly description: string;
    readonly remediations: readonly { readonly description: string }[];
  }[];
  const titles = risks.map(({ title }) => title);
  expect(new Set(risks.map(({ uuid }) => uuid)).size).toBe(risks.length);
  expect(titles.filter((title) => title.includes('source/sql-injection'))).toHaveLength(1);
  const [injection] = risks.filter(({ title }) => title.includes('source/sql-injection'));
  expect(injection?.description).toMatch(/^critical: .*Against .*owasp-asvs V1\.2\.4/);
  expect(injection?.remediations[0]?.description).toBe('Mend it.');
  const items = plan['poam-items'] as readonly {
    readonly 'related-risks': readonly { 'risk-uuid': string }[];
  }[];
  expect(items.map((one) => one['related-risks'][0]?.['risk-uuid'])).toEqual(risks.map(({ uuid }) => uuid));
});

test('a plan has failed controls that no finding is behind, exceptions with their end, and one item where nothing is to do', async () => {
  const lacking = evidence();
  const practices = lacking.practices.map((one) =>
    one.name === 'license' ? { ...one, state: 'missing' as const, detail: 'no LICENSE file' } : one,
  );
  const failing = await matterOf(['openssf-scorecard'], { ...lacking, practices });
  const [standard] = failing.assessment.standards;
  const attestation = {
    ...{
      id: 'x',
      standard: 'openssf-scorecard',
      control: 'Fuzzing',
      scope: 'all',
      verdict: 'exception' as const,
    },
    ...{ by: 'Ann Lee', at: AT, until: AT + 86_400_000, why: 'Not yet.', evidence: [], source: 'a test' },
  };
  const controls = (standard?.controls ?? []).map((one) =>
    one.id === 'Fuzzing' ? { ...one, status: 'exception' as const, attestation } : one,
  );
  const standards = standard ? [{ ...standard, controls }] : [];
  const [root, plan] = await oscalDocument('oscal_poam', {
    ...failing,
    assessment: { ...failing.assessment, standards },
  });
  expect(oscalFaults({ [root]: plan }, 'plan-of-action-and-milestones')).toEqual([]);
  expect(plan.risks).toMatchObject([
    {
      status: 'open',
      title: expect.stringMatching(/^openssf-scorecard License /),
      description: 'no LICENSE file',
    },
    { status: 'deviation-approved', deadline: new Date(AT + 86_400_000).toISOString() },
  ]);
  const [, empty] = await oscalDocument('oscal_poam', await matterOf(['soc-2'], evidence()));
  expect(oscalFaults({ [root]: empty }, 'plan-of-action-and-milestones')).toEqual([]);
  expect(empty).toMatchObject({ 'poam-items': [{ title: 'Nothing to correct' }] });
  expect(empty).not.toHaveProperty('risks');
  const [part, bare] = await oscalDocument('oscal_component', await matterOf(['soc-2'], evidence()));
  expect(oscalFaults({ [part]: bare }, 'component-definition')).toEqual([]);
});

test('HTML is self-contained and runs no script, whatever was scanned', async () => {
  const html = String(await written('html'));
  expect(html).not.toMatch(/<script|<link|<img|<iframe|url\(|@import|\son\w+=|href="(?!https:\/\/|#)/i);
  expect(html).toContain("default-src 'none'");
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html.match(/<svg /g)).toHaveLength(CATALOGUES.length + SEVERITIES.length);
  expect(html).toContain('@media print');
  expect(html.indexOf('id="summary"')).toBeLessThan(html.indexOf('id="risks"'));
  expect(html.indexOf('id="risks"')).toBeLessThan(html.indexOf('id="controls"'));
});

test('HTML is readable by keyboard, by screen reader, in dark mode and on a phone', async () => {
  const html = String(await written('html'));
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  expect(links).toEqual(expect.arrayContaining(CATALOGUES.map(({ id }) => id)));
  expect(html.match(/<th(?! scope="(?:col|row)"| colspan="4" scope="rowgroup")[ >]/g)).toBeNull();
  expect(html.match(/<svg (?![^>]*role="img" aria-label="[^"]+: \d)/g)).toBeNull();
  expect(html.match(/<h(\d)/g)?.slice(0, 3)).toEqual(['<h1', '<h2', '<h2']);
  expect(html).toContain('prefers-color-scheme: dark');
  expect(html).toContain('name="viewport"');
  const { onWhite, onBlack } = STATUS_TEXT_COLOURS;
  for (const one of Object.values(onWhite)) expect(contrast(one, '#ffffff'), one).toBeGreaterThanOrEqual(4.5);
  for (const one of Object.values(onBlack)) expect(contrast(one, '#14171b'), one).toBeGreaterThanOrEqual(4.5);
});

/** Of two colours, as WCAG 2 has it: 1 to 21. */
function contrast(one: string, other: string): number {
  const light = (colour: string) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, at) => {
      const part = Number.parseInt(colour.slice(1 + 2 * at, 3 + 2 * at), 16) / 255;
      return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    }, 0);
  const [more = 0, less = 0] = [light(one), light(other)].sort((a, b) => b - a);
  return (more + 0.05) / (less + 0.05);
}

test('characters that hide or reverse text are escaped in every form for people', async () => {
  const turned = finding('source/sql-injection', { location: 'src/\u202egpj.exe\u200b:3' });
  const matter = await matterOf(['cwe-top-25'], evidence([turned]));
  for (const format of ['html', 'markdown'] as const) {
    const text = String(await written(format, matter));
    expect(text).not.toMatch(/[\u202e\u200b]/);
    expect(text.replaceAll('\\', '')).toContain('src/[U+202E]gpj.exe[U+200B]:3');
  }
});

test('a problem in thousands of places is one risk, with the controls that it affects', async () => {
  const many = Array.from({ length: 3000 }, (_, at) =>
    finding(['source/sql-injection', 'source/path-traversal', 'secrets/password'][at % 3] ?? '', {
      location: `src/file${at}.js:3`,
      cwe: ['CWE-89', 'CWE-22', 'CWE-798'].slice(at % 3, (at % 3) + 1),
    }),
  );
  const matter = await matterOf(['cwe-top-25', 'pci-dss'], evidence(many));
  const text = String(await written('markdown', matter));
  const rows = text.slice(text.indexOf('## By risk'), text.indexOf('## Control by control')).split('\n');
  expect(rows.filter((row) => row.startsWith('| high |'))).toHaveLength(3);
  expect(text).toMatch(/source\/sql-injection\), 1000 times \| .* and 995 more \|/);
  // Controls keep the worst hundred of their findings: the others stand against them as well.
  for (const row of rows.filter((one) => one.startsWith('| high |'))) expect(row).toContain('pci-dss ');
  expect(text.length).toBeLessThan(150_000);
  expect(String(await written('html', matter)).length).toBeLessThan(200_000);
});

test('a failed control shows its whole statement and the places, with the repository if there are several', async () => {
  const two = ['shop', 'till'].map((name) => ({ name, kind: 'repository' as const }));
  const both = evidence([finding('source/sql-injection', { subject: 'till' })], { subjects: two });
  const matter = await matterOf(['nist-800-53'], both);
  for (const format of ['html', 'markdown'] as const) {
    const text = String(await written(format, matter));
    expect(text).toContain('Check the validity of the following information inputs');
    expect(text).toContain('At src/app.js:3 in till, seen 2026-11-21 12:00 UTC');
    expect(text).not.toContain('Enforce approved authorizations for logical access');
  }
});

test('on a phone, where tables have no headers, each HTML figure has the name of its column', async () => {
  const text = String(await written('html'));
  const heads = [...text.matchAll(/data-head="([^"]+)"/g)].map(([, head]) => head);
  expect(heads).toHaveLength(COUNT_COLUMN_HEADS.length * CATALOGUES.length);
  expect(new Set(heads)).toEqual(new Set(COUNT_COLUMN_HEADS));
});

test('a report describes the content of its seal, and how to verify it', async () => {
  for (const format of ['html', 'markdown'] as const) {
    const text = String(await written(format)).replaceAll('\\', '');
    expect(text).toContain('Every byte of this file is covered by an Ed25519 signature');
    expect(text).toContain('magpie compliance verify report --key key.pem');
    expect(text).toContain('openssl pkeyutl -verify');
  }
});

test('the pages of the PDF are readable: charts in their colours, nothing cut off, no empty page', async () => {
  const matter = await matterOf(['cwe-top-25', 'openssf-scorecard']);
  const pdf = (await written('pdf', matter)) as Uint8Array;
  const pages = await seenPages(pdf);
  expect(pages.length).toBeGreaterThan(3);
  for (const status of ['pass', 'fail', 'manual'] as const)
    expect(pages[1]?.colours).toContain(STATUS_COLOURS[status]);
  for (const { box } of pages) {
    expect(box.left).toBeGreaterThanOrEqual(47);
    expect(box.right).toBeLessThanOrEqual(548);
    expect(box.top).toBeGreaterThanOrEqual(24);
    expect(box.bottom).toBeLessThanOrEqual(815);
  }
});

test('no header of the figures breaks within a word, and the name of each standard is whole', async () => {
  const { assessment } = whole;
  // The figures of all standards, and of each one a few controls.
  const standards = assessment.standards.map((one) => ({ ...one, controls: one.controls.slice(0, 3) }));
  const matter = { ...whole, assessment: { ...assessment, standards } };
  const pdf = (await written('pdf', matter)) as Uint8Array;
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const items = await Promise.all(
    [2, 3].map(async (at) => (await (await document.getPage(at)).getTextContent()).items),
  );
  const text = items
    .flat()
    .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
    .join('');
  // The sentences before the table have some of the words too.
  const words = new Set(text.slice(text.indexOf('Standard')).split(/\s+/));
  for (const head of COUNT_COLUMN_HEADS) for (const word of head.split(' ')) expect(words).toContain(word);
  for (const { id } of CATALOGUES) expect(words).toContain(id);
});

test('the PDF is tagged for screen readers, with an outline and text alternatives for its charts', async () => {
  const matter = await matterOf(['slsa']);
  const text = Buffer.from((await written('pdf', matter)) as Uint8Array).toString('latin1');
  for (const part of [
    '/MarkInfo',
    '/StructTreeRoot',
    '/Outlines',
    '/Lang (en)',
    '/S /Table',
    '/S /TH',
    '/S /H2',
  ])
    expect(text).toContain(part);
  expect(text).toMatch(/\/Alt \(slsa: \d+ passed/);
});

test('Markdown keeps third-party text within its cell', async () => {
  const lines = String(await written('markdown')).split('\n');
  expect(lines.filter((line) => /(?<!\\)<script/.test(line))).toEqual([]);
  const row = lines.find((line) => line.startsWith('| critical |')) ?? '';
  expect(row).toContain('\\<script\\>');
  expect(row.replaceAll('\\|', '').match(/\|/g)).toHaveLength(6);
  expect(lines).not.toContain('# 日本');
});

test('PDF has the same content, in text that can be extracted', async () => {
  const matter = await matterOf(['cwe-top-25', 'openssf-scorecard']);
  const pdf = (await written('pdf', matter)) as Uint8Array;
  const { text, totalPages } = await extractText(new Uint8Array(pdf), { mergePages: true });
  expect(totalPages).toBeGreaterThan(3);
  for (const words of [
    'Compliance report',
    'By risk',
    'Control by control',
    'Evidence',
    'CWE-918',
    'Webhooks',
    `${totalPages} / ${totalPages}`,
  ]) {
    expect(text).toContain(words);
  }
  expect(text).toContain('characters that the fonts of this form lack');
  expect(text.replaceAll(/\s/g, '')).toContain('\\u65e5\\u672c');
  // In the bytes of the file, and in its text.
  expect(Buffer.from(pdf).toString('latin1')).toContain(`magpie-seal-2 key=${FINGERPRINT}`);
  expect(text.replaceAll(/\s/g, '')).toContain(`magpie-seal-2key=${FINGERPRINT}`);
});

test('the PDF begins with its contents, each page shows its position, and unchecked controls are a list at the end', async () => {
  const matter = await matterOf(['cwe-top-25', 'pci-dss']);
  const pdf = (await written('pdf', matter)) as Uint8Array;
  const { text: pages, totalPages } = await extractText(new Uint8Array(pdf), { mergePages: false });
  const [first = '', ...others] = pages;
  for (const chapter of [
    'Summary',
    'By risk',
    'Control by control',
    'Evidence',
    'Appendix: controls for people',
  ]) {
    const [, page = '0'] = new RegExp(`${chapter}\\s+(\\d+)`).exec(first) ?? [];
    expect(Number(page), chapter).toBeGreaterThan(1);
    expect(pages[Number(page) - 1]).toContain(chapter);
  }
  for (const page of others) expect(page).toContain('Compliance report: shop');
  // 280 requirements, of which most are for people: as rows of a table they took thirty pages.
  expect(totalPages).toBeLessThan(20);
  const uncovered = matter.assessment.standards.flatMap(({ controls }) =>
    controls.filter(({ reach }) => reach === undefined),
  );
  expect(uncovered.length).toBeGreaterThan(200);
  const end = pages.slice(-6).join(' ').replace(/\s+/g, ' ');
  for (const { id } of uncovered.slice(-50)) expect(end).toContain(id);
});

test('a short chapter shares its page with the next, and the page header names the chapter at its top', async () => {
  const matter = await matterOf(['openssf-scorecard']);
  const pdf = (await written('pdf', {
    ...matter,
    assessment: { ...matter.assessment, findings: [] },
  })) as Uint8Array;
  const { text: pages } = await extractText(new Uint8Array(pdf), { mergePages: false });
  const shared = pages.slice(1).find((page) => page.includes('Control by control')) ?? '';
  const before = shared.slice(0, shared.indexOf('Control by control'));
  expect(before).toMatch(/By risk|Summary/);
  // The head stands last in the text of a page.
  expect(shared.trimEnd()).toMatch(/(?:By risk|Summary)\s+\d+ \/ \d+$/);
});

test.each(CATALOGUES.map(({ id }) => id))('%s can be written as PDF, with every control', async (id) => {
  const matter = await matterOf([id]);
  const pdf = (await written('pdf', matter)) as Uint8Array;
  expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-');
  expect(Buffer.from(pdf.subarray(-8)).toString()).toContain('%%EOF');
  const { text, totalPages } = await extractText(new Uint8Array(pdf), { mergePages: true });
  expect(totalPages).toBeGreaterThan(1);
  const words = text.replace(/\s+/g, ' ');
  for (const heading of ['Summary', 'By risk', 'Control by control', 'Evidence', 'Seal'])
    expect(words).toContain(heading);
  expect(words).toContain(matter.assessment.id);
  // Narrow columns of a page break long numbers.
  const bare = text.replace(/\s+/g, '');
  const controls = matter.assessment.standards.flatMap((standard) => standard.controls);
  expect(controls.length).toBeGreaterThan(0);
  expect(controls.filter((one) => !bare.includes(one.id.replace(/\s+/g, ''))).map((one) => one.id)).toEqual(
    [],
  );
});

test('a report is identical each time that it is written', async () => {
  const matter = await matterOf(['slsa']);
  for (const format of REPORT_FORMATS) {
    expect(await written(format, matter)).toEqual(await written(format, matter));
  }
});

test('exclusions of a check and sources of proof are stated once and not at every control', async () => {
  const seen = evidence([]);
  const gap = 'a file of another build service, which no scanner reads';
  const looks = seen.looks.map((one) =>
    one.what === 'infrastructure' ? { ...one, partly: true, why: gap } : one,
  );
  const matter = await matterOf(['nist-800-53'], { ...seen, looks });
  for (const format of ['markdown', 'html'] as const) {
    const text = String(await written(format, matter));
    expect(text.split(gap)).toHaveLength(2);
    expect(text).toContain('(gap 1)');
    expect(text).toContain('Gap 1: infrastructure');
    // Of its many controls on access, one line has the place of proof.
    expect(text.split('the last review of access').length).toBeLessThan(12);
  }
  const json = String(await written('json', matter));
  expect(json.split(gap).length).toBeGreaterThan(50);
});
