import { fitsPart } from '../../../trees/glob.ts';
import type { RuleMatch, RuleName } from '../rules.ts';
import actions from './sensitive-actions.json' with { type: 'json' };

export interface PolicyStatement {
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

export function statementMatches(
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

function isEveryone(text: string): boolean {
  return text === '*' || text === 'arn:aws:iam::*:root' || text === 'arn:aws:iam::*:*';
}

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
