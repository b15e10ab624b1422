import { kubernetesMatches } from '../containers/kubernetes.ts';
import { kubernetesResources } from '../containers/kubernetes-lowering.ts';
import { TERRAFORM_JSON_PATH } from '../file-names.ts';
import { readJson } from '../json-tree.ts';
import type { RuleMatch } from '../rules.ts';
import { type ConfigResource, type ConfigValue, toConfigValue, type ValueMap } from '../value.ts';
import { entriesOf, itemsOf, type ReportSkipped, type YamlNode } from '../yaml-tree.ts';
import { type HclAttribute, type HclBlock, readHcl } from './hcl.ts';
import {
  type ExpressionEffort,
  evaluateHclExpression,
  MAX_EXPRESSION_STEPS,
  type ReferenceResolver,
} from './hcl-expression.ts';
import { toKubernetesManifest } from './terraform-kubernetes.ts';

interface TerraformModule {
  readonly blocks: readonly HclBlock[];
  readonly given: ReadonlyMap<string, HclAttribute>;
}

function terraformResources(
  blocks: readonly HclBlock[],
  module: TerraformModule = { blocks, given: new Map() },
): ConfigResource[] {
  const effort: ExpressionEffort = { steps: 0, depth: 0 };
  const resolve = constantsOf(module, effort);
  return blocks.flatMap((block): ConfigResource[] => {
    const [type, name = ''] = block.labels;
    if (type === undefined || (block.type !== 'resource' && block.type !== 'data')) return [];
    const body = bodyOf(block, resolve, effort);
    const count = body.entries.get('count');
    if (count?.kind === 'text' && count.text === '0') return [];
    return [{ type: block.type === 'data' ? `data.${type}` : type, name, line: block.line, body }];
  });
}

function bodyOf(block: HclBlock, resolve: ReferenceResolver, effort: ExpressionEffort): ValueMap {
  const entries = new Map<string, ConfigValue>();
  for (const [name, { written, line }] of block.attributes) {
    const value = evaluateHclExpression(written, line, resolve, effort);
    if (value) entries.set(name, ofJson(value) ?? (value.kind === 'text' ? { ...value, line } : value));
  }
  const inner = new Map<string, ConfigValue[]>();
  const add = (type: string, value: ConfigValue) => inner.set(type, [...(inner.get(type) ?? []), value]);
  for (const one of block.blocks) {
    if (one.type !== 'dynamic') add(one.type, bodyOf(one, resolve, effort));
    else {
      const content = one.blocks.find(({ type }) => type === 'content');
      const type = one.labels[0] ?? '';
      if (content) add(type, bodyOf(content, resolve, effort));
    }
  }
  for (const [type, items] of inner)
    entries.set(type, { kind: 'list', line: items[0]?.line ?? block.line, items });
  return { kind: 'map', line: block.line, entries };
}

const MAX_JSON_CHARACTERS = 100_000;

function ofJson(value: ConfigValue): ConfigValue | undefined {
  if (value.kind !== 'text' && value.kind !== 'unknown') return undefined;
  const written = value.text.trim();
  if (!/^[[{]/.test(written) || written.length > MAX_JSON_CHARACTERS) return undefined;
  const skipped = value.text.slice(0, value.text.indexOf(written[0] ?? '')).split('\n').length - 1;
  const read = /^(?:\{\s*"|\[\s*[[{"])/.test(written) ? readJson(written) : undefined;
  return read && toConfigValue(read, value.line + skipped - 1, (text) => /[$%]\{/.test(text));
}

function constantsOf({ blocks, given }: TerraformModule, effort: ExpressionEffort): ReferenceResolver {
  const written = new Map<string, HclAttribute>();
  for (const { type, labels, attributes } of blocks) {
    const value = given.get(labels[0] ?? '') ?? attributes.get('default');
    if (type === 'variable' && value) written.set(`var.${labels[0]}`, value);
    if (type === 'locals') for (const [name, one] of attributes) written.set(`local.${name}`, one);
  }
  const read = new Map<string, ConfigValue | undefined>();
  const sizes = new WeakMap<ConfigValue, number>();
  const resolve: ReferenceResolver = ([root, name, ...path]) => {
    const key = `${root}.${name}`;
    const from = written.get(key);
    if (!from) return undefined;
    if (!read.has(key)) {
      // The constant is undefined during its evaluation, to avoid an endless loop if it refers to itself.
      read.set(key, undefined);
      read.set(key, evaluateHclExpression(from.written, from.line, resolve, effort));
    }
    let value = read.get(key);
    for (const part of path) value = value?.kind === 'map' ? value.entries.get(part) : undefined;
    // Counts the size of the value at each use, because constants made of constants can grow exponentially.
    if (value) effort.steps += sizeOf(value, sizes);
    return effort.steps > MAX_EXPRESSION_STEPS ? undefined : value;
  };
  return resolve;
}

function sizeOf(value: ConfigValue, sizes: WeakMap<ConfigValue, number>): number {
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const inner = value.kind === 'map' ? [...value.entries.values()] : value.kind === 'list' ? value.items : [];
  const size = inner.reduce((sum, one) => sum + sizeOf(one, sizes), 1);
  sizes.set(value, size);
  return size;
}

export const terraformBlocks = (path: string, text: string, leave?: ReportSkipped): HclBlock[] =>
  TERRAFORM_JSON_PATH.test(path) ? readTerraformJson(text, leave) : readHcl(text);

export function readTerraform(blocks: readonly HclBlock[], module?: TerraformModule) {
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

const readTerraformJson = (text: string, leave?: ReportSkipped): HclBlock[] =>
  itemsOf(readJson(text, leave)).flatMap((root) =>
    entriesOf(root).flatMap(([type, node]) => labelled(type, node, [], LABELS[type] ?? 0)),
  );

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
