import type { UnmaskedFinding } from '../../findings/hide.ts';
import type { FileGroupFindings, ScannedFile } from '../../scans/scanner.ts';
import { isTestOrExamplePath } from '../../trees/test-paths.ts';
import { findHarmfulBehaviour, findUndisclosedActions, maliceMatches } from './code/behaviours.ts';
import { splitCodeAndStrings } from './code/code-and-strings.ts';
import {
  isAgentSettingsPath,
  isAgentText,
  isCodePath,
  isMcpServerCode,
  isSkillScript,
} from './file-kinds.ts';
import { asFindings, findCodeRisks } from './search-file.ts';
import { withCapabilities } from './settings/judge-server.ts';
import { mcpServersIn } from './settings/servers.ts';
import { readAgentSettings } from './settings/settings-tree.ts';
import { textFileMatches } from './text/text-file.ts';
import { toolFlowMatches } from './tools.ts';

export async function searchAgentFiles(
  files: readonly ScannedFile[],
  begin: (path: string) => void,
): Promise<FileGroupFindings> {
  const guide = files.find(({ path }) => /(?:^|\/)SKILL\.md$/.test(path));
  if (guide) return searchSkill(files, guide, begin);
  const findings: UnmaskedFinding[] = [];
  if (!files.some(({ path }) => isAgentSettingsPath(path)))
    return { findings: await searchServer(files, begin), left: 0 };
  const servers: (ReturnType<typeof withCapabilities> & { readonly path: string })[] = [];
  for (const { path, text } of files) {
    begin(path);
    servers.push(
      ...mcpServersIn(readAgentSettings(path, text), true).map((one) => ({ ...withCapabilities(one), path })),
    );
  }
  // Servers in a single file are skipped, because they are already judged together when the file is searched.
  const able = servers.filter(({ kinds }) => kinds.some((kind) => kind !== ''));
  const first = files.find(({ path }) => path === able[0]?.path);
  if (first && able.some(({ path }) => path !== first.path))
    findings.push(...(await asFindings(first, toolFlowMatches(able))));
  return { findings, left: 0 };
}

async function searchSkill(files: readonly ScannedFile[], guide: ScannedFile, begin: (path: string) => void) {
  const folder = guide.path.slice(0, -'SKILL.md'.length);
  const findings: UnmaskedFinding[] = [];
  let left = 0;
  for (const file of files) {
    const { path, text } = file;
    begin(path);
    if (isSkillScript(path) || isAgentText(path) || isMcpServerCode(text)) continue;
    const found = isCodePath(path) ? findCodeRisks(file, false) : textFileMatches(text, () => left++);
    findings.push(...(await asFindings(file, found)));
  }
  const own = files.filter(({ text }) => !isMcpServerCode(text));
  findings.push(...(await spreadFindings(own, folder, guide.text)));
  return { findings, left };
}

async function searchServer(files: readonly ScannedFile[], begin: (path: string) => void) {
  if (!files.some(({ text }) => isMcpServerCode(text))) return [];
  const findings = await spreadFindings(files, '', '');
  for (const file of files) {
    const { path, text } = file;
    begin(path);
    if (!isMcpServerCode(text) && !isSkillScript(path) && !isTestOrExamplePath(path))
      findings.push(...(await asFindings(file, maliceMatches(path, text))));
  }
  return findings;
}

async function spreadFindings(files: readonly ScannedFile[], folder: string, guide: string) {
  const scripts = files
    .filter(({ path }) => isCodePath(path) && !isTestOrExamplePath(path.slice(folder.length)))
    .map((file) => ({ file, code: splitCodeAndStrings(file.path, file.text).code }));
  const senders = scripts.filter(({ code }) => findHarmfulBehaviour(code, 'sender').length > 0);
  const findings = scripts.map(({ file, code }) => {
    const sender = senders.find((one) => one.file !== file)?.file.path.slice(folder.length);
    const read = sender === undefined ? [] : findHarmfulBehaviour(code, 'reader');
    const told = guide === '' ? [] : [{ name: '', text: guide, line: 1 }];
    return asFindings(file, [
      ...read.map((match) => ({ ...match, what: `${match.what}, and ${sender} sends` })),
      ...findUndisclosedActions(code, told, !senders.some((one) => one.file === file)),
    ]);
  });
  return (await Promise.all(findings)).flat();
}
