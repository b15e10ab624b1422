import type { YamlNode } from '../../infrastructure/yaml-tree.ts';
import { yamlTextOf } from './servers.ts';

export interface ServerLaunch {
  readonly kind: 'npm' | 'python' | 'image' | 'address';
  readonly name: string;
  readonly isPinned: boolean;
  readonly node: YamlNode;
}

const PROGRAM = /(?:^|[\\/])([\w.-]{1,40}?)(?:\.(?:exe|cmd|bat|ps1))?$/;
const WITH_VALUE =
  /^(?:--(?:registry|cache|prefix|userconfig|python|with|index-url|extra-index-url|index|directory|project|env-file|name|network|volume|env|mount|user|workdir|label|platform|entrypoint|publish|memory|cpus|add-host)|-[cevulwph]|-[ei]t?)$/;
const PACKAGE_OPTION = /^(?:--package|-p|--from|--spec)$/;
const NPM_VERSION = /^(@[^@/\s]{1,100}\/[^@\s]{1,200}|[^@\s]{1,200})(?:@(.{1,100}))?$/;
const PYTHON_VERSION = /^([\w.-]{1,200})(?:\[[^\]]{0,100}\])?(?:(?:==|@)(.{1,100}))?$/;
const EXACT = /^=?v?\d{1,9}\.\d{1,9}[-+.\w]{0,60}$/;
/** Matches a version that cannot change later: a commit id or a digest. */
const FIXED = /@(?:sha256:)?[0-9a-f]{40,64}\b/;

export function parseServerLaunch(words: readonly YamlNode[], isInShell = false): ServerLaunch | undefined {
  const [program, ...rest] = words;
  const name = PROGRAM.exec(yamlTextOf(program))?.[1]?.toLowerCase() ?? '';
  const [first = ''] = rest.map(yamlTextOf);
  if (!isInShell && /^(?:cmd|sh|bash|zsh)$/.test(name) && /^(?:\/c|-l?c)$/i.test(first))
    return parseServerLaunch(splitLast(rest), true);
  if (/^(?:npx|bunx|pnpx)$/.test(name)) return fetched('npm', rest);
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name) && /^(?:exec|x|dlx)$/.test(first))
    return fetched('npm', rest.slice(1));
  if (name === 'uvx') return fetched('python', rest);
  if (name === 'uv' && first === 'tool') return fetched('python', rest.slice(2));
  if (name === 'pipx' && first === 'run') return fetched('python', rest.slice(1));
  if (/^(?:docker|podman|nerdctl)$/.test(name) && first === 'run') return fetched('image', rest.slice(1));
  if (name === 'deno') {
    const node = rest.find((one) => /^(?:https?|npm|jsr):/.test(yamlTextOf(one)));
    return (
      node && {
        kind: 'address',
        name: yamlTextOf(node),
        isPinned: /@v?\d{1,9}\.\d/.test(yamlTextOf(node)),
        node,
      }
    );
  }
  return undefined;
}

/** Splits the command in `sh -c "command"` into words. A shell gets its command as one argument. */
const splitLast = (words: readonly YamlNode[]): YamlNode[] =>
  words.slice(1).flatMap((node) =>
    yamlTextOf(node)
      .split(/\s{1,9}/)
      .map((text): YamlNode => ({ kind: 'text', line: node.line, text })),
  );

function fetched(kind: ServerLaunch['kind'], words: readonly YamlNode[]): ServerLaunch | undefined {
  for (let at = 0; at < words.length; at++) {
    const node = words[at];
    const word = yamlTextOf(node);
    const [, inline] = /^(?:--package|--from|--spec)=(.{1,300})$/.exec(word) ?? [];
    if (inline !== undefined && node) return launch(kind, inline, node);
    const next = words[at + 1];
    if (kind !== 'image' && PACKAGE_OPTION.test(word) && next) return launch(kind, yamlTextOf(next), next);
    if (WITH_VALUE.test(word) && !(kind !== 'image' && word === '-y')) at++;
    else if (!word.startsWith('-') && word !== '' && node) return launch(kind, word, node);
  }
  return undefined;
}

function launch(kind: ServerLaunch['kind'], word: string, node: YamlNode): ServerLaunch | undefined {
  // A path means an installed program, so nothing is downloaded.
  if (/^[.~/\\$]|^[A-Za-z]:[\\/]/.test(word)) return undefined;
  if (/^(?:git\+|https?:|github:|git@)/.test(word))
    return { kind: 'address', name: word, isPinned: FIXED.test(word), node };
  if (kind === 'image') {
    const [, name = word, tag] =
      /^([^\s@]{1,200}?)(?::([\w.-]{1,128}))?(?:@sha256:\w{1,64})?$/.exec(word) ?? [];
    return { kind, name, isPinned: FIXED.test(word) || (tag !== undefined && tag !== 'latest'), node };
  }
  const [, name = word, version = ''] = (kind === 'npm' ? NPM_VERSION : PYTHON_VERSION).exec(word) ?? [];
  return { kind, name, isPinned: EXACT.test(version), node };
}
