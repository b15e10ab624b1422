import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tableOf } from '../../../docs/mapping-table.ts';
import { assessControls } from '../../../src/compliance/assessing/assess.ts';
import { isConclusiveCheck, resolveControlChecks } from '../../../src/compliance/assessing/checks.ts';
import { CATALOGUES } from '../../../src/compliance/catalogues/list.ts';
import { CHECK_GROUPS } from '../../../src/compliance/mappings/check-groups.ts';
import {
  addCoverage,
  type ControlMapping,
  parseMappings,
  readMappings,
} from '../../../src/compliance/mappings/mappings.ts';
import { POLICIES } from '../../../src/security/scanners/infrastructure/policies/find-policy-violations.ts';
import { policyFamilyOf } from '../../../src/security/scanners/infrastructure/policies/policy.ts';
import { sourceRules } from '../../../src/security/scanners/source/rules/catalogue.ts';
import { AT, evidence, finding } from '../../helpers/compliance.ts';
import { monitorRules } from '../../helpers/monitor-rules.ts';

/** The tables by which controls go: every pair of a control and a check, how much of the control the check sees, and why. */

const FOLDER = new URL('../../../src/compliance/mappings/', import.meta.url);
const TABLES = CATALOGUES.map(({ id }) => [id, readMappings(id)] as const);

/** Pairs of a table, one for each check of a row. */
function pairs(rows: readonly ControlMapping[]): readonly string[] {
  return rows.flatMap(({ control, checks }) => checks.map((check) => `${control} ${check}`));
}

test('every standard has a table, and every table has a standard', () => {
  expect(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith('.tsv'))
      .sort(),
  ).toEqual(CATALOGUES.map(({ id }) => `${id}.tsv`).sort());
});

test.each(TABLES)(
  '%s: each row names a control of the standard and a check, once, with the reason',
  async (id, rows) => {
    const controls = (await CATALOGUES.find((one) => one.id === id)?.controls()) ?? [];
    const order = controls.map((control) => control.id);
    const places = rows.map(({ control }) => order.indexOf(control));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(new Set(pairs(rows)).size).toBe(pairs(rows).length);
    for (const { checks, why, first, second } of rows) {
      // Weaknesses share a row; every other check has one of its own. A name without a slash is a group.
      if (checks.length > 1) expect(checks.filter((check) => !check.includes('cwe:'))).toEqual([]);
      for (const check of checks) expect(check).toMatch(/^(foreign-)?cwe:\d+$|^[a-z-]+\/[\w*-]+$|^[a-z-]+$/);
      for (const check of checks)
        if (!check.includes('/') && !check.includes(':')) expect(CHECK_GROUPS).toHaveProperty([check]);
      expect(why).toMatch(/^[A-Z].{15,220}\.$/);
      expect(first).toMatch(/^-$|^[A-Z] \d{4}-\d\d-\d\d$/);
      expect(second).toMatch(/^$|^[A-Z] \d{4}-\d\d-\d\d (whole|part|none)(: .{5,300})?$/);
    }
  },
);

test.each(TABLES)('%s: two groups of a control have separate reasons', (_, rows) => {
  const groups = rows.filter(
    ({ reading, checks: [check = ''] }) => reading !== 'none' && !check.includes('/'),
  );
  const reasons = groups.map(({ control, why }) => `${control} ${why}`);
  expect(reasons.filter((one, at) => reasons.indexOf(one) !== at)).toEqual([]);
});

test.each(TABLES)('%s: the table alone determines the checks of its controls', async (id, rows) => {
  const controls = (await CATALOGUES.find((one) => one.id === id)?.controls()) ?? [];
  const used = controls.flatMap((control) =>
    (control.coverage?.by ?? []).map((check) => `${control.id} ${check} ${control.coverage?.reach}`),
  );
  const written = rows.flatMap(({ control, checks, reading }) =>
    reading === 'none' ? [] : checks.map((check) => `${control} ${check} ${reading}`),
  );
  expect(used).toEqual(written);
});

test.each(TABLES)('%s: the table is unchanged after parsing and writing', (id, rows) => {
  expect(tableOf(rows)).toBe(readFileSync(new URL(`${id}.tsv`, FOLDER), 'utf8'));
});

test('a table with a broken row, an unknown control or a control both whole and part is refused', () => {
  const head = 'control\treading\tchecks\twhy\tfirst\tsecond\tsettled\n';
  expect(() => parseMappings('control\twhy\n')).toThrow('begins with control, reading, checks');
  expect(() => parseMappings(`${head}1\tsome\tsecrets\tBecause.\tA 2026-11-23\t\t\n`)).toThrow('unknown');
  expect(() => parseMappings(`${head}1\tpart\tsecrets\t\tA 2026-11-23\t\t\n`)).toThrow('lacks');
  const rows = parseMappings(
    `${head}1\tpart\tsecrets\tBecause.\tA 2026-11-23\t\t\n1\twhole\tcrypto\tSo.\tA 2026-11-23\t\t\n`,
  );
  const control = { id: '1', title: 'One', group: 'All' };
  expect(() => addCoverage([control], rows)).toThrow('rows of 1 are whole and part');
  expect(() => addCoverage([{ ...control, id: '2' }], rows)).toThrow('unknown control: 1');
});

test('a pair with the reading none counts nowhere', () => {
  const none = parseMappings(
    'control\treading\tchecks\twhy\tfirst\tsecond\tsettled\n1\tnone\tsecrets\tIt is another matter.\tA 2026-11-23\t\t\n',
  );
  const control = { id: '1', title: 'One', group: 'All' };
  expect(addCoverage([control], none)).toEqual([control]);
});

const PASSING = [
  'Binary-Artifacts',
  'License',
  'Security-Policy',
  'Token-Permissions',
  'Dependency-Update-Tool',
  'Vulnerabilities',
];

test('a control can pass by checks alone only where each of them gives positive evidence', async () => {
  const all = (await Promise.all(CATALOGUES.map(({ controls }) => controls()))).flat();
  const passing = all.filter(
    ({ coverage }) =>
      coverage?.reach === 'whole' && resolveControlChecks(coverage).ids.every(isConclusiveCheck),
  );
  expect(passing.map(({ id }) => id)).toEqual(PASSING);
});

test('with everything checked and nothing found, only these controls pass; partly checked controls are left to people', async () => {
  const kinds = [...new Set([...monitorRules.keys()].map((rule) => rule.slice(0, rule.indexOf('/'))))];
  const repository = evidence();
  const clean = {
    ...repository,
    subjects: [...repository.subjects, { name: 'live', kind: 'infrastructure' as const }],
    looks: [
      ...repository.looks,
      ...kinds.map((what) => ({ what, subject: 'live', at: AT, ok: true, items: 1 })),
    ],
  };
  const results = (await assessControls(CATALOGUES, clean)).flatMap(({ controls }) => controls);
  const idsOf = (status: string) => results.filter((one) => one.status === status).map(({ id }) => id);
  expect(idsOf('pass')).toEqual(PASSING);
  expect(idsOf('fail')).toEqual([]);
  expect(new Set(results.filter(({ reach }) => reach === 'part').map(({ status }) => status))).toEqual(
    new Set(['manual']),
  );
  expect(new Set(results.filter(({ reach }) => reach === 'whole').map(({ status }) => status))).toEqual(
    new Set(['pass', 'no_findings']),
  );
});

/** Weaknesses of a rule as its scanner reports them. */
function weaknessesOf(rule: string): readonly string[] {
  const policy = POLICIES.find(({ id }) => rule === `infrastructure/${id}`);
  const cwe = monitorRules.get(rule)?.cwe ?? sourceRules.find(({ id }) => id === rule)?.cwe;
  return cwe ?? (policy ? [policyFamilyOf(policy).cwe] : []);
}

/** Controls of standards that ask for more than weaknesses, and that a finding of the rule speaks against. */
async function against(rule: string): Promise<readonly string[]> {
  const catalogues = CATALOGUES.filter(({ id }) => !/^(owasp-top|cwe)/.test(id));
  const results = await assessControls(catalogues, evidence([finding(rule, { cwe: weaknessesOf(rule) })]));
  return results.flatMap(({ controls }) => controls.filter(({ found }) => found > 0).map(({ id }) => id));
}

const AT_REST = ['SC-28', 'SC-28(1)', 'PR.DS-01', '3.11', '3.5.1', 'C1.1', '164.312(a)(2)(iv)'];
const ON_THE_WAY = ['SC-8', 'SC-8(1)', 'PR.DS-02', '4.2.1', 'CC6.7', 'A.5.14', '164.312(e)(1)', '32(1)(a)'];

test.each([
  'protocol/tls-1-0',
  'protocol/rc4',
  'certificate/expired',
  'certificate/weak-signature',
  'source/weak-tls-version',
  'source/tls-verification-off',
  'infrastructure/old-tls-redis-cache',
  'infrastructure/unencrypted-service-fabric',
])('%s counts against data in transit, not against data at rest', async (rule) => {
  const controls = await against(rule);
  expect(controls).toEqual(expect.arrayContaining(ON_THE_WAY));
  expect(controls.filter((id) => AT_REST.includes(id))).toEqual([]);
});

test.each(['infrastructure/unencrypted-rds-instance', 'infrastructure/cluster-api-encryption'])(
  '%s counts against data at rest, not against data in transit',
  async (rule) => {
    const controls = await against(rule);
    expect(controls).toEqual(expect.arrayContaining(AT_REST));
    expect(controls.filter((id) => ON_THE_WAY.includes(id))).toEqual(['32(1)(a)']);
  },
);

test.each([
  // It is valid until it ends: what manages certificates is at fault, not what it protects.
  ['certificate/expires-in-7-days', ['SC-17', 'A.8.24', '9.2', 'RTS-7']],
  ['certificate/expires-in-14-days', ['SC-17', 'A.8.24', '9.2', 'RTS-7']],
  // Suites with CBC or without forward secrecy are approved; only ASVS asks for more.
  ['protocol/cbc-chosen', ['V12.1.2']],
  ['protocol/no-forward-secrecy', ['V12.1.2']],
  // The data are encrypted, by a key of the provider; a second layer is what no standard asks for.
  ['infrastructure/provider-key-rds-instance', ['SA-9(6)']],
  ['infrastructure/unencrypted-dynamodb-table', ['SA-9(6)']],
  ['infrastructure/unencrypted-storage-double', []],
  // It logs too much, not too little.
  ['infrastructure/no-log-api-data-trace', ['V16.2.5', 'A.8.12']],
  [
    'infrastructure/weak-login-password-age',
    ['IA-5(1)', '5.2', '8.3.9', 'A.5.17', '164.308(a)(5)(ii)(D)', '11.6.2'],
  ],
  ['headers/csp-missing', ['SC-18', 'V3.4.3', 'Annex-I.I(2)(k)']],
  // It is in no network of its own, and open to no one for that.
  [
    'infrastructure/network-lambda-function',
    [
      'AC-4',
      'AC-4(21)',
      'SC-7',
      'SC-7(21)',
      'PR.IR-01',
      '12.2',
      '13.4',
      '1.4.1',
      'CC6.1',
      'CC6.6',
      'A.8.20',
      'A.8.22',
      '6.7.2',
      '6.8.1',
      '6.8.2',
      '9(4)(b)',
      'RTS-13',
    ],
  ],
  ['infrastructure/network-ingress-http', []],
  // Of the two standards that ask for capacity, none: what is closed may lack something else.
  ['ports/closed', ['32(1)(b)', 'Annex-I.I(2)(h)', '9(2)']],
  // A registration that ends soon is an asset that is not managed; only after its end does the name no longer lead to the service.
  ['registration/ends-in-60-days', ['ID.AM-08', '21(2)(i)', '12.2.2', 'RTS-4']],
  ['registration/ended', ['ID.AM-08', '32(1)(b)', '21(2)(i)', '12.2.2', 'Annex-I.I(2)(h)', '9(2)', 'RTS-4']],
])('%s counts against %j alone', async (rule, controls) => {
  expect(await against(rule)).toEqual(controls);
});

test('a finding of an external scanner or of a custom rule counts by its weakness', async () => {
  const ids = async (rule: string) => {
    const results = await assessControls(CATALOGUES, evidence([finding(rule, { cwe: ['CWE-327'] })]));
    return results.flatMap(({ controls }) => controls.filter(({ found }) => found > 0).map(({ id }) => id));
  };
  for (const rule of ['semgrep/des', 'own/des'])
    expect(await ids(rule)).toEqual(expect.arrayContaining(['SC-13', 'A.8.28', '6.2.4', 'A04:2025']));
  // One that Magpie knows counts by what it is, and by the lists of OWASP.
  const known = await ids('protocol/rc4');
  expect(known).toContain('A04:2025');
  expect(known).not.toContain('A.8.28');
});
