import type { FileFinding } from '../../findings/hide.ts';
import type { FileGroupFindings, ScannedFile } from '../../scans/scanner.ts';
import { isTestOrExamplePath } from '../../trees/test-paths.ts';
import { behaviourMatches, maliceMatches } from './code/behaviours.ts';
import { readSource } from './code/source-text.ts';
import { undisclosedMatches } from './code/undisclosed.ts';
import { isAgentText, isCodePath, isServerCode, isSettingsPath, isSkillScript } from './file-kinds.ts';
import { asFindings, codeMatches } from './search-file.ts';
import { withCapabilities } from './settings/judge-server.ts';
import { serversIn } from './settings/servers.ts';
import { readSettings } from './settings/settings-tree.ts';
import { textFileMatches } from './text/text-file.ts';
import { toolFlowMatches } from './tools.ts';

export async function searchAgentFiles(
  files: readonly ScannedFile[],
  begin: (path: string) => void,
): Promise<FileGroupFindings> {
  const guide = files.find(({ path }) => /(?:^|\/)SKILL\.md$/.test(path));
  if (guide) return searchSkill(files, guide, begin);
  const findings: FileFinding[] = [];
  if (!files.some(({ path }) => isSettingsPath(path)))
    return { findings: await searchServer(files, begin), left: 0 };
  const servers: (ReturnType<typeof withCapabilities> & { readonly path: string })[] = [];
  for (const { path, text } of files) {
    begin(path);
    servers.push(
      ...serversIn(readSettings(path, text), true).map((one) => ({ ...withCapabilities(one), path })),
    );
  }
  // The search of a single file already judges servers that are all in that file.
  const able = servers.filter(({ kinds }) => kinds.some((kind) => kind !== ''));
  const first = files.find(({ path }) => path === able[0]?.path);
  if (first && able.some(({ path }) => path !== first.path))
    findings.push(...(await asFindings(first, toolFlowMatches(able))));
  return { findings, left: 0 };
}

async function searchSkill(
  files: readonly ScannedFile[],
  guide: ScannedFile,
  begin: (path: string) => void,
): Promise<FileGroupFindings> {
  const folder = guide.path.slice(0, -'SKILL.md'.length);
  const findings: FileFinding[] = [];
  let left = 0;
  for (const file of files) {
    const { path, text } = file;
    begin(path);
    if (isSkillScript(path) || isAgentText(path) || isServerCode(text)) continue;
    const found = isCodePath(path) ? codeMatches(file, false) : textFileMatches(text, () => left++);
    findings.push(...(await asFindings(file, found)));
  }
  const own = files.filter(({ text }) => !isServerCode(text));
  findings.push(...(await spreadFindings(own, folder, guide.text)));
  return { findings, left };
}

async function searchServer(
  files: readonly ScannedFile[],
  begin: (path: string) => void,
): Promise<FileFinding[]> {
  if (!files.some(({ text }) => isServerCode(text))) return [];
  const findings = await spreadFindings(files, '', '');
  for (const file of files) {
    const { path, text } = file;
    begin(path);
    if (!isServerCode(text) && !isSkillScript(path) && !isTestOrExamplePath(path))
      findings.push(...(await asFindings(file, maliceMatches(path, text))));
  }
  return findings;
}

async function spreadFindings(
  files: readonly ScannedFile[],
  folder: string,
  guide: string,
): Promise<FileFinding[]> {
  const scripts = files
    .filter(({ path }) => isCodePath(path) && !isTestOrExamplePath(path.slice(folder.length)))
    .map((file) => ({ file, code: readSource(file.path, file.text).code }));
  const senders = scripts.filter(({ code }) => behaviourMatches(code, 'sender').length > 0);
  const findings = scripts.map(({ file, code }) => {
    const sender = senders.find((one) => one.file !== file)?.file.path.slice(folder.length);
    const read = sender === undefined ? [] : behaviourMatches(code, 'reader');
    const told = guide === '' ? [] : [{ name: '', text: guide, line: 1 }];
    return asFindings(file, [
      ...read.map((match) => ({ ...match, what: `${match.what}, and ${sender} sends` })),
      ...undisclosedMatches(code, told, !senders.some((one) => one.file === file)),
    ]);
  });
  return (await Promise.all(findings)).flat();
}
