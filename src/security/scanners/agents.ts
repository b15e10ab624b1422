import type { FileScanner } from '../scans/scanner.ts';
import { agentFileGroupsOf, isAgentText, isCodePath, isDataPath } from './agents/file-kinds.ts';

export const createAgentsScanner = (): FileScanner => ({
  name: 'agents',
  past: false,
  wants: (path) => isAgentText(path) || isDataPath(path) || isCodePath(path),
  scan: async (file, { leave }) => (await import('./agents/search-file.ts')).searchAgentFile(file, leave),
  together: {
    always: true,
    reads: 'flows over tools from',
    groupsOf: agentFileGroupsOf,
    scan: async (files, _, begin) =>
      (await import('./agents/search-together.ts')).searchAgentFiles(files, begin),
  },
});
