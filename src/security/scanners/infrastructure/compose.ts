import { DANGEROUS_CAPABILITIES, DATA_PORTS, isRuntimeSocket, isSensitivePath } from './container-risks.ts';
import { isUnpinned } from './image.ts';
import type { Fault, RuleName } from './rules.ts';
import { at, entriesOf, isTrue, itemsOf, textAt, type YamlNode } from './yaml-tree.ts';

/** Faults of a Compose file. */
export function composeFaults(documents: readonly YamlNode[]): Fault[] {
  return documents.flatMap((document) =>
    entriesOf(at(document, 'services')).flatMap(([name, service]) => serviceFaults(name, service)),
  );
}

function serviceFaults(name: string, service: YamlNode): Fault[] {
  const faults: Fault[] = [];
  const add = (rule: RuleName, node: YamlNode | undefined, what: string) => {
    if (node) faults.push({ rule, line: node.line, what: `service ${name}: ${what}` });
  };
  const privileged = at(service, 'privileged');
  if (isTrue(privileged)) add('container-privileged', privileged, 'privileged');
  for (const key of ['network_mode', 'pid', 'ipc', 'userns_mode']) {
    if (textAt(service, key) === 'host') add('container-host-namespace', at(service, key), key);
  }
  for (const one of itemsOf(at(service, 'cap_add'))) {
    const capability = one.kind === 'text' ? one.text.toUpperCase().replace(/^CAP_/, '') : '';
    if (DANGEROUS_CAPABILITIES.has(capability)) add('container-capability', one, capability);
  }
  for (const one of itemsOf(at(service, 'security_opt'))) {
    if (one.kind === 'text' && /(?:seccomp|apparmor)[:=]unconfined/.test(one.text)) {
      add('container-unconfined', one, one.text);
    }
  }
  for (const one of itemsOf(at(service, 'volumes'))) {
    const source = (one.kind === 'text' ? one.text.split(':')[0] : textAt(one, 'source')) ?? '';
    if (isRuntimeSocket(source)) add('container-docker-socket', one, source);
    else if (isSensitivePath(source) && !isHarmless(source)) add('container-host-path', one, source);
  }
  for (const one of itemsOf(at(service, 'ports'))) {
    const port = publishedData(one);
    if (port !== undefined) add('published-database', one, `port ${port}`);
  }
  const image = at(service, 'image');
  if (image?.kind === 'text' && !at(service, 'build') && isUnpinned(image.text))
    add('unpinned-image', image, image.text);
  return faults;
}

/** What tells the time is not a secret. */
function isHarmless(path: string): boolean {
  return /^\/etc\/(?:localtime|timezone|hosts|resolv\.conf|ssl(?:\/|$)|pki(?:\/|$))/.test(path);
}

/** The container's port, when it is a database's and published on every address. */
function publishedData(node: YamlNode): number | undefined {
  if (node.kind === 'map') {
    const target = Number(textAt(node, 'target'));
    const open = textAt(node, 'published') !== undefined && textAt(node, 'host_ip') === undefined;
    return open && DATA_PORTS.has(target) ? target : undefined;
  }
  if (node.kind !== 'text') return undefined;
  const [, address, port] =
    /^(?:((?:\d{1,3}\.){3}\d{1,3}|\[[\da-f:]+\]|localhost):)?[^:]*:(\d{1,5})(?:\/tcp)?$/i.exec(node.text) ??
    [];
  const all = address === undefined || address === '0.0.0.0' || address === '[::]';
  return all && DATA_PORTS.has(Number(port)) ? Number(port) : undefined;
}
