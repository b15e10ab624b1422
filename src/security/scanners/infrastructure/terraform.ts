import { DATA_PORTS } from './container-risks.ts';
import { type HclBlock, readHcl } from './hcl.ts';
import type { RuleMatch } from './rules.ts';
import { RESOURCE_CHECKS } from './terraform-resources.ts';

/** Risks in a Terraform or OpenTofu file. */
export function terraformMatches(text: string): RuleMatch[] {
  return readHcl(text).flatMap((block): RuleMatch[] => {
    if (block.type === 'module') return moduleMatches(block);
    if (block.type === 'data' && block.labels[0] === 'aws_iam_policy_document') return documentMatches(block);
    if (block.type !== 'resource') return [];
    const kind = block.labels[0] ?? '';
    return [...policyMatches(block), ...openPorts(kind, block), ...(RESOURCE_CHECKS[kind]?.(block) ?? [])];
  });
}

function moduleMatches(block: HclBlock): RuleMatch[] {
  const source = block.attributes.get('source');
  if (!source || /^\.{0,2}\//.test(source.text) || block.attributes.has('version')) return [];
  const fixed = /[?&]ref=|[?&]versionId=|@v?\d|\.zip$|\.tar\.gz$/.test(source.text);
  return fixed ? [] : [{ rule: 'unpinned-module', line: source.line, what: source.text }];
}

/** Statements of a policy document that allow every action on everything. */
function documentMatches(block: HclBlock): RuleMatch[] {
  return block.blocks
    .filter(({ type, attributes }) => {
      const all = (name: string) => /^\[\s*"\*"\s*\]$/.test(attributes.get(name)?.text ?? '');
      return (
        type === 'statement' &&
        attributes.get('effect')?.text !== 'Deny' &&
        all('actions') &&
        all('resources')
      );
    })
    .map(({ line }) => ({ rule: 'cloud-wildcard-policy', line }));
}

/** The same in a policy that is written as JSON. */
function policyMatches(block: HclBlock): RuleMatch[] {
  const policy = block.attributes.get('policy') ?? block.attributes.get('assume_role_policy');
  if (!policy) return [];
  const text = policy.text.slice(0, 20_000).replaceAll('\\"', '"');
  const every =
    /"?Action"?\s{0,5}[=:]\s{0,5}\[?\s{0,5}"\*"/.test(text) &&
    /"?Resource"?\s{0,5}[=:]\s{0,5}\[?\s{0,5}"\*"/.test(text);
  return every && /"?Effect"?\s{0,5}[=:]\s{0,5}"Allow"/.test(text)
    ? [{ rule: 'cloud-wildcard-policy', line: policy.line }]
    : [];
}

const EVERYWHERE = /"(?:0\.0\.0\.0\/0|::\/0|\*|Internet|Any)"|^(?:0\.0\.0\.0\/0|::\/0|\*|Internet|Any)$/i;
/** What is meant for everybody. */
const WEB = new Set([80, 443]);

interface Opening {
  readonly block: HclBlock;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly source: readonly string[];
}

function openPorts(kind: string, block: HclBlock): RuleMatch[] {
  return openings(kind, block).flatMap(({ block: { line, attributes }, from, to, source }): RuleMatch[] => {
    const open = source.map((name) => attributes.get(name)).find((one) => one && EVERYWHERE.test(one.text));
    if (!open) return [];
    const [low, high] = range(from, to);
    if (low === high && WEB.has(low)) return [];
    const data = [...DATA_PORTS].find((port) => port >= low && port <= high);
    const what = low === high ? `port ${low}` : `ports ${low} to ${high}`;
    return [
      {
        rule: data !== undefined && low === high ? 'cloud-public-database' : 'cloud-open-port',
        line: open.line || line,
        what,
      },
    ];
  });
}

function openings(kind: string, block: HclBlock): Opening[] {
  const text = (one: HclBlock, name: string) => one.attributes.get(name)?.text;
  const aws = (one: HclBlock, source: readonly string[]): Opening => {
    const all = text(one, 'protocol') === '-1' || text(one, 'ip_protocol') === '-1';
    return { block: one, from: all ? '*' : text(one, 'from_port'), to: text(one, 'to_port'), source };
  };
  switch (kind) {
    case 'aws_security_group':
    case 'aws_default_security_group':
      return block.blocks
        .filter(({ type }) => type === 'ingress')
        .map((one) => aws(one, ['cidr_blocks', 'ipv6_cidr_blocks']));
    case 'aws_security_group_rule':
      return text(block, 'type') === 'ingress' ? [aws(block, ['cidr_blocks', 'ipv6_cidr_blocks'])] : [];
    case 'aws_vpc_security_group_ingress_rule':
      return [aws(block, ['cidr_ipv4', 'cidr_ipv6'])];
    case 'google_compute_firewall': {
      if (text(block, 'direction') === 'EGRESS') return [];
      const ranges = block.attributes.get('source_ranges');
      return block.blocks
        .filter(({ type }) => type === 'allow')
        .map((one) => {
          const attributes = new Map([
            ...one.attributes,
            ...(ranges ? [['source_ranges', ranges] as const] : []),
          ]);
          return {
            block: { ...one, attributes },
            from: text(one, 'ports') ?? '*',
            to: undefined,
            source: ['source_ranges'],
          };
        });
    }
    case 'azurerm_network_security_rule':
      return inbound(block);
    case 'azurerm_network_security_group':
      return block.blocks.filter(({ type }) => type === 'security_rule').flatMap(inbound);
    default:
      return [];
  }
}

function inbound(block: HclBlock): Opening[] {
  const text = (name: string) => block.attributes.get(name)?.text;
  if (text('direction') !== 'Inbound' || text('access') !== 'Allow') return [];
  const source = ['source_address_prefix', 'source_address_prefixes'];
  return [
    { block, from: text('destination_port_range') ?? text('destination_port_ranges'), to: undefined, source },
  ];
}

/** `22`, `["80", "8000-9000"]`, `*`: the lowest and highest port. */
function range(from: string | undefined, to: string | undefined): [low: number, high: number] {
  const numbers = `${from ?? ''} ${to ?? ''}`.match(/\d{1,5}/g)?.map(Number) ?? [];
  if (numbers.length === 0 || from === '*') return [0, 65_535];
  return [Math.min(...numbers), Math.max(...numbers)];
}
