import { readJson } from '../json-tree.ts';
import { type ConfigResource, type ConfigValue, toConfigValue, type ValueMap } from '../value.ts';
import type { HclAttribute, HclBlock } from './hcl.ts';
import {
  type ExpressionEffort,
  evaluateHclExpression,
  MAX_EXPRESSION_STEPS,
  type ReferenceResolver,
} from './hcl-expression.ts';

export interface TerraformModule {
  readonly blocks: readonly HclBlock[];
  readonly given: ReadonlyMap<string, HclAttribute>;
}

export function terraformResources(
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
