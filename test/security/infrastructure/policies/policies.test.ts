import { describe, expect, test } from 'vitest';
import { SEVERITIES } from '../../../../src/lib/severity.ts';
import { POLICIES } from '../../../../src/security/scanners/infrastructure/policies/find-policy-violations.ts';
import { POLICY_FAMILIES } from '../../../../src/security/scanners/infrastructure/policies/policy.ts';
import { INFRASTRUCTURE_RULES } from '../../../../src/security/scanners/infrastructure/rules.ts';
import { createInfrastructureScanner } from '../../../../src/security/scanners/infrastructure.ts';
import { fitsPart } from '../../../../src/security/trees/glob.ts';
import { sampleFile } from '../../../helpers/policy-sample.ts';

const scanner = createInfrastructureScanner();

async function idsOf([path, text]: readonly [path: string, text: string]): Promise<string[]> {
  const findings = await scanner.scan({ path, text }, { deep: false });
  return findings.map(({ id }) => id);
}

describe('every policy', () => {
  test.each(POLICIES.map((policy) => [policy.id, policy] as const))('%s', async (id, { checks }) => {
    for (const { types, bad, good } of checks) {
      for (const type of types) {
        expect(await idsOf(sampleFile(type, bad)), `bad ${type}`).toContain(`infrastructure/${id}`);
        if (good)
          expect(await idsOf(sampleFile(type, good)), `good ${type}`).not.toContain(`infrastructure/${id}`);
      }
    }
  });
});

test('ids are unique and begin with their family; titles differ', () => {
  const ids = POLICIES.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at || id in INFRASTRUCTURE_RULES)).toEqual([]);
  for (const { id, family, title } of POLICIES) {
    expect(Object.keys(POLICY_FAMILIES)).toContain(family);
    expect(id.startsWith(`${family}-`), id).toBe(true);
    expect(id).toMatch(/^[a-z0-9-]{5,80}$/);
    expect(title.length, title).toBeLessThan(90);
  }
  const titles = POLICIES.map(({ title }) => title);
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
});

test('every rule and family has a title, a severity and a fix', () => {
  for (const [name, one] of Object.entries({ ...INFRASTRUCTURE_RULES, ...POLICY_FAMILIES })) {
    const fields = Object.keys(one).filter((key) => key !== 'zizmor');
    expect(fields.sort(), name).toEqual(['cwe', 'danger', 'fix', 'severity', 'title']);
    expect(SEVERITIES).toContain(one.severity);
    expect(one.cwe).toMatch(/^CWE-\d+$/);
    expect([one.title, one.danger, one.fix].map((words) => words.trim().length > 5)).not.toContain(false);
  }
});

test('each value of a policy is in a form that an attribute can have', () => {
  for (const { id, checks } of POLICIES) {
    for (const { is = [], not = [] } of checks) {
      for (const value of [...is, ...not]) expect(fitsPart(value, value.replaceAll('*', 'x')), id).toBe(true);
    }
  }
});

test('a missing second layer of encryption has a CWE of its own, not missing encryption', () => {
  const layers = POLICIES.filter(({ id }) => /^unencrypted-.*-double$/.test(id));
  expect(layers.map(({ cwe }) => cwe)).toEqual(Array(5).fill('CWE-693'));
});
