import type { FileGroupFindings, ScannedFile } from '../../scans/scanner.ts';
import { isCodePath, isServerCode } from './file-kinds.ts';
import { asFindings, codeMatches } from './search-file.ts';
import { withCapabilities } from './settings/judge-server.ts';
import { serversIn } from './settings/servers.ts';
import { readSettings } from './settings/settings-tree.ts';
import { textFileMatches } from './text/text-file.ts';
import { toolFlowMatches } from './tools.ts';

/** Finds what one file alone does not show: scripts of a skill that is scanned by itself, and flows over all settings. */
export async function searchAgentFiles(
  files: readonly ScannedFile[],
  begin: (path: string) => void,
): Promise<FileGroupFindings> {
  const isSkill = files.some(({ path }) => path === 'SKILL.md');
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
  // Servers of one file are judged with this file.
  const able = servers.filter(({ kinds }) => kinds.some((kind) => kind !== ''));
  const first = files.find(({ path }) => path === able[0]?.path);
  if (first && able.some(({ path }) => path !== first.path))
    findings.push(...(await asFindings(first, toolFlowMatches(able))));
  return { findings, left };
}
