import type { ConfigResource } from '../value.ts';
import aws from './aws.json' with { type: 'json' };
import azure from './azure.json' with { type: 'json' };
import { evaluateCondition } from './evaluate.ts';
import google from './google.json' with { type: 'json' };
import kubernetes from './kubernetes.json' with { type: 'json' };
import {
  type InfrastructurePolicy,
  type PolicyCheck,
  type PolicyCondition,
  policyFamilyOf,
} from './policy.ts';

export const POLICIES = [aws, azure, google, kubernetes].flat() as unknown as readonly InfrastructurePolicy[];

export interface PolicyViolation {
  readonly policy: InfrastructurePolicy;
  readonly line: number;
  readonly what: string;
  readonly fix: string;
}

const BY_TYPE = new Map<string, (readonly [policy: InfrastructurePolicy, check: PolicyCheck])[]>();
for (const policy of POLICIES) {
  for (const check of policy.checks) {
    for (const type of check.types) BY_TYPE.set(type, [...(BY_TYPE.get(type) ?? []), [policy, check]]);
  }
}

export function findPolicyViolations(
  resource: ConfigResource,
  others: readonly ConfigResource[],
): PolicyViolation[] {
  return (BY_TYPE.get(resource.type) ?? []).flatMap(([policy, check]): PolicyViolation[] => {
    const { state, line, found } = evaluateCondition(check, resource.body, { resource, others });
    if (state !== 'bad') return [];
    const path = pathOf(check);
    const what = [`${resource.type} ${resource.name}`.trim(), path && said(path, found)]
      .filter(Boolean)
      .join(', ');
    return [{ policy, line, what, fix: policy.fix ?? fixOf(check, policy, resource.type) }];
  });
}

function said(path: string, found: string | undefined): string {
  return found === undefined ? `without ${path}` : `${path} is ${found.slice(0, 60)}`;
}

function pathOf({ at, each, some, all, any }: PolicyCondition): string {
  const inner = [...(all ?? []), ...(any ?? [])].find(
    (one) => one.not ?? one.is ?? one.set ?? one.least ?? one.closed,
  );
  return [each ?? some, at ?? inner?.at].filter(Boolean).join('.');
}

function fixOf(check: PolicyCondition, policy: InfrastructurePolicy, type: string): string {
  const path = pathOf(check);
  const inner = check.at
    ? check
    : ([...(check.all ?? []), ...(check.any ?? [])].find(({ at }) => at) ?? check);
  const { is, not, least, most, set, has, unset } = inner;
  const says = type.includes('::') || !type.includes('_') ? ': ' : ' = ';
  const advice = policyFamilyOf(policy).fix;
  if (path === '') return advice;
  if (not?.[0] === 'true') return `Set ${path}${says}false. ${advice}`;
  if (is?.[0] !== undefined && !is[0].includes('*')) return `Set ${path}${says}${is[0]}. ${advice}`;
  if (least !== undefined) return `Set ${path} to ${least} or more. ${advice}`;
  if (most !== undefined) return `Set ${path} to ${most} or less. ${advice}`;
  if (has) return `Set ${path} to ${has.join(', ')}. ${advice}`;
  if (not) return `Set ${path} to something other than ${not.slice(0, 3).join(', ')}. ${advice}`;
  if (unset) return `Remove ${path}. ${advice}`;
  return set ? `Set ${path}. ${advice}` : advice;
}
