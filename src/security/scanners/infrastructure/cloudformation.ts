import type { ConfigResource, ConfigValue, ValueMap } from './value.ts';
import { entriesOf, itemsOf, nodeAt, textAt, type YamlNode } from './yaml-tree.ts';

/** Maximum number of values read from one template. Each `Ref` counts the referenced value again. */
const MAX_VALUES = 300_000;
const RESOURCE_TYPE = /^(?:AWS|Alexa|Custom)::\w/;

export const canBeCloudFormation = (text: string): boolean =>
  text.includes('Resources') && text.includes('AWS::');

/** Reads a template. `resources` has the true branches of `Fn::If`, `otherwise` has the false branches. */
export function cloudFormationResources(document: YamlNode | undefined) {
  const root = nodeAt(document, 'Resources') ? document : nodeAt(document, 'resources');
  const declared = entriesOf(nodeAt(root, 'Resources'));
  const isTemplate =
    textAt(root, 'AWSTemplateFormatVersion') !== undefined ||
    declared.some(([, one]) => RESOURCE_TYPE.test(textAt(one, 'Type') ?? ''));
  if (!isTemplate) return undefined;
  const parameters = new Map(
    entriesOf(nodeAt(root, 'Parameters')).map(([name, node]) => [name, textAt(node, 'Default') || undefined]),
  );
  const read = (branch: 1 | 2) => {
    const reading: TemplateReading = { parameters, budget: { values: MAX_VALUES }, branch, branched: false };
    return { resources: resourcesOf(root, declared, reading), branched: reading.branched };
  };
  const { resources, branched } = read(1);
  return { resources, otherwise: branched ? read(2).resources : undefined };
}

function resourcesOf(
  root: YamlNode | undefined,
  declared: readonly (readonly [string, YamlNode])[],
  reading: TemplateReading,
): ConfigResource[] {
  const globals = nodeAt(root, 'Globals');
  return declared.flatMap(([name, node]): ConfigResource[] => {
    const type = textAt(node, 'Type');
    if (type === undefined) return [];
    const own = nodeAt(node, 'Properties');
    const read = own ? readValue(own, reading, 0) : undefined;
    const body: ValueMap = read?.kind === 'map' ? read : { kind: 'map', line: node.line, entries: new Map() };
    const partial = read?.kind === 'unknown' || body.entries.has('Fn::Transform') ? true : undefined;
    const usual = type.startsWith('AWS::Serverless::')
      ? nodeAt(globals, type.slice('AWS::Serverless::'.length))
      : undefined;
    return [{ type, name, line: node.line, body: usual ? withUsual(body, usual, reading) : body, partial }];
  });
}

interface TemplateReading {
  readonly parameters: ReadonlyMap<string, string | undefined>;
  readonly budget: { values: number };
  /** Index of the branch to read in each `Fn::If`: 1 for a true condition, 2 for a false condition. */
  readonly branch: 1 | 2;
  branched: boolean;
}

/** Adds properties from a SAM template's section `Globals`, unless the resource sets them itself. */
function withUsual(body: ValueMap, usual: YamlNode, reading: TemplateReading): ValueMap {
  const entries = new Map(body.entries);
  for (const [key, node] of entriesOf(usual)) {
    const value = entries.has(key) ? undefined : readValue(node, reading, 0);
    if (value) entries.set(key, { ...value, line: body.line });
  }
  return { ...body, entries };
}

const MAX_DEPTH = 60;

function readValue(node: YamlNode, reading: TemplateReading, depth: number): ConfigValue | undefined {
  const { line } = node;
  if (depth > MAX_DEPTH || reading.budget.values-- <= 0) return { kind: 'unknown', line, text: '' };
  if (node.kind === 'text') return { kind: 'text', line, text: node.text };
  if (node.kind === 'list') {
    return {
      kind: 'list',
      line,
      items: node.items.flatMap((item) => readValue(item, reading, depth + 1) ?? []),
    };
  }
  const [only, another] = node.entries;
  if (only && !another && (only[0] === 'Ref' || only[0].startsWith('Fn::')))
    return intrinsic(only[0], only[1], reading, depth + 1, line);
  const entries = new Map<string, ConfigValue>();
  for (const [key, child] of node.entries) {
    const value = readValue(child, reading, depth + 1);
    if (value) entries.set(key, value);
  }
  return { kind: 'map', line, entries };
}

function intrinsic(
  name: string,
  node: YamlNode,
  reading: TemplateReading,
  depth: number,
  line: number,
): ConfigValue | undefined {
  const given = node.kind === 'text' ? node.text : '';
  if (name === 'Ref') {
    if (given === 'AWS::NoValue') return undefined;
    const text = reading.parameters.get(given);
    return text === undefined ? { kind: 'unknown', line, text: given } : { kind: 'text', line, text };
  }
  if (name === 'Fn::Sub') return substituted(node, reading, depth, line);
  if (name === 'Fn::Join') return joined(node, reading, depth, line);
  if (name === 'Fn::GetAtt')
    return {
      kind: 'unknown',
      line,
      text: itemsOf(node)
        .map((one) => (one.kind === 'text' ? one.text : ''))
        .join('.'),
    };
  if (name === 'Fn::If') {
    const taken = node.kind === 'list' ? node.items[reading.branch] : undefined;
    reading.branched = true;
    return taken ? readValue(taken, reading, depth) : { kind: 'unknown', line, text: name };
  }
  if (name === 'Fn::Base64') return readValue(node, reading, depth);
  return { kind: 'unknown', line, text: `${name} ${textsIn(node, reading, depth)}`.trim() };
}

function textsIn(node: YamlNode, reading: TemplateReading, depth: number): string {
  const value = readValue(node, reading, depth);
  if (value?.kind === 'list') return value.items.map((one) => ('text' in one ? one.text : '')).join(' ');
  return value && 'text' in value ? value.text : '';
}

function substituted(node: YamlNode, reading: TemplateReading, depth: number, line: number): ConfigValue {
  const [pattern, own] = node.kind === 'list' ? node.items : [node];
  let known = true;
  const text = (pattern?.kind === 'text' ? pattern.text : '').replace(
    /\$\{([^{}]{1,300})\}/g,
    (whole, key: string) => {
      if (key.startsWith('!')) return `\${${key.slice(1)}}`;
      const given = nodeAt(own, key);
      const value = given ? readValue(given, reading, depth) : undefined;
      const put = value?.kind === 'text' ? value.text : reading.parameters.get(key);
      if (put === undefined) known = false;
      return put ?? whole;
    },
  );
  return { kind: known ? 'text' : 'unknown', line, text };
}

function joined(node: YamlNode, reading: TemplateReading, depth: number, line: number): ConfigValue {
  const [by, list] = node.kind === 'list' ? node.items : [];
  const parts = list ? readValue(list, reading, depth) : undefined;
  const items = parts?.kind === 'list' ? parts.items : [];
  const known = parts?.kind === 'list' && items.every((one) => one.kind === 'text');
  const text = items.map((one) => ('text' in one ? one.text : '')).join(by?.kind === 'text' ? by.text : '');
  return { kind: known ? 'text' : 'unknown', line, text };
}
