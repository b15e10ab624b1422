import { expect, test } from 'vitest';
import { resolveControlChecks } from '../../src/compliance/assessing/checks.ts';
import { findStandards } from '../../src/compliance/assessing/standards.ts';
import { CATALOGUES } from '../../src/compliance/catalogues/list.ts';
import { inspectionAdvice } from '../../src/compliance/evidence/inspection-advice.ts';
import { CHECK_GROUPS } from '../../src/compliance/mappings/check-groups.ts';
import { AGENT_RULES } from '../../src/security/scanners/agents/rules.ts';
import { POLICIES } from '../../src/security/scanners/infrastructure/policies/find-policy-violations.ts';
import { INFRASTRUCTURE_RULES } from '../../src/security/scanners/infrastructure/rules.ts';
import { SECRET_RULES } from '../../src/security/scanners/secrets/token-rules.ts';
import { sourceRules } from '../../src/security/scanners/source/rules/catalogue.ts';
import { PRACTICES } from '../helpers/compliance.ts';
import { monitorRules } from '../helpers/monitor-rules.ts';

/** How many controls each standard has, by its publisher. */
const SIZES: Readonly<Record<string, number>> = {
  'nist-800-53': 1014,
  'nist-csf': 106,
  'nist-ssdf': 42,
  'owasp-asvs': 345,
  'owasp-top-10-2021': 10,
  'owasp-top-10-2025': 10,
  'owasp-llm-10': 10,
  'owasp-agentic-10': 10,
  'owasp-mcp-10': 10,
  'cwe-top-25': 25,
  'cis-controls': 153,
  'cis-github': 120,
  'pci-dss': 280,
  'soc-2': 61,
  'iso-27001': 93,
  hipaa: 65,
  'gdpr-32': 8,
  nis2: 22,
  'nis2-2690': 161,
  cra: 68,
  dora: 142,
  'ai-act': 79,
  slsa: 22,
  'openssf-scorecard': 20,
};

const RULES = new Set([
  ...SECRET_RULES.map(({ id }) => id),
  ...sourceRules.map(({ id }) => id),
  ...Object.keys(INFRASTRUCTURE_RULES).map((name) => `infrastructure/${name}`),
  ...Object.keys(AGENT_RULES).map((name) => `agents/${name}`),
  ...POLICIES.map(({ id }) => `infrastructure/${id}`),
  ...monitorRules.keys(),
  ...PRACTICES.map((name) => `practice/${name}`),
  'dependencies/vulnerability',
]);

test('every standard of the list exists under unique names', () => {
  expect(CATALOGUES.map(({ id }) => id)).toEqual(Object.keys(SIZES));
  const names = CATALOGUES.flatMap(({ id, spellings }) => [id, ...spellings]);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

/** Common spellings of each standard: a standard without any fails a test below. */
const SPELLINGS: readonly (readonly [id: string, ...names: string[]])[] = [
  [
    'pci-dss',
    'PCI DSS 4.0',
    'pci-dss v4.0.1',
    'PCI',
    'pci_dss',
    'Payment Card Industry Data Security Standard',
  ],
  ['soc-2', 'soc2', 'SOC 2', 'SOC 2 Type II', 'tsc'],
  ['iso-27001', 'iso27001', 'ISO/IEC 27001:2022', 'ISO 27001', 'iso-27001-2022', 'ISO 27002'],
  ['hipaa', 'HIPAA', 'HIPAA Security Rule'],
  ['gdpr-32', 'gdpr', 'GDPR Art. 32', 'DSGVO'],
  ['owasp-top-10-2025', 'owasp', 'owasp top 10', 'OWASP Top 10:2025', 'owasp-top10', 'OWASP Top Ten'],
  ['owasp-top-10-2021', 'OWASP Top 10 2021', 'owasp-top10-2021'],
  ['owasp-llm-10', 'LLM Top 10', 'OWASP LLM Top 10', 'OWASP Top 10 for LLM Applications'],
  ['owasp-agentic-10', 'ASI', 'OWASP Agentic Top 10', 'OWASP Top 10 for Agentic Applications'],
  ['owasp-mcp-10', 'mcp', 'OWASP MCP Top 10', 'MCP Top 10'],
  ['owasp-asvs', 'asvs', 'ASVS 5', 'OWASP ASVS v5.0.0'],
  ['cwe-top-25', 'cwe', 'CWE Top 25', 'cwe-top25', 'SANS Top 25'],
  ['nist-800-53', 'nist', 'NIST SP 800-53', 'NIST 800-53 Rev. 5', 'sp800-53r5'],
  ['nist-csf', 'csf', 'NIST CSF 2.0', 'NIST Cybersecurity Framework'],
  ['cis-controls', 'cis', 'CIS Controls v8', 'CIS v8.1', 'CIS Critical Security Controls'],
  [
    'nist-ssdf',
    'SSDF',
    'NIST SSDF',
    'NIST SP 800-218',
    'SP 800-218',
    'Secure Software Development Framework',
  ],
  ['cis-github', 'CIS GitHub Benchmark', 'CIS GitHub', 'cis-github-benchmark'],
  ['nis2', 'NIS2', 'NIS 2', 'NIS 2 Directive', 'Directive 2022/2555'],
  ['nis2-2690', '2024/2690', 'NIS2 Implementing Regulation', 'Implementing Regulation 2024/2690'],
  ['cra', 'CRA', 'Cyber Resilience Act', 'EU CRA', 'Regulation 2024/2847'],
  ['dora', 'DORA', 'EU DORA', 'Digital Operational Resilience Act', '2022/2554'],
  ['ai-act', 'EU AI Act', 'AI Act', 'Artificial Intelligence Act', '2024/1689'],
  ['slsa', 'SLSA', 'slsa v1.0', 'SLSA 1.2'],
  ['openssf-scorecard', 'scorecard', 'OpenSSF Scorecard', 'ossf-scorecard'],
];

test('the test of spellings covers every standard of the list', () => {
  expect(SPELLINGS.map(([id]) => id).sort()).toEqual(CATALOGUES.map(({ id }) => id).sort());
});

test.each(SPELLINGS)('%s is found by its common spellings', (id, ...names) => {
  for (const name of names) expect(findStandards([name], CATALOGUES)[0]?.id, name).toBe(id);
});

test.each([
  ['pci-ds', 'pci-dss'],
  ['iso27000', 'iso-27001'],
  ['PCI DSS 3.2.1', undefined],
  ['fedramp', undefined],
])('%s is not a known standard: the error names the nearest and the whole list', (name, near) => {
  let message = '';
  try {
    findStandards([name], CATALOGUES);
  } catch (thrown) {
    message = (thrown as Error).message;
  }
  expect(message).toContain(JSON.stringify(name));
  expect(message).toContain('nist-800-53, nist-csf, nist-ssdf, owasp-asvs, owasp-top-10-2021');
  if (near) expect(message).toContain(`did you mean ${near}?`);
});

test.each(CATALOGUES.map((catalogue) => [catalogue.id, catalogue] as const))(
  '%s is complete, and names only existing checks',
  async (id, catalogue) => {
    const controls = await catalogue.controls();
    expect(controls).toHaveLength(SIZES[id] ?? 0);
    expect(new Set(controls.map((control) => control.id)).size).toBe(controls.length);
    expect(controls.filter(({ title, group }) => title.trim() === '' || group === '')).toEqual([]);
    expect(catalogue.source).toMatch(/^https:\/\//);
    expect([catalogue.edition, catalogue.license]).not.toContain('');
    const gone = controls.flatMap(({ id: control, coverage }) =>
      (coverage ? resolveControlChecks(coverage).ids : [])
        .filter((check) => !isThere(check))
        .map((check) => `${control} goes by ${check}`),
    );
    expect(gone).toEqual([]);
  },
);

test('every group of checks names existing checks, and is used', async () => {
  const lists = await Promise.all(CATALOGUES.map(({ controls }) => controls()));
  const used = new Set(lists.flat().flatMap(({ coverage }) => coverage?.by ?? []));
  for (const [name, { checks, except = [], title }] of Object.entries(CHECK_GROUPS)) {
    expect(title, name).not.toBe('');
    expect(used, 'no control goes by it').toContain(name);
    expect([...checks, ...except].filter((check) => !isThere(check))).toEqual([]);
    // What a family does not stand for is of one of the group's families.
    const families = checks.filter((check) => check.endsWith('*')).map((check) => check.slice(0, -1));
    expect(except.filter((rule) => !families.some((family) => rule.startsWith(family)))).toEqual([]);
  }
});

test.each([
  ['Equipment is maintained properly', /premises/],
  ['Inventories of data are maintained', /where such data are kept/],
  ['Desks are cleared and screens locked', /premises/],
  ['Sensitive data are encrypted on their way', /keys and certificates/],
  ['Rank 13: use of a null pointer', /code in question/],
  ['The main branches are protected from force pushes', /repository where it is hosted/],
  ['An inventory of accounts is kept', /accounts and rights/],
  ['Restrict Threatening Outgoing Communications Traffic', /firewall rules/],
  ['Physical or Logical Separation of Information Flows', /firewall rules/],
  ['Identity Providers and Authorization Servers | Verification of Assertions', /identity provider/],
  [
    'Verify that a generic message is returned to the consumer when an error occurs, ensuring no exposure of data such as secret keys.',
    /what the service answers/,
  ],
  ['Verify that debug modes are disabled for all components in production', /what the service answers/],
  ['Software is maintained, replaced, and removed commensurate with risk', /end of their support/],
  ['Computing hardware and software and their data are monitored to find adverse events', /what is watched/],
  ['Powerful utility programs are restricted', /documents and settings that show it/],
])('the advice on what to inspect fits the control: %s', (title, place) => {
  expect(inspectionAdvice(title)).toMatch(place);
});

/**
 * Nothing that a standard asks for: security.txt is offered, not owed, so are restrictions of who may certify; in which order a certificate is
 * replaced, a second layer of
 * encryption, HTTP/2 and the type of a secret are the advice of a provider; web servers and load balancers are open to everyone; a server
 * that asks for a certificate is up; how a workflow is spelled is its authors' matter.
 */
const ASKED_BY_NONE = [
  'infrastructure/workflow-false-ternary',
  'infrastructure/workflow-obfuscation',
  'infrastructure/workflow-misfeature',
  'infrastructure/workflow-unnamed-pin',
  'infrastructure/workflow-no-name',
  'infrastructure/network-ingress-http',
  'infrastructure/unhardened-acm-lifecycle',
  'infrastructure/unencrypted-storage-double',
  'infrastructure/unhardened-web-app-http2',
  'infrastructure/unencrypted-service-bus-double',
  'infrastructure/network-rule-http',
  'infrastructure/unencrypted-postgresql-double',
  'infrastructure/unencrypted-mysql-double',
  'infrastructure/unhardened-vault-type',
  'infrastructure/unencrypted-kusto-double',
  'infrastructure/network-firewall-http',
  'infrastructure/public-load-balancer',
  'reachability/client-certificate',
  'security-txt/missing',
  'dns/caa-missing',
];

test('every rule, monitor check and practice counts against at least one control', async () => {
  const lists = await Promise.all(CATALOGUES.map(({ controls }) => controls()));
  const speaking = lists.flat().flatMap(({ coverage }) => {
    const { ids, except } = coverage ? resolveControlChecks(coverage) : { ids: [], except: new Map() };
    return ids.flatMap((id) => [...RULES].filter((rule) => isNamed(rule, id) && !except.get(id)?.has(rule)));
  });
  const named = new Set(speaking);
  expect([...RULES].filter((rule) => !named.has(rule))).toEqual(ASKED_BY_NONE);
});

test('controls can pass only by checks that cover them completely', async () => {
  const lists = await Promise.all(
    CATALOGUES.map(async ({ id, controls }) => [id, await controls()] as const),
  );
  const whole = lists.flatMap(([id, controls]) =>
    controls.filter(({ coverage }) => coverage?.reach === 'whole').map((control) => `${id} ${control.id}`),
  );
  expect(whole).toEqual([
    'nist-800-53 IA-5(7)',
    ...['V1.2.4', 'V1.2.5', 'V1.2.6', 'V1.2.7', 'V1.3.7', 'V1.5.1'].map((id) => `owasp-asvs ${id}`),
    'owasp-top-10-2021 A10:2021',
    ...[79, 89, 22, 78, 94, 502, 918].map((id) => `cwe-top-25 CWE-${id}`),
    'pci-dss 8.6.2',
    ...['Binary-Artifacts', 'Dangerous-Workflow', 'License', 'Security-Policy', 'Token-Permissions'].map(
      (name) => `openssf-scorecard ${name}`,
    ),
    'openssf-scorecard Dependency-Update-Tool',
    'openssf-scorecard Vulnerabilities',
  ]);
});

test('controls are sorted by the numbers of their standards', async () => {
  const ids = async (id: string) =>
    ((await CATALOGUES.find((one) => one.id === id)?.controls()) ?? []).map((control) => control.id);
  const iso = await ids('iso-27001');
  for (const [chapter, last] of [
    [5, 37],
    [6, 8],
    [7, 14],
    [8, 34],
  ] as const) {
    expect(iso.filter((one) => one.startsWith(`A.${chapter}.`))).toHaveLength(last);
  }
  const cis = await ids('cis-controls');
  const safeguards = [5, 7, 14, 12, 6, 8, 7, 12, 7, 7, 5, 8, 11, 9, 7, 14, 9, 5];
  expect(safeguards.map((_, at) => cis.filter((one) => one.startsWith(`${at + 1}.`)).length)).toEqual(
    safeguards,
  );
  const csf = await ids('nist-csf');
  expect(
    ['GV', 'ID', 'PR', 'DE', 'RS', 'RC'].map((f) => csf.filter((one) => one.startsWith(f)).length),
  ).toEqual([31, 21, 22, 11, 13, 8]);
  expect(await ids('soc-2')).toEqual(
    expect.arrayContaining(['CC1.1', 'CC9.2', 'A1.3', 'C1.2', 'PI1.5', 'P8.1']),
  );
  expect(await ids('nist-800-53')).toEqual(expect.arrayContaining(['AC-1', 'AC-2(1)', 'SI-10', 'SR-12']));
});

test('SP 800-53 is taken from Release 5.2.0, with its parameters written out', async () => {
  const nist = CATALOGUES.find(({ id }) => id === 'nist-800-53');
  const controls = (await nist?.controls()) ?? [];
  const ids = controls.map(({ id }) => id);
  expect(nist?.edition).toContain('5.2.0');
  expect(ids).toEqual(expect.arrayContaining(['IA-13', 'SA-15(13)', 'SA-24', 'SI-2(7)']));
  expect(ids).not.toContain('MA-4(2)');
  expect(controls.filter(({ text = '' }) => text === '' || /\{\{|\]\(|\s[;,.\]]/.test(text))).toEqual([]);
  expect(controls.find(({ id }) => id === 'AC-7')?.text).toContain(
    '[Selection (one or more): lock the account or node for [Assignment: organization-defined time period];',
  );
  // NIST's file repeats SA-15(12) there.
  expect(controls.find(({ id }) => id === 'SA-15(13)')?.text).toMatch(/logging format/);
});

function isThere(check: string): boolean {
  return [...RULES].some((rule) => isNamed(rule, check));
}

function isNamed(rule: string, check: string): boolean {
  return check.endsWith('*') ? rule.startsWith(check.slice(0, -1)) : rule === check;
}
