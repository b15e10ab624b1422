import type { YamlNode } from '../yaml-tree.ts';
import risks from './container-risks.json' with { type: 'json' };

/** Linux capabilities that let a process leave its container or read foreign network traffic (capabilities(7)). */
export const DANGEROUS_CAPABILITIES: ReadonlySet<string> = new Set(risks.capabilities);
export const DATABASE_PORTS: ReadonlySet<number> = new Set(risks.databasePorts);

export const linuxCapabilityOf = (node: YamlNode): string =>
  node.kind === 'text' ? node.text.toUpperCase().replace(/^CAP_/, '') : '';

export const isSensitivePath = (path: string): boolean =>
  /^\/(?:$|etc(?:\/|$)|proc(?:\/|$)|sys(?:\/|$)|root(?:\/|$)|boot(?:\/|$)|dev\/?$|home\/?$|usr\/?$|var\/?$|var\/run\/?$|run\/?$|var\/lib\/(?:docker|kubelet|containerd)(?:\/|$)|var\/lib\/?$)/.test(
    path,
  );

export const isRuntimeSocket = (path: string): boolean =>
  /\/(?:docker|containerd|crio|podman)(?:\/\w+)?\.sock$/.test(path);

export function isUnpinnedImage(image: string): boolean {
  if (image === '' || image.includes('@sha256:') || /[${}]/.test(image)) return false;
  const name = image.slice(image.lastIndexOf('/') + 1);
  const tag = /:([^:]+)$/.exec(name)?.[1];
  return tag === undefined || tag === 'latest';
}
