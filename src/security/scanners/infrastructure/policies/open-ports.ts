import { DATABASE_PORTS } from '../containers/container-risks.ts';
import type { RuleMatch } from '../rules.ts';
import { type ConfigResource, type ConfigValue, configTextOf, entryOf, itemsOf } from '../value.ts';

const EVERYWHERE = /^(?:0\.0\.0\.0(?:\/0)?|::\/0|\*|Internet|Any)$/i;
const WEB = new Set([80, 443]);
const ICMP = /^(?:icmp(?:v6)?|1|58)$/i;

interface PortOpening {
  readonly line: number;
  readonly sources: readonly (ConfigValue | undefined)[];
  readonly ports: readonly string[];
}

export function openPortMatches(resource: ConfigResource): RuleMatch[] {
  return openings(resource).flatMap(({ line, sources, ports }): RuleMatch[] => {
    const open = sources.find((source) =>
      itemsOf(source).some((one) => one.kind === 'text' && EVERYWHERE.test(one.text)),
    );
    if (!open) return [];
    const [low, high] = rangeOf(ports);
    if (low === high && WEB.has(low)) return [];
    if (ports.length > 0 && ports.every((port) => WEB.has(Number(port)))) return [];
    const data = [...DATABASE_PORTS].find((port) => port >= low && port <= high);
    const what = low === high ? `port ${low}` : `ports ${low} to ${high}`;
    const rule = data !== undefined && low === high ? 'cloud-public-database' : 'cloud-open-port';
    return [{ rule, line: open.line || line, what }];
  });
}

function openings(resource: ConfigResource): PortOpening[] {
  const { type, body } = resource;
  const inner = (key: string) => itemsOf(entryOf(body, key)).filter((one) => one.kind === 'map');
  switch (type) {
    case 'aws_security_group':
    case 'aws_default_security_group':
      return inner('ingress').map((one) => openingOf(one, ['cidr_blocks', 'ipv6_cidr_blocks']));
    case 'aws_security_group_rule':
      return configTextOf(body, 'type') === 'ingress'
        ? [openingOf(body, ['cidr_blocks', 'ipv6_cidr_blocks'])]
        : [];
    case 'aws_vpc_security_group_ingress_rule':
      return [openingOf(body, ['cidr_ipv4', 'cidr_ipv6'])];
    case 'AWS::EC2::SecurityGroup':
      return inner('SecurityGroupIngress').map(cloudFormation);
    case 'AWS::EC2::SecurityGroupIngress':
      return [cloudFormation(body)];
    case 'google_compute_firewall': {
      if (configTextOf(body, 'direction') === 'EGRESS' || configTextOf(body, 'disabled') === 'true')
        return [];
      const sources = [entryOf(body, 'source_ranges')];
      return inner('allow').map((one) => ({
        line: one.line,
        sources,
        ports: textsOf(entryOf(one, 'ports')),
      }));
    }
    case 'azurerm_network_security_rule':
      return inbound(body);
    case 'azurerm_network_security_group':
      return inner('security_rule').flatMap(inbound);
    default:
      return [];
  }
}

const TERRAFORM_NAMES = { protocols: ['protocol', 'ip_protocol'], from: 'from_port', to: 'to_port' };
const CLOUD_FORMATION_NAMES = { protocols: ['IpProtocol'], from: 'FromPort', to: 'ToPort' };

function openingOf(rule: ConfigValue, sources: readonly string[], names = TERRAFORM_NAMES): PortOpening {
  const [protocol = ''] = names.protocols.flatMap((name) => configTextOf(rule, name) ?? []);
  return {
    line: rule.line,
    sources: ICMP.test(protocol) ? [] : sources.map((name) => entryOf(rule, name)),
    ports: protocol === '-1' ? [] : fromTo(configTextOf(rule, names.from), configTextOf(rule, names.to)),
  };
}

const cloudFormation = (rule: ConfigValue): PortOpening =>
  openingOf(rule, ['CidrIp', 'CidrIpv6'], CLOUD_FORMATION_NAMES);

function fromTo(from: string | undefined, to: string | undefined): string[] {
  if (from === undefined && to === undefined) return [];
  return [`${from ?? to}-${to ?? from}`];
}

function inbound(rule: ConfigValue): PortOpening[] {
  if (configTextOf(rule, 'direction') !== 'Inbound' || configTextOf(rule, 'access') !== 'Allow') return [];
  const sources = ['source_address_prefix', 'source_address_prefixes'].map((name) => entryOf(rule, name));
  const ports = ['destination_port_range', 'destination_port_ranges'].flatMap((name) =>
    textsOf(entryOf(rule, name)),
  );
  return [{ line: rule.line, sources, ports }];
}

const textsOf = (value: ConfigValue | undefined): string[] =>
  itemsOf(value).flatMap((one) => (one.kind === 'text' ? [one.text] : []));

function rangeOf(ports: readonly string[]): [low: number, high: number] {
  const numbers = ports.flatMap((port) => port.match(/\d{1,5}/g)?.map(Number) ?? []);
  if (numbers.length === 0 || ports.includes('*') || numbers.every((one) => one === 0)) return [0, 65_535];
  return [Math.min(...numbers), Math.max(...numbers)];
}
