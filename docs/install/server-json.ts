import { z } from 'zod';
import { ASKED_SETTINGS, type AskedSetting } from './asked-settings.ts';
import { PROJECT, REPOSITORY, SUMMARY } from './project.ts';

/** The edition of the registry's format that `server.json` follows. */
export const REGISTRY_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** What the registry of MCP is given: where the package is, how it is started, and which settings a person may fill in. */
export function serverJson(): object {
  return {
    $schema: REGISTRY_SCHEMA,
    name: PROJECT.mcpName,
    title: 'Magpie',
    description: SUMMARY,
    repository: { url: REPOSITORY, source: 'github' },
    version: PROJECT.version,
    websiteUrl: PROJECT.homepage,
    packages: [
      {
        registryType: 'npm',
        identifier: PROJECT.name,
        version: PROJECT.version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'stdio' }],
        environmentVariables: ASKED_SETTINGS.map(environmentVariable),
      },
    ],
  };
}

function environmentVariable({ name, setting }: AskedSetting): object {
  const secret = setting.secret ?? setting.holdsPassword;
  return {
    name: setting.env,
    description: `${setting.about} Takes ${setting.takes}.`,
    isRequired: false,
    format: name === 'data' ? 'filepath' : formatOf(setting.schema),
    ...(secret ? { isSecret: true } : {}),
  };
}

function formatOf(schema: z.ZodType): 'string' | 'number' | 'boolean' {
  const { type } = z.toJSONSchema(schema, { io: 'input' });
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'string';
}
