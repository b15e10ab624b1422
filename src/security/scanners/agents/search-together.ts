import type { FileFinding } from '../../findings/hide.ts';
import type { FileGroupFindings, ScannedFile } from '../../scans/scanner.ts';
import { isTestOrExamplePath } from '../../trees/test-paths.ts';
import { behaviourMatches } from './code/behaviours.ts';
import { readSource } from './code/source-text.ts';
import { undisclosedMatches } from './code/undisclosed.ts';
import { isCodePath, isServerCode } from './file-kinds.ts';
import { asFindings, codeMatches } from './search-file.ts';
import { withCapabilities } from './settings/judge-server.ts';
import { serversIn } from './settings/servers.ts';
import { readSettings } from './settings/settings-tree.ts';
import { textFileMatches } from './text/text-file.ts';
import { toolFlowMatches } from './tools.ts';

/** Finds dangers that result from several files together: the files of a skill, or all settings files. */
export async function searchAgentFiles(
  files: readonly ScannedFile[],
  begin: (path: string) => void,
): Promise<FileGroupFindings> {
  const isSkill = files.some(({ path }) => path === 'SKILL.md');
  const folder = isSkill ? '' : skillFolderOf(files);
  if (folder !== undefined && folder !== '')
    return { findings: await spreadFindings(files, folder), left: 0 };
  const findings: FileGroupFindings['findings'][number][] = [];
  const servers: (ReturnType<typeof withCapabilities> & { readonly path: string })[] = [];
  let left = 0;
  for (const file of files) {
    const { path, text } = file;
    begin(path);
    const isCode = isCodePath(path);
    if (!isSkill)
      servers.push(
        ...serversIn(readSettings(path, text), true).map((one) => ({ ...withCapabilities(one), path })),
      );
    else if (isCode && !isServerCode(text))
      findings.push(...(await asFindings(file, codeMatches(file, false))));
    else if (!isCode && path !== 'SKILL.md')
      findings.push(
        ...(await asFindings(
          file,
          textFileMatches(text, () => left++),
        )),
      );
  }
  if (isSkill) findings.push(...(await spreadFindings(files, '')));
  // Reports only servers from several files. `searchAgentFile` reports servers that are in the same file.
  const able = servers.filter(({ kinds }) => kinds.some((kind) => kind !== ''));
  const first = files.find(({ path }) => path === able[0]?.path);
  if (first && able.some(({ path }) => path !== first.path))
    findings.push(...(await asFindings(first, toolFlowMatches(able))));
  return { findings, left };
}

/** If one skill contains all files, returns its folder with a trailing slash. Otherwise returns undefined. */
function skillFolderOf(files: readonly ScannedFile[]): string | undefined {
  const guides = files.filter(({ path }) => path.endsWith('/SKILL.md'));
  const folder = guides[0]?.path.slice(0, -'SKILL.md'.length);
  return guides.length === 1 && folder && files.every(({ path }) => path.startsWith(folder))
    ? folder
    : undefined;
}

/** Finds dangers of several files of a skill. For example, one file reads secrets and another sends data. */
async function spreadFindings(files: readonly ScannedFile[], folder: string): Promise<FileFinding[]> {
  const guide = files.find(({ path }) => path === `${folder}SKILL.md`)?.text ?? '';
  const scripts = files
    .filter(
      ({ path, text }) =>
        isCodePath(path) && !isServerCode(text) && !isTestOrExamplePath(path.slice(folder.length)),
    )
    .map((file) => ({ file, code: readSource(file.path, file.text).code }));
  const senders = scripts.filter(({ code }) => behaviourMatches(code, 'sender').length > 0);
  const findings = scripts.map(({ file, code }) => {
    const sender = senders.find((one) => one.file !== file)?.file.path.slice(folder.length);
    const read = sender === undefined ? [] : behaviourMatches(code, 'reader');
    return asFindings(file, [
      ...read.map((match) => ({ ...match, what: `${match.what}, and ${sender} sends` })),
      ...undisclosedMatches(
        code,
        [{ name: '', text: guide, line: 1 }],
        !senders.some((one) => one.file === file),
      ),
    ]);
  });
  return (await Promise.all(findings)).flat();
}
