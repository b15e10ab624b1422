import { readJson } from '../json-tree.ts';
import type { RuleMatch } from '../rules.ts';
import {
  type ConfigResource,
  type ConfigValue,
  configTextOf,
  entryOf,
  itemsOf,
  toConfigValue,
} from '../value.ts';
import { nodeAt, type ReportSkipped } from '../yaml-tree.ts';
import attributes from './policy-attributes.json' with { type: 'json' };
import { type PolicyStatement, statementMatches } from './statements.ts';

const MAX_POLICY_CHARACTERS = 100_000;
/** Kinds of IAM policies by the attribute that contains them. A `trust` policy says who may assume a role. */
const POLICIES = attributes as Readonly<Record<string, 'identity' | 'resource' | 'trust'>>;
/** Matches resource types whose policies grant permissions to an identity: a user, group or role. */
const IDENTITY = /^aws_(?:iam_|ssoadmin_)|^AWS::(?:IAM|SSO|Serverless)::/;

export function iamMatches(resource: ConfigResource): RuleMatch[] {
  const { type, body } = resource;
  if (type === 'data.aws_iam_policy_document')
    return itemsOf(entryOf(body, 'statement')).flatMap((one) => statementMatches(ofBlock(one), undefined));
  if (!/^aws_|^AWS::/.test(type)) return [];
  const kind = (name: string) =>
    IDENTITY.test(type) && POLICIES[name] !== 'trust' ? 'identity' : POLICIES[name];
  return Object.keys(POLICIES).flatMap((name) =>
    documentsIn(entryOf(body, name), 0).flatMap((statement) => statementMatches(statement, kind(name), type)),
  );
}

export function iamDocumentMatches(text: string, leave: ReportSkipped | undefined): RuleMatch[] {
  if (!/"Version"\s{0,20}:\s{0,20}"20(?:08-10-17|12-10-17)"/.test(text)) return [];
  const root = readJson(text, leave);
  const statements = root && nodeAt(root, 'Statement') ? documentsIn(toConfigValue(root, 0), 0) : [];
  return statements.flatMap((one) => {
    const given = one.principals.length > 0 || one.notPrincipal;
    return statementMatches(one, given ? 'resource' : 'identity', given ? '' : 'AWS::IAM::Policy');
  });
}

function documentsIn(value: ConfigValue | undefined, depth: number): PolicyStatement[] {
  if (value === undefined || depth > 3) return [];
  if (value.kind === 'list') return value.items.flatMap((one) => documentsIn(one, depth + 1));
  if (value.kind === 'text' || value.kind === 'unknown') {
    if (!value.text.includes('"Statement"') && !value.text.includes('\\"Statement')) return [];
    if (value.text.length > MAX_POLICY_CHARACTERS) return [];
    const written = value.text.trim().replaceAll('\\"', '"');
    const read = readJson(written);
    return read ? documentsIn(toConfigValue(read, value.line - 1), depth + 1) : [];
  }
  const inner = entryOf(value, 'PolicyDocument') ?? entryOf(value, 'policy') ?? entryOf(value, 'Policy');
  const statements = entryOf(value, 'Statement');
  if (statements === undefined) return inner ? documentsIn(inner, depth + 1) : [];
  return itemsOf(statements).flatMap((one) => (one.kind === 'map' ? [ofMap(one)] : []));
}

function textsOf(value: ConfigValue | undefined): string[] {
  return itemsOf(value).flatMap((one) => (one.kind === 'text' || one.kind === 'unknown' ? [one.text] : []));
}

function ofMap(value: ConfigValue): PolicyStatement {
  const principal = entryOf(value, 'Principal');
  const named = (of: ConfigValue | undefined) =>
    of?.kind === 'map'
      ? [...of.entries].flatMap(([kind, whom]) => textsOf(whom).map((text) => ({ kind, text })))
      : textsOf(of).map((text) => ({ kind: 'AWS', text }));
  return {
    line: value.line,
    allows: (configTextOf(value, 'Effect') ?? 'Allow').toLowerCase() === 'allow',
    actions: textsOf(entryOf(value, 'Action')),
    notActions: textsOf(entryOf(value, 'NotAction')),
    resources: textsOf(entryOf(value, 'Resource')),
    principals: named(principal),
    notPrincipal: entryOf(value, 'NotPrincipal') !== undefined,
    conditions: conditionsOf(entryOf(value, 'Condition')),
  };
}

function conditionsOf(value: ConfigValue | undefined): PolicyStatement['conditions'] {
  if (value?.kind !== 'map') return value ? [{ key: '', values: [] }] : [];
  return [...value.entries.values()].flatMap((tests) =>
    tests.kind === 'map'
      ? [...tests.entries].map(([key, values]) => ({ key, values: textsOf(values) }))
      : [{ key: '', values: [] }],
  );
}

function ofBlock(value: ConfigValue): PolicyStatement {
  return {
    line: value.line,
    allows: (configTextOf(value, 'effect') ?? 'Allow').toLowerCase() === 'allow',
    actions: textsOf(entryOf(value, 'actions')),
    notActions: textsOf(entryOf(value, 'not_actions')),
    resources: textsOf(entryOf(value, 'resources')),
    principals: itemsOf(entryOf(value, 'principals')).flatMap((one) =>
      textsOf(entryOf(one, 'identifiers')).map((text) => ({ kind: configTextOf(one, 'type') ?? '', text })),
    ),
    // A `dynamic` block does not count, because it may produce no `not_principals`.
    notPrincipal: itemsOf(entryOf(value, 'not_principals')).some(
      (one) => entryOf(one, 'identifiers')?.kind === 'list',
    ),
    conditions: itemsOf(entryOf(value, 'condition')).map((one) => ({
      key: configTextOf(one, 'variable') ?? '',
      values: textsOf(entryOf(one, 'values')),
    })),
  };
}
