import { entriesOf, itemsOf, nodeAt, textAt, type YamlNode } from '../../infrastructure/yaml-tree.ts';

export interface McpServerEntry {
  readonly name: string;
  readonly line: number;
  readonly words: readonly YamlNode[];
  readonly url: YamlNode | undefined;
  readonly given: readonly (readonly [name: string, value: YamlNode])[];
  readonly node: YamlNode;
}

const SERVER_KEY =
  /^(?:mcpservers|mcp|servers|contextservers|extensions|modelcontextprotocolservers?|ampmcpservers)$/;
const OWN_KEY = /mcp_?servers$|context_?servers$|modelcontextprotocolservers?$/i;
const MAX_DEPTH = 8;
const MAX_SERVERS = 200;
const MAX_WORDS = 500;

export function mcpServersIn(root: YamlNode | undefined, known: boolean): McpServerEntry[] {
  const found: McpServerEntry[] = [];
  collect(root, known, 0, found);
  return found.slice(0, MAX_SERVERS);
}

function collect(node: YamlNode | undefined, known: boolean, depth: number, found: McpServerEntry[]): void {
  if (!node || depth > MAX_DEPTH || found.length >= MAX_SERVERS) return;
  if (node.kind === 'list') for (const item of node.items) collect(item, known, depth + 1, found);
  for (const [key, value] of entriesOf(node)) {
    if (!SERVER_KEY.test(key.toLowerCase().replace(/[^a-z]/g, ''))) {
      collect(value, known, depth + 1, found);
      continue;
    }
    const sure = known || OWN_KEY.test(key);
    const servers = entriesIn(value).flatMap(([name, entry]) => serverOf(name, entry, sure) ?? []);
    found.push(...servers);
    if (servers.length === 0) collect(value, known, depth + 1, found);
  }
}

/** Returns names and entries of servers. Most assistants use a map. The assistant Continue uses a list. */
function entriesIn(node: YamlNode): (readonly [string, YamlNode])[] {
  if (node.kind !== 'list') return [...entriesOf(node)];
  return node.items.map((item) => [textAt(item, 'name') ?? 'a server', item]);
}

function firstOf(node: YamlNode, ...keys: readonly string[]): YamlNode | undefined {
  for (const key of keys) {
    const value = nodeAt(node, key);
    if (value) return value;
  }
  return undefined;
}

function serverOf(name: string, node: YamlNode, sure: boolean): McpServerEntry | undefined {
  if (node.kind !== 'map') return undefined;
  const given = firstOf(node, 'command', 'cmd');
  // Settings of the editor Zed have the program, arguments and variables in a map under `command`.
  const inner = given?.kind === 'map' ? given : node;
  const program = inner === node ? given : firstOf(inner, 'path', 'command');
  const args = itemsOf(firstOf(inner, 'args', 'arguments'));
  const url = firstOf(node, 'url', 'httpUrl', 'serverUrl', 'uri', 'endpoint', 'baseUrl');
  if (!program && !(url && sure)) return undefined;
  if (!sure && args.length === 0 && program?.kind !== 'list') return undefined;
  const variables = ['env', 'envs', 'environment', 'headers', 'http_headers', 'requestInit'];
  const handed = variables.flatMap((key) => {
    const value = firstOf(inner, key) ?? nodeAt(node, key);
    return [...entriesOf(value), ...entriesOf(nodeAt(value, 'headers'))];
  });
  const words = [...(program ? wordsOf(program) : []), ...args].slice(0, MAX_WORDS);
  return { name, line: node.line, words, url, given: handed, node };
}

function wordsOf(program: YamlNode): readonly YamlNode[] {
  if (program.kind !== 'text') return itemsOf(program);
  const words = program.text.match(/"[^"\n]{0,500}"|[^\s"]{1,500}/g) ?? [];
  if (words.length < 2 || /^[A-Za-z]:\\/.test(program.text)) return [program];
  return words.map((text) => ({ kind: 'text', line: program.line, text: text.replaceAll('"', '') }));
}

export const yamlTextOf = (node: YamlNode | undefined): string => (node?.kind === 'text' ? node.text : '');
