import type { YamlNode } from '../yaml-tree.ts';

/** Linux capabilities with which a process can leave its container or read foreign network traffic (capabilities(7)). */
export const DANGEROUS_CAPABILITIES: ReadonlySet<string> = new Set([
  'ALL',
  'SYS_ADMIN',
  'SYS_MODULE',
  'SYS_PTRACE',
  'SYS_RAWIO',
  'SYS_BOOT',
  'NET_ADMIN',
  'DAC_READ_SEARCH',
  'DAC_OVERRIDE',
  'BPF',
  'PERFMON',
  'MAC_ADMIN',
  'SETFCAP',
]);

export function capabilityOf(node: YamlNode): string {
  return node.kind === 'text' ? node.text.toUpperCase().replace(/^CAP_/, '') : '';
}

export function isSensitivePath(path: string): boolean {
  return /^\/(?:$|etc(?:\/|$)|proc(?:\/|$)|sys(?:\/|$)|root(?:\/|$)|boot(?:\/|$)|dev\/?$|home\/?$|usr\/?$|var\/?$|var\/run\/?$|run\/?$|var\/lib\/(?:docker|kubelet|containerd)(?:\/|$)|var\/lib\/?$)/.test(
    path,
  );
}

export function isRuntimeSocket(path: string): boolean {
  return /\/(?:docker|containerd|crio|podman)(?:\/\w+)?\.sock$/.test(path);
}

export const DATABASE_PORTS: ReadonlySet<number> = new Set([
  1433, 1521, 2375, 2379, 3306, 5432, 5984, 6379, 7000, 8086, 9042, 9200, 9300, 11211, 15672, 26257, 27017,
  27018,
]);
