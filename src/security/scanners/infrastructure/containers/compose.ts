import type { RuleMatch, RuleName } from '../rules.ts';
import { entriesOf, isTrue, itemsOf, nodeAt, textAt, type YamlNode } from '../yaml-tree.ts';
import {
  DANGEROUS_CAPABILITIES,
  DATABASE_PORTS,
  isRuntimeSocket,
  isSensitivePath,
  isUnpinnedImage,
  linuxCapabilityOf,
} from './container-risks.ts';

export const findComposeRisks = (documents: readonly YamlNode[]): RuleMatch[] =>
  documents.flatMap((document) =>
    entriesOf(nodeAt(document, 'services')).flatMap(([name, service]) => serviceMatches(name, service)),
  );

function serviceMatches(name: string, service: YamlNode): RuleMatch[] {
  const found = (rule: RuleName, node: YamlNode | undefined, what: string): RuleMatch[] =>
    node ? [{ rule, line: node.line, what: `service ${name}: ${what}` }] : [];
  const each = (key: string, check: (item: YamlNode) => RuleMatch[]) =>
    itemsOf(nodeAt(service, key)).flatMap(check);
  const privileged = nodeAt(service, 'privileged');
  const image = nodeAt(service, 'image');
  return [
    ...(isTrue(privileged) ? found('container-privileged', privileged, 'privileged') : []),
    ...['network_mode', 'pid', 'ipc', 'userns_mode']
      .filter((key) => textAt(service, key) === 'host')
      .flatMap((key) => found('container-host-namespace', nodeAt(service, key), key)),
    ...each('cap_add', (one) => {
      const capability = linuxCapabilityOf(one);
      return DANGEROUS_CAPABILITIES.has(capability) ? found('container-capability', one, capability) : [];
    }),
    ...each('security_opt', (one) =>
      one.kind === 'text' && /(?:seccomp|apparmor)[:=]unconfined/.test(one.text)
        ? found('container-unconfined', one, one.text)
        : [],
    ),
    ...each('volumes', (one) => {
      const source = (one.kind === 'text' ? one.text.split(':')[0] : textAt(one, 'source')) ?? '';
      if (isRuntimeSocket(source)) return found('container-docker-socket', one, source);
      return isSensitivePath(source) && !isHarmless(source) ? found('container-host-path', one, source) : [];
    }),
    ...each('ports', (one) => {
      const port = publishedData(one);
      return port === undefined ? [] : found('published-database', one, `port ${port}`);
    }),
    ...(image?.kind === 'text' && !nodeAt(service, 'build') && isUnpinnedImage(image.text)
      ? found('unpinned-image', image, image.text)
      : []),
  ];
}

const isHarmless = (path: string): boolean =>
  /^\/etc\/(?:localtime|timezone|hosts|resolv\.conf|ssl(?:\/|$)|pki(?:\/|$))/.test(path);

function publishedData(node: YamlNode): number | undefined {
  if (node.kind === 'map') {
    const target = Number(textAt(node, 'target'));
    const open = textAt(node, 'published') !== undefined && textAt(node, 'host_ip') === undefined;
    return open && DATABASE_PORTS.has(target) ? target : undefined;
  }
  if (node.kind !== 'text') return undefined;
  const [, address, port] =
    /^(?:((?:\d{1,3}\.){3}\d{1,3}|\[[\da-f:]+\]|localhost):)?[^:]*:(\d{1,5})(?:\/tcp)?$/i.exec(node.text) ??
    [];
  const all = address === undefined || address === '0.0.0.0' || address === '[::]';
  return all && DATABASE_PORTS.has(Number(port)) ? Number(port) : undefined;
}
