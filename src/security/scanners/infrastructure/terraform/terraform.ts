import { kubernetesMatches } from '../containers/kubernetes.ts';
import { kubernetesResources } from '../containers/kubernetes-lowering.ts';
import { TERRAFORM_JSON_PATH } from '../file-names.ts';
import { readJson } from '../json-tree.ts';
import type { RuleMatch } from '../rules.ts';
import type { ConfigResource } from '../value.ts';
import { entriesOf, itemsOf, type ReportSkipped, type YamlNode } from '../yaml-tree.ts';
import { type HclAttribute, type HclBlock, readHcl } from './hcl.ts';
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

/** Number of labels of each block type. A resource has two: its type and its name. */
const LABELS: Readonly<Record<string, number>> = {
  resource: 2,
  data: 2,
  variable: 1,
  module: 1,
  output: 1,
  provider: 1,
};
const VALUES = new Set(['locals', 'variable', 'output']);

function readTerraformJson(text: string, leave?: ReportSkipped): HclBlock[] {
  return itemsOf(readJson(text, leave)).flatMap((root) =>
    entriesOf(root).flatMap(([type, node]) => labelled(type, node, [], LABELS[type] ?? 0)),
  );
}

function labelled(type: string, node: YamlNode, labels: readonly string[], deeper: number): HclBlock[] {
  return itemsOf(node).flatMap((one) =>
    deeper > 0
      ? entriesOf(one).flatMap(([label, inner]) => labelled(type, inner, [...labels, label], deeper - 1))
      : one.kind === 'map'
        ? [blockOf(type, labels, one)]
        : [],
  );
}

function blockOf(type: string, labels: readonly string[], node: YamlNode): HclBlock {
  const attributes = new Map<string, HclAttribute>();
  const blocks: HclBlock[] = [];
  for (const [name, value] of entriesOf(node)) {
    const inner = itemsOf(value);
    if (name === 'dynamic') blocks.push(...labelled(name, value, [], 1));
    else if (!VALUES.has(type) && inner.length > 0 && inner.every(({ kind }) => kind === 'map'))
      blocks.push(...inner.map((one) => blockOf(name, [], one)));
    else attributes.set(name, attributeOf(value));
  }
  return { type, labels, line: node.line, attributes, blocks };
}

function attributeOf(node: YamlNode): HclAttribute {
  return { line: node.line, text: node.kind === 'text' ? node.text : '', written: written(node) };
}

/** Converts a JSON value to an HCL expression. The text `${var.a}` becomes the reference `var.a`. */
function written(node: YamlNode): string {
  if (node.kind === 'list') return `[${node.items.map(written).join(', ')}]`;
  if (node.kind === 'map')
    return `{${[...node.entries].map(([key, one]) => `${JSON.stringify(key)} = ${written(one)}`).join(', ')}}`;
  const [, whole] = /^\$\{([^{}]*)\}$/.exec(node.text) ?? [];
  return whole ?? JSON.stringify(node.text);
}
