import { type HclBlock, readHcl } from './hcl.ts';
import { kubernetesMatches } from './kubernetes.ts';
import { kubernetesResources } from './kubernetes-lowering.ts';
import type { RuleMatch } from './rules.ts';
import { objectOf } from './terraform-kubernetes.ts';
import { terraformResources } from './terraform-lowering.ts';
import type { Resource } from './value.ts';

/** What a Terraform or OpenTofu file declares, and modules that are not pinned. */
export function readTerraform(text: string): {
  readonly resources: Resource[];
  readonly matches: RuleMatch[];
} {
  const blocks = readHcl(text);
  const resources = terraformResources(blocks);
  const objects = resources.flatMap((one) => objectOf(one) ?? []);
  return {
    resources: [...resources, ...kubernetesResources(objects, false)],
    matches: [...blocks.flatMap(moduleMatches), ...kubernetesMatches(objects, false)],
  };
}

function moduleMatches({ type, attributes }: HclBlock): RuleMatch[] {
  const source = type === 'module' ? attributes.get('source') : undefined;
  if (!source || /^\.{0,2}\//.test(source.text) || attributes.has('version')) return [];
  const fixed = /[?&]ref=|[?&]versionId=|@v?\d|\.zip$|\.tar\.gz$/.test(source.text);
  return fixed ? [] : [{ rule: 'unpinned-module', line: source.line, what: source.text }];
}
