import { SEVERITIES, type Severity } from '../../../lib/severity.ts';
import { hideTokens, type UnmaskedFinding } from '../../findings/hide.ts';
import { maskSecret } from '../../findings/mask.ts';
import type { ScannedFile } from '../../scans/scanner.ts';
import { createLineIndex, type LineIndex } from '../../trees/lines.ts';
import { isTestOrExamplePath, lowerSeverity } from '../../trees/test-paths.ts';
import { entriesOf, type ReportSkipped, type YamlNode } from '../infrastructure/yaml-tree.ts';
import { createSecretsScanner } from '../secrets.ts';
import {
  commandMatches,
  endlessLoopMatches,
  findCredentialHarvest,
  findHarmfulBehaviour,
  findUndisclosedActions,
} from './code/behaviours.ts';
import { splitCodeAndStrings } from './code/code-and-strings.ts';
import {
  isAgentSettingsPath,
  isAgentText,
  isCodePath,
  isDataPath,
  isMcpServerCode,
  isSkillScript,
  isSkillText,
} from './file-kinds.ts';
import { AGENT_RULES, type AgentMatch, type AgentRuleName } from './rules.ts';
import table from './settings/approvals.json' with { type: 'json' };
import { findServerRisks, withCapabilities } from './settings/judge-server.ts';
import { mcpServersIn } from './settings/servers.ts';
import { readAgentSettings } from './settings/settings-tree.ts';
import { encodedMatches } from './text/encoded.ts';
import { hiddenCharacterMatches } from './text/hidden-characters.ts';
import { findHarmfulProse, MAX_JUDGED_CHARACTERS, OVER_JUDGED } from './text/prose.ts';
import { textFileMatches } from './text/text-file.ts';
import { toolFlowMatches, toolsInCode, toolsInData } from './tools.ts';

const MAX_FINDINGS = 200;
const MIN_ORDER_CHARACTERS = 20;
/** Words about MCP servers and tools. Data files without them are skipped, except settings of assistants. */
const DATA_WORDS =
  /["'[.](?:mcp|context)_?servers|"servers"|modelContextProtocol|"(?:inputSchema|input_schema)"|"tools"|^(?:extensions|mcp_?servers)\s{0,9}:|"mcp"/im;

const INSTALL_COMMAND =
  /"(?:preinstall|install|postinstall|prepare)"\s{0,3}:\s{0,3}"((?:[^"\\\n]|\\[^\n]){1,2000})"/g;

export const searchAgentFile = (file: ScannedFile, leave?: ReportSkipped): Promise<UnmaskedFinding[]> =>
  asFindings(file, matchesIn(file, leave));

function matchesIn(file: ScannedFile, leave: ReportSkipped | undefined): AgentMatch[] {
  const { path, text } = file;
  if (isAgentText(path)) {
    const found = textFileMatches(text, leave);
    if (!isAboutAttacks(path, text)) return found;
    return found.map((one) => (one.rule === 'hidden-text' ? one : { ...one, severity: 'low' }));
  }
  if (/(?:^|\/)package\.json$/.test(path)) return installMatches(text);
  if (isDataPath(path)) return dataMatches(file, leave);
  if (!isCodePath(path)) return [];
  const isServer = isMcpServerCode(text);
  if (/(?:^|\/)setup\.py$/.test(path))
    return findHarmfulBehaviour(splitCodeAndStrings(path, text).code, 'command');
  return isServer || isSkillScript(path) ? findCodeRisks(file, isServer, leave) : [];
}

const ATTACK =
  /\b(?:attack\w{0,4}|exploit\w{0,6}|vulnerab\w{2,6}|malicious|injections?|exfiltrat\w{1,4}|payloads?|threats?|insecure|untrusted)\b/i;
const MIN_ATTACK_LINES = 10;
const MAX_CHARACTERS_PER_ATTACK = 800;

/** True if a text beside `SKILL.md` is about attacks. Its instructions are then probably examples. */
function isAboutAttacks(path: string, text: string): boolean {
  if (!isSkillText(path) || text.length > MAX_JUDGED_CHARACTERS) return false;
  const spoken = text.split('\n').filter((line) => ATTACK.test(line.slice(0, 1000))).length;
  return spoken >= MIN_ATTACK_LINES && text.length <= spoken * MAX_CHARACTERS_PER_ATTACK;
}

function installMatches(text: string): AgentMatch[] {
  const lines = createLineIndex(text);
  return [...text.matchAll(INSTALL_COMMAND)].flatMap(({ 1: command = '', index }) =>
    commandMatches(command.replaceAll('\\"', '"'), lines.lineAt(index)),
  );
}

function dataMatches({ path, text }: ScannedFile, leave: ReportSkipped | undefined): AgentMatch[] {
  const known = isAgentSettingsPath(path);
  if (!known && !DATA_WORDS.test(text)) return [];
  const root = readAgentSettings(path, text, leave);
  const servers = mcpServersIn(root, known);
  const tools = toolsInData(root);
  const found = servers.flatMap(findServerRisks);
  if (known || servers.length > 0) found.push(...approvalMatches(root));
  for (const tool of firstOf(tools, leave)) found.push(...orderMatches(tool.text, tool.line));
  if (known || tools.length > 0 || servers.length > 0) found.push(...hiddenCharacterMatches(text));
  return [...found, ...toolFlowMatches(servers.map(withCapabilities)), ...toolFlowMatches(tools)];
}

function firstOf<T extends { readonly text: string }>(texts: readonly T[], leave?: ReportSkipped): T[] {
  let left = MAX_JUDGED_CHARACTERS;
  const first = texts.flatMap((one): T[] => {
    const text = one.text.slice(0, Math.max(0, left));
    left -= one.text.length;
    return text === '' ? [] : [{ ...one, text }];
  });
  if (left < 0) leave?.(OVER_JUDGED);
  return first;
}

function orderMatches(text: string, line: number): AgentMatch[] {
  const found = [...findHarmfulProse(text, 'tool'), ...hiddenCharacterMatches(text), ...encodedMatches(text)];
  return found.map((one) => ({ ...one, line }));
}

export function findCodeRisks(
  { path, text }: ScannedFile,
  isServer: boolean,
  leave?: ReportSkipped,
): AgentMatch[] {
  const { code, strings } = splitCodeAndStrings(path, text);
  const lines = createLineIndex(text);
  const found = findHarmfulBehaviour(code, isServer ? 'server' : 'script');
  if (!isServer)
    found.push(...findCredentialHarvest(code), ...findHarmfulProse(commentsOf(text, code), 'text'));
  if (/\.(?:pyw?|(?:ba|z)?sh|[cm]?[jt]s)$/i.test(path)) found.push(...endlessLoopMatches(code));
  if (isServer) {
    const read = strings.filter(
      ({ text: { length }, isDocstring }) =>
        isDocstring || (!isTestOrExamplePath(path) && length >= MIN_ORDER_CHARACTERS),
    );
    for (const { start, text: inner } of firstOf(read, leave))
      found.push(...findHarmfulProse(inner, 'tool', lines.lineAt(start)));
    const tools = toolsInCode(code, text);
    found.push(...toolFlowMatches(tools), ...findUndisclosedActions(code, tools));
  }
  return [...found, ...hiddenCharacterMatches(text), ...encodedMatches(code)];
}

/** Keeps only comments and docstrings, at unchanged offsets. A model that opens a file reads comments too. */
const commentsOf = (text: string, code: string): string =>
  text
    .slice(0, MAX_JUDGED_CHARACTERS)
    .replace(/[^\n]/g, (one, at: number) => (code.charAt(at) === one ? ' ' : one));

export async function asFindings(
  file: ScannedFile,
  found: readonly AgentMatch[],
): Promise<UnmaskedFinding[]> {
  const { path, text } = file;
  const lines = createLineIndex(text);
  const seen = new Set<string>();
  // Lowers the severity in tests, but not in prompts and skills, which assistants use from any folder.
  const testing = isTestOrExamplePath(path) && !isAgentText(path) && !isSkillScript(path);
  // A credential is reported only once, so lines in which the secrets scanner finds one are skipped here.
  const isNeeded = found.some(({ rule }) => rule === 'written-credential');
  const secrets = isNeeded ? await createSecretsScanner().scan(file, { deep: false }) : [];
  for (const { line } of secrets) seen.add(`written-credential ${line}`);
  const rankOf = ({ rule, severity }: AgentMatch) =>
    SEVERITIES.indexOf(severity ?? AGENT_RULES[rule].severity);
  // If a rule matches a line several times, only the most severe match counts.
  return [...found]
    .sort((a, b) => rankOf(a) - rankOf(b))
    .filter(({ rule, line, what = '' }) => {
      const place = `${rule} ${line}`;
      // A line of a data file can contain several servers and tools, each with its own finding.
      const key = isDataPath(path) ? `${place} ${what}` : place;
      return !seen.has(place) && !seen.has(key) && seen.add(key);
    })
    .slice(0, MAX_FINDINGS)
    .sort((a, b) => found.indexOf(a) - found.indexOf(b))
    .map((match) => findingOf(path, lines, match, testing));
}

/** Masks passwords in prose (`token is abc123`), because the secrets scanner does not recognise all. */
const withoutValues = (what: string): string =>
  hideTokens(what).replace(
    /\b((?:password|passphrase|pin|token|key|secret)s?(?: is | are |\s?[:=]\s?| ))(?=\S{0,40}\d)[^\s/]{4,200}/gi,
    '$1…',
  );

function findingOf(path: string, lines: LineIndex, match: AgentMatch, testing: boolean): UnmaskedFinding {
  const { title, severity, cwe, danger, fix } = AGENT_RULES[match.rule];
  const { line, what, secrets = [] } = match;
  const own = match.severity ?? severity;
  return {
    id: `agents/${match.rule}`,
    severity: testing && own !== 'low' && own !== 'info' ? lowerSeverity(own) : own,
    title,
    description: what
      ? `${danger} (${maskSecret(withoutValues(what.slice(0, 160)), ...secrets)}).`
      : `${danger}.`,
    fix,
    cwe: [cwe],
    path,
    line,
    excerpt: maskSecret(lines.text(line).trim().slice(0, 300), ...secrets),
    hides: secrets.length > 0 ? secrets : undefined,
  };
}

const APPROVALS: readonly {
  /** Matches the keys from the root to the value in lower case, such as `permissions.defaultmode`. */
  readonly key: RegExp;
  readonly value: RegExp;
  readonly rule: AgentRuleName;
  readonly severity: Severity | undefined;
}[] = table.map(({ key, value, rule = 'auto-approval', severity }: (typeof table)[number]) => ({
  key: new RegExp(key, 'i'),
  value: new RegExp(value, 'i'),
  rule: rule as AgentRuleName,
  severity: severity as Severity | undefined,
}));
const MAX_DEPTH = 12;
const MAX_VALUES = 20_000;
const MAX_KEY_CHARACTERS = 300;
const COMMAND_KEY =
  /(?:^|\.)(?:hooks?\.(?:.{0,200}\.)?(?:command|bash|powershell)|notify|apikeyhelper|awsauthrefresh|awscredentialexport|otelheadershelper|statusline\.command)$/;

function approvalMatches(root: YamlNode | undefined): AgentMatch[] {
  const found: AgentMatch[] = [];
  const budget = { values: MAX_VALUES };
  walk(root, '', 0, budget, (key, text, line) => {
    if (COMMAND_KEY.test(key)) {
      const dangers = commandMatches(text, line);
      found.push(...dangers);
      if (dangers.length === 0) found.push({ rule: 'hook', line, what: text.slice(0, 100) });
    }
    for (const one of APPROVALS)
      if (one.key.test(key) && one.value.test(text)) {
        const name = key.slice(key.lastIndexOf('.') + 1);
        found.push({ rule: one.rule, line, severity: one.severity, what: `${name}: ${text.slice(0, 80)}` });
        break;
      }
  });
  return found;
}

type Visit = (key: string, text: string, line: number) => void;

function walk(
  node: YamlNode | undefined,
  key: string,
  depth: number,
  budget: { values: number },
  visit: Visit,
): void {
  if (!node || depth > MAX_DEPTH || budget.values-- <= 0) return;
  if (node.kind === 'text') visit(key, node.text, node.line);
  if (node.kind === 'list') for (const item of node.items) walk(item, key, depth + 1, budget, visit);
  for (const [name, value] of entriesOf(node)) {
    const inner = key === '' ? name : `${key}.${name}`;
    walk(value, inner.toLowerCase().slice(-MAX_KEY_CHARACTERS), depth + 1, budget, visit);
  }
}
