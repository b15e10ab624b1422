import { existsSync } from 'node:fs';
import { ASSISTANT_PATHS, expandPaths } from '../../../lib/assistants/machine.ts';
import type { OpenFileTree } from '../tree.ts';
import { type AssistantFilesOptions, collectAssistantFiles } from './assistant-files.ts';
import { describeAssistant } from './describe-assistant.ts';
import type { InstalledAssistant } from './installed-assistant.ts';
import { expandStars } from './server-code.ts';

/** Opens the files of this machine's AI assistants and the code of their MCP servers. Runs no code. */
export async function openAssistantsTree(options: AssistantFilesOptions): Promise<OpenFileTree> {
  const { machine, folders, signal, progress } = options;
  const collected = collectAssistantFiles(options);
  const { files, add, contentOf, show, omissions } = collected;
  const source = { ...collected, machine, folders, signal, copies: new Map() };
  const assistants: InstalledAssistant[] = [];
  for (const [name, { folder, settings, reads }] of Object.entries(ASSISTANT_PATHS)) {
    progress(`reading the files of ${name}`);
    const own = new Set<string>();
    const paths: string[] = [];
    for (const place of expandPaths([...settings, ...reads], machine, folders)) {
      for (const path of await expandStars(place, signal)) {
        const added = await add(path);
        for (const one of added) own.add(one);
        if (added.length > 0) paths.push(show(path));
      }
    }
    if (own.size > 0 || expandPaths(folder, machine).some((path) => existsSync(path)))
      assistants.push(await describeAssistant({ name, paths, own: [...own] }, source));
  }
  return {
    files: [...files.values()].map(({ file }) => file).sort((a, b) => (a.path < b.path ? -1 : 1)),
    left: omissions.left,
    gaps: omissions.gaps,
    isOfOthers: true,
    assistants,
    read: ({ path }) => contentOf(path),
    materialise: async () => files.size,
    async *history() {},
    async close() {},
  };
}
