import { createLineIndex } from '../../trees/lines.ts';
import { itemsOf, nodeAt, textAt, type YamlNode } from '../infrastructure/yaml-tree.ts';
import capabilities from './capabilities.json' with { type: 'json' };
import type { AgentMatch } from './rules.ts';

export interface ToolText {
  readonly name: string;
  readonly text: string;
  readonly line: number;
}

const MAX_TOOLS = 500;
const MAX_TEXT_CHARACTERS = 2000;
const MAX_DEPTH = 12;

export function toolsInData(root: YamlNode | undefined): ToolText[] {
  const found: ToolText[] = [];
  const walk = (node: YamlNode | undefined, depth: number): void => {
    if (!node || node.kind === 'text' || depth > MAX_DEPTH || found.length >= MAX_TOOLS) return;
    found.push(
      ...itemsOf(nodeAt(node, 'tools') ?? nodeAt(node, 'prompts')).flatMap((tool) => toolOf(tool) ?? []),
    );
    for (const child of node.kind === 'list' ? node.items : node.entries.values()) walk(child, depth + 1);
  };
  walk(root, 0);
  return found.slice(0, MAX_TOOLS);
}

function toolOf(node: YamlNode): ToolText | undefined {
  const name = textAt(node, 'name') ?? textAt(node, 'function', 'name');
  const described = nodeAt(node, 'description') ?? nodeAt(node, 'function');
  return name === undefined || !described
    ? undefined
    : { name, text: textsIn(node, 0).join('\n\n'), line: node.line };
}

function textsIn(node: YamlNode, depth: number): string[] {
  if (node.kind === 'text') return [node.text];
  if (depth > MAX_DEPTH) return [];
  const children = node.kind === 'list' ? node.items : [...node.entries.values()];
  return children.flatMap((child) => textsIn(child, depth + 1));
}

const REGISTERED =
  /@\w{1,40}\.tool\b[^\n]{0,200}\n(?:[ \t]{0,40}@[^\n]{0,200}\n){0,3}[ \t]{0,40}(?:async )?def (\w{1,80})|@(?:tool|function_tool)\b[^\n]{0,100}\n[ \t]{0,40}(?:async )?def (\w{1,80})|\b(?:registerTool|\.tool|NewTool|AddTool)\(\s{0,60}["'`]([\w.-]{1,80})["'`]|\bTool\(\s{0,60}name\s{0,3}=\s{0,3}["']([\w.-]{1,80})["']|\bname:\s{0,3}["']([\w.-]{1,80})["'],\s{0,100}(?:title:[^\n]{0,200}\n\s{0,40})?description:/g;

export function toolsInCode(code: string, text: string): ToolText[] {
  const lines = createLineIndex(text);
  return [...code.matchAll(REGISTERED)].slice(0, MAX_TOOLS).map((match) => {
    const name = match.slice(1).find((one) => one !== undefined) ?? '';
    const after = text.slice(match.index, match.index + match[0].length + MAX_TEXT_CHARACTERS);
    const [docstring] =
      /"""[^"]{0,2000}"""|\bdescription\b[^\n]{0,20}["'`][^"'`]{0,1000}["'`]/.exec(after) ?? [];
    return {
      name,
      line: lines.lineAt(match.index),
      text: docstring ?? after.slice(0, match[0].length + 200),
    };
  });
}

const KINDS = Object.entries(capabilities).map(([kind, words]) => ({
  kind,
  pattern: new RegExp(`(?:^|_)(?:${words.join('|')})(?:_|$)`, 'i'),
}));

export function toolFlowMatches(
  tools: readonly { readonly name: string; readonly line: number; readonly kinds?: readonly string[] }[],
): AgentMatch[] {
  const able = tools.map((tool) => ({ ...tool, kinds: tool.kinds ?? kindsOf(tool.name) }));
  const parts = KINDS.map(({ kind }) => ({ kind, tool: able.find(({ kinds }) => kinds.includes(kind)) }));
  if (parts.some(({ tool }) => !tool)) return [];
  const said = parts.map(({ kind, tool }) => `${kind}: ${tool?.name.slice(0, 40)}`);
  return [{ rule: 'tool-flow', line: parts[0]?.tool?.line ?? 1, what: said.join('; ') }];
}

function kindsOf(name: string): string[] {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/[^A-Za-z\d]{1,9}/g, '_');
  return KINDS.filter(({ pattern }) => pattern.test(words)).map(({ kind }) => kind);
}
