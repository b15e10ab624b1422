import { kubernetesMatches } from '../containers/kubernetes.ts';
import { kubernetesResources } from '../containers/kubernetes-lowering.ts';
import { TERRAFORM_JSON_PATH } from '../file-names.ts';
import type { RuleMatch } from '../rules.ts';
import type { ConfigResource } from '../value.ts';
import type { ReportSkipped } from '../yaml-tree.ts';
import { type HclBlock, readHcl } from './hcl.ts';
import { readTerraformJson } from './terraform-json.ts';
import { toKubernetesManifest } from './terraform-kubernetes.ts';
import { type TerraformModule, terraformResources } from './terraform-lowering.ts';

export function terraformBlocks(path: string, text: string, leave?: ReportSkipped): HclBlock[] {
  return TERRAFORM_JSON_PATH.test(path) ? readTerraformJson(text, leave) : readHcl(text);
}

export function readTerraform(
  blocks: readonly HclBlock[],
  module?: TerraformModule,
): { readonly resources: ConfigResource[]; readonly matches: RuleMatch[] } {
  const resources = terraformResources(blocks, module);
  const objects = resources.flatMap((one) => toKubernetesManifest(one) ?? []);
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
