import { toJSONSchema, type z } from 'zod';
import { ASKED_SETTINGS, type AskedSetting } from '../../docs/install/asked-settings.ts';
import { PROJECT, REPOSITORY, SUMMARY } from '../../docs/install/project.ts';
import { operations } from '../../tools/index.ts';

/** The edition of the format of MCP bundles that assistants read now. */
const MANIFEST_VERSION = '0.3';

/** The manifest of the bundle for Claude Desktop: what it shows, what it asks a person for, and how it starts the server. */
export function mcpbManifest(): object {
  return {
    manifest_version: MANIFEST_VERSION,
    name: PROJECT.name,
    display_name: 'Magpie',
    version: PROJECT.version,
    description: SUMMARY,
    long_description: PROJECT.description,
    author: { name: PROJECT.author, url: PROJECT.homepage },
    repository: { type: 'git', url: REPOSITORY },
    homepage: PROJECT.homepage,
    support: PROJECT.bugs.url,
    icon: 'icon.png',
    license: PROJECT.license,
    keywords: PROJECT.keywords,
    server: {
      type: 'node',
      entry_point: 'dist/src/main.js',
      mcp_config: {
        command: 'node',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the assistant replaces it by the bundle's folder.
        args: ['${__dirname}/dist/src/main.js', 'stdio'],
        env: Object.fromEntries(
          ASKED_SETTINGS.map(({ name, setting }) => [setting.env, `\${user_config.${name}}`]),
        ),
      },
    },
    tools: operations.map(({ name, title }) => ({ name, description: title })),
    prompts_generated: true,
    compatibility: {
      platforms: ['darwin', 'win32', 'linux'],
      runtimes: { node: PROJECT.engines.node },
    },
    user_config: Object.fromEntries(ASKED_SETTINGS.map((asked) => [asked.name, option(asked)])),
  };
}

/** A field of the form. Texts have an empty default, or an assistant hands on the name of the place in their stead. */
function option({ name, title, setting }: AskedSetting): object {
  const about = { title, description: `${setting.about} Takes ${setting.takes}.`, required: false };
  if (name === 'data') return { type: 'directory', ...about, default: '' };
  if (isBoolean(setting.schema)) return { type: 'boolean', ...about, default: false };
  const sensitive = setting.secret ?? setting.holdsPassword ?? false;
  return { type: 'string', ...about, ...(sensitive ? { sensitive } : {}), default: '' };
}

const isBoolean = (schema: z.ZodType) => toJSONSchema(schema, { io: 'input' }).type === 'boolean';
