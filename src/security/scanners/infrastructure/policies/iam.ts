import { fitsPart } from '../../../trees/glob.ts';
import { readJson } from '../json-tree.ts';
import type { RuleMatch, RuleName } from '../rules.ts';
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
import actions from './sensitive-actions.json' with { type: 'json' };

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

const textsOf = (value: ConfigValue | undefined): string[] =>
  itemsOf(value).flatMap((one) => (one.kind === 'text' || one.kind === 'unknown' ? [one.text] : []));

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

const ofBlock = (value: ConfigValue): PolicyStatement => ({
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
});

interface PolicyStatement {
  readonly line: number;
  readonly allows: boolean;
  readonly actions: readonly string[];
  readonly notActions: readonly string[];
  readonly resources: readonly string[];
  readonly principals: readonly { readonly kind: string; readonly text: string }[];
  readonly notPrincipal: boolean;
  readonly conditions: readonly { readonly key: string; readonly values: readonly string[] }[];
}

/** IAM actions that extend permissions, create credentials or read secrets. Sources: AWS documentation, research. */
const { escalations: ESCALATIONS, credentials: CREDENTIALS, secrets: SECRETS } = actions;
/** AWS services. A user who may use all actions of one service can take over the whole account. */
const RULING: ReadonlySet<string> = new Set(['iam', 'organizations', 'sts', 'kms', 'secretsmanager', 'sso']);
/** Matches actions that AWS cannot limit to one resource. Policies must allow them for the resource `*`. */
const WITHOUT_RESOURCE =
  /^(?:\w[\w-]{0,60}:(?:Describe|List)|(?:ecr:GetAuthorizationToken|sts:Get(?:CallerIdentity|SessionToken)|cloudwatch:PutMetricData|xray:|logs:CreateLogGroup|ec2:(?:CreateNetworkInterface|DeleteNetworkInterface|AssignPrivateIpAddresses|UnassignPrivateIpAddresses)|ssmmessages:|ec2messages:|s3:GetAccountPublicAccessBlock|iam:GetAccount|ce:|pricing:|tag:Get|support:|health:|autoscaling:Describe|elasticloadbalancing:Describe))/i;

function statementMatches(
  statement: PolicyStatement,
  kind: 'identity' | 'resource' | 'trust' | undefined,
  type = '',
): RuleMatch[] {
  if (!statement.allows) return [];
  return [...principalMatches(statement, kind, type), ...actionMatches(statement, kind, type)];
}

function principalMatches(statement: PolicyStatement, kind: string | undefined, type: string): RuleMatch[] {
  const { line, principals, notPrincipal, conditions } = statement;
  // Policies of VPC endpoints may allow everyone, because the callers' own policies restrict access.
  if (/vpc_endpoint|VPCEndpoint/.test(type)) return [];
  if (notPrincipal) return [{ rule: 'cloud-public-principal', line, what: 'NotPrincipal with Allow' }];
  const matches: RuleMatch[] = [];
  const everyone = principals.some(({ kind: of, text }) => (of === 'AWS' || of === '*') && isEveryone(text));
  if (everyone && conditions.length === 0) {
    const trust = kind === 'trust' || statement.actions.some((action) => /^sts:AssumeRole/i.test(action));
    const bucket = /s3_bucket|S3::Bucket/.test(type);
    const rule: RuleName = trust
      ? 'cloud-public-trust'
      : bucket
        ? 'cloud-public-storage'
        : 'cloud-public-principal';
    matches.push({ rule, line, what: statement.actions.slice(0, 3).join(', ') });
  }
  const github = principals.some(({ text }) => text.includes('token.actions.githubusercontent.com'));
  if (github) {
    const subject = conditions.filter(({ key }) => key.endsWith(':sub') || key.endsWith(':job_workflow_ref'));
    const open = subject
      .flatMap(({ values }) => values)
      .find((value) => /^(?:\*|repo:\*.{0,200})$/.test(value));
    if (subject.length === 0 || open !== undefined)
      matches.push({ rule: 'cloud-open-federation', line, what: open ?? 'no condition on the subject' });
  }
  return matches;
}

const isEveryone = (text: string): boolean =>
  text === '*' || text === 'arn:aws:iam::*:root' || text === 'arn:aws:iam::*:*';

function actionMatches(statement: PolicyStatement, kind: string | undefined, type: string): RuleMatch[] {
  const { line, actions, notActions, resources, conditions } = statement;
  const every = resources.some(
    (one) => one === '*' || one === 'arn:aws:*' || /^arn:aws:[\w*-]{0,40}:\*:\*:\*$/.test(one),
  );
  // True if the policy belongs to one resource, such as a bucket, and applies only to this resource.
  const own = kind === 'resource' || kind === 'trust' || statement.principals.length > 0;
  if (actions.some((one) => one === '*' || one === '*:*')) {
    if (own && !/aws_iam|AWS::IAM/.test(type)) return [];
    return every
      ? [{ rule: 'cloud-wildcard-policy', line }]
      : [{ rule: 'cloud-wildcard-action', line, what: `on ${resources.slice(0, 2).join(', ')}` }];
  }
  if (own || conditions.length > 0) return [];
  if (notActions.length > 0 && every)
    return [{ rule: 'cloud-not-action', line, what: `NotAction ${notActions.slice(0, 3).join(', ')}` }];
  if (!every) return [];
  const found = (rule: RuleName, what: string): RuleMatch[] => [{ rule, line, what }];
  const single = actions.filter((one) => !one.endsWith(':*'));
  const given = (wanted: readonly string[]) =>
    wanted.filter((one) => single.some((action) => fitsPart(action.toLowerCase(), one.toLowerCase())));
  const escalations = given(ESCALATIONS);
  const passes = given(['iam:PassRole']);
  const ruling = actions.find((one) => one.endsWith(':*') && RULING.has(one.slice(0, -2).toLowerCase()));
  if (ruling) return found('cloud-ruling-service', ruling);
  if (escalations.length > 0) return found('cloud-privilege-escalation', escalations.slice(0, 3).join(', '));
  if (passes.length > 0) return found('cloud-pass-role', 'iam:PassRole on *');
  const service = actions.find((one) => one.endsWith(':*') && !WITHOUT_RESOURCE.test(one));
  if (service) return found('cloud-service-wildcard', service);
  const credentials = given(CREDENTIALS.filter((one) => one !== 'ecr:GetAuthorizationToken'));
  if (credentials.length > 0) return found('cloud-credentials-for-all', credentials.slice(0, 3).join(', '));
  const secrets = given(SECRETS);
  if (secrets.length > 0) return found('cloud-secrets-for-all', secrets.slice(0, 3).join(', '));
  const rest = actions.filter((one) => !WITHOUT_RESOURCE.test(one) && !/:(?:Get|BatchGet)/i.test(one));
  return rest.length > 0 ? found('cloud-wildcard-resource', rest.slice(0, 3).join(', ')) : [];
}
