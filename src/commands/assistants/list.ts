import type { Machine } from '../../command.ts';
import { ASSISTANT_PATHS, expandPaths } from '../../lib/assistants/machine.ts';
import { ASSISTANT_SETUPS, type AssistantSetup } from '../../lib/assistants.ts';

export interface McpServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Assistant extends AssistantSetup {
  files(machine: Machine): readonly string[];
  folder(machine: Machine): string;
  readonly program?: string;
}

export const ASSISTANTS: readonly Assistant[] = Object.values(ASSISTANT_SETUPS).map((setup) => {
  const { folder = [], settings = [], program } = ASSISTANT_PATHS[setup.name] ?? {};
  return {
    ...setup,
    ...(program && { program }),
    files: (machine) => expandPaths(settings, machine),
    folder: (machine) => expandPaths(folder, machine)[0] ?? '',
  };
});
