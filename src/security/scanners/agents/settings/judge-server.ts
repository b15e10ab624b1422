import { editDistance } from '../../../../lib/text/edit-distance.ts';
import { credentialKind } from '../../secrets/credential-name.ts';
import { isPlaceholder } from '../../secrets/placeholder.ts';
import { commandMatches } from '../code/behaviours.ts';
import type { AgentMatch } from '../rules.ts';
import known from './known-servers.json' with { type: 'json' };
import { parseServerLaunch } from './launchers.ts';
import { type McpServerEntry, yamlTextOf } from './servers.ts';

const KNOWN: ReadonlyMap<string, string> = new Map(Object.entries(known));
/** Minimum characters of a package name to compare with known names. Short names are often similar. */
const MIN_NAME_CHARACTERS = 8;
const LOOPBACK =
  /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|host\.docker\.internal|0\.0\.0\.0)(?=[:/?#]|$)/i;
const PRIVATE =
  /^http:\/\/(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|[\w-]{1,63}(?=[:/]|$)|[\w.-]{1,200}\.(?:local|lan|internal|home|test|svc)(?=[:/]|$))/i;
const WIDE_FOLDER =
  /^(?:\/|~\/?|\$\{?(?:env:)?HOME\}?\/?|%USERPROFILE%\\?|\$\{userHome\}\/?|\/(?:home|Users|root|etc|var|mnt)\/?|\/(?:home|Users)\/[^/]{1,60}\/?|[A-Za-z]:[\\/]{0,2}|[A-Za-z]:[\\/]{1,2}Users[\\/]{0,2}(?:[^\\/]{1,60}[\\/]{0,2})?)$/;
const FOLDER_SERVER = /filesystem|file-?system|files|desktop-commander/i;
const RIGHTS =
  /^--privileged$|^--(?:network|net|pid|ipc|userns)=host$|^--cap-add[= ]?(?:ALL|SYS_ADMIN)|docker\.sock|^(?:\/|\/etc|\/root|~|\$HOME|\/home|\/Users):|(?:source|src)=\/(?:,|$)/;

export function findServerRisks(server: McpServerEntry): AgentMatch[] {
  const { words, name } = server;
  const launch = parseServerLaunch(words);
  const found: AgentMatch[] = [];
  const named = `${name.slice(0, 40)}: `;
  if (launch && !launch.isPinned && launch.name !== 'magpie-mcp')
    found.push({ rule: 'unpinned-package', line: launch.node.line, what: named + yamlTextOf(launch.node) });
  const meant = launch && lookAlike(launch.name);
  if (launch && meant !== undefined)
    found.push({
      rule: 'look-alike-package',
      line: launch.node.line,
      what: `${launch.name} in place of ${meant}`,
    });
  const line = words.map(yamlTextOf).join(' ').slice(0, 4000);
  found.push(...commandMatches(line, words[0]?.line ?? server.line));
  const [program] = words;
  if (!launch && /(?:^|[\\/])(?:(?:ba|z|da|k)?sh|cmd|powershell|pwsh)(?:\.exe)?$/i.test(yamlTextOf(program)))
    if (words.some((one) => /^(?:-l?c|\/c|-Command|-enc\w{0,14})$/i.test(yamlTextOf(one))))
      found.push({ rule: 'shell-command', line: server.line, what: named + line.slice(0, 80) });
  found.push(...argumentMatches(server, launch?.name ?? ''));
  found.push(...addressMatches(server), ...credentialMatches(server));
  return found;
}

function lookAlike(name: string): string | undefined {
  const own = name.toLowerCase();
  if (own.length < MIN_NAME_CHARACTERS || own.length > 100 || KNOWN.has(own)) return undefined;
  const most = own.length >= 16 ? 2 : 1;
  return [...KNOWN.keys()].find(
    (one) =>
      one.length >= MIN_NAME_CHARACTERS &&
      Math.abs(one.length - own.length) <= most &&
      editDistance(own, one) <= most,
  );
}

function argumentMatches({ name, words, given }: McpServerEntry, launched: string): AgentMatch[] {
  const [program, ...args] = words;
  const container = /(?:^|[\\/])(?:docker|podman|nerdctl)(?:\.exe)?$/i.test(yamlTextOf(program));
  const files = FOLDER_SERVER.test(`${name} ${launched}`);
  const found: AgentMatch[] = [];
  for (const [at, node] of args.entries()) {
    const before = yamlTextOf(args[at - 1]);
    const text = yamlTextOf(node);
    const value = text.replace(/^--?[\w-]{1,40}=/, '');
    const what = `${name.slice(0, 40)}: ${text}`;
    if (container && (RIGHTS.test(text) || (/^--(?:network|net|pid)$/.test(before) && text === 'host')))
      found.push({ rule: 'container-rights', line: node.line, what });
    if ((files || /dir|folder|root|path|workspace/i.test(before + text)) && WIDE_FOLDER.test(value))
      found.push({ rule: 'wide-folder', line: node.line, what });
    const host = /^--?(?:host|bind|listen|address|allowed-?(?:hosts|origins)|allow-?origins?)(?:=|$)/i;
    const option = host.test(text) ? text : before;
    if (host.test(option) && /^(?:0\.0\.0\.0|::|\*)(?::\d{1,5})?$/.test(value))
      found.push({ rule: 'open-host', line: node.line, what });
  }
  for (const [key, node] of given)
    if (/host|bind|listen|origin/i.test(key) && /^(?:0\.0\.0\.0|::|\*)(?::\d{1,5})?$/.test(yamlTextOf(node)))
      found.push({
        rule: 'open-host',
        line: node.line,
        what: `${name.slice(0, 40)}: ${key}=${yamlTextOf(node)}`,
      });
  return found;
}

function addressMatches({ name, url, words }: McpServerEntry): AgentMatch[] {
  return [url, ...words].flatMap((node): AgentMatch[] => {
    const text = yamlTextOf(node);
    if (!node || !/^http:\/\//i.test(text) || LOOPBACK.test(text) || /^http:\/\/[$<{]/.test(text)) return [];
    const severity = PRIVATE.test(text) ? 'low' : undefined;
    return [{ rule: 'plain-http', line: node.line, severity, what: `${name.slice(0, 40)}: ${hostOf(text)}` }];
  });
}

const hostOf = (url: string): string =>
  /^https?:\/\/(?:[^/@\s]{0,200}@)?([^/?#\s]{0,200})/i.exec(url)?.[1] ?? '';

function credentialMatches({ name, given, words }: McpServerEntry): AgentMatch[] {
  const named = given.map(([key, node]) => [key, yamlTextOf(node), node.line] as const);
  const options = words.flatMap((node, at): (readonly [string, string, number])[] => {
    const [, key, value] = /^--?([\w-]{1,60})=(.{1,2000})$/.exec(yamlTextOf(node)) ?? [];
    if (key !== undefined && value !== undefined) return [[key, value, node.line]];
    const before = /^--([\w-]{1,60})$/.exec(yamlTextOf(words[at - 1]))?.[1];
    return before === undefined ? [] : [[before, yamlTextOf(node), node.line]];
  });
  return [...named, ...options].flatMap(([key, value, line]): AgentMatch[] => {
    const secret = /^authorization$/i.test(key)
      ? value.replace(/^(?:Bearer|Basic|token)\s{1,9}/i, '')
      : value;
    if (credentialKind(key) === undefined && !/^authorization$/i.test(key)) return [];
    if (secret.length < 3 || /^(?:true|false|\d{1,5})$/i.test(secret) || /[\s/\\]/.test(secret.slice(0, 200)))
      return [];
    if (isPlaceholder(secret) || /\$\{|^\$|^%\w/.test(secret)) return [];
    return [{ rule: 'written-credential', line, what: `${name.slice(0, 40)}: ${key}`, secrets: [secret] }];
  });
}

export function withCapabilities(server: McpServerEntry) {
  const launched = parseServerLaunch(server.words)?.name.toLowerCase() ?? '';
  const known = KNOWN.get(launched) ?? KNOWN.get(`mcp-server-${server.name.toLowerCase()}`);
  const hosted = /github|slack|notion|linear|atlassian|gmail/i.test(yamlTextOf(server.url));
  return { ...server, kinds: (known ?? (hosted ? 'private untrusted out' : '')).split(' ') };
}
