import { prompts } from '../../prompts/index.ts';
import type { McpPrompt } from '../../src/prompt.ts';
import { PROJECT, REPOSITORY, SUMMARY } from './project.ts';
import { promptTemplate } from './prompt-template.ts';

/** Where the plug-in lies; the folder above is the marketplace that lists it. */
const FOLDER = 'examples/claude-code';

/** The commands that a person types most; Claude Code shows the others as `/mcp__magpie__...`. */
const COMMANDS = ['search', 'browse', 'query', 'savetopkb', 'pdfsearch'];

/** The files of the plug-in for Claude Code, by their paths. */
export function pluginFiles(): Readonly<Record<string, string>> {
  const file = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  const about = {
    name: 'magpie',
    description: SUMMARY,
    version: PROJECT.version,
    author: { name: PROJECT.author },
  };
  const commands = prompts.filter(({ name }) => COMMANDS.includes(name));
  return {
    [`${FOLDER}/.claude-plugin/marketplace.json`]: file({
      name: 'magpie',
      owner: { name: PROJECT.author },
      plugins: [{ name: about.name, description: SUMMARY, version: PROJECT.version, source: './magpie' }],
    }),
    [`${FOLDER}/magpie/.claude-plugin/plugin.json`]: file({
      ...about,
      homepage: PROJECT.homepage,
      repository: REPOSITORY,
      license: PROJECT.license,
      keywords: PROJECT.keywords,
    }),
    [`${FOLDER}/magpie/.mcp.json`]: file({
      mcpServers: { magpie: { command: 'npx', args: ['-y', PROJECT.name, 'stdio'] } },
    }),
    ...Object.fromEntries(
      commands.map((prompt) => [`${FOLDER}/magpie/commands/${prompt.name}.md`, command(prompt)]),
    ),
  };
}

/** A slash command, whose words after the name stand for the first argument. */
function command(prompt: McpPrompt): string {
  const [first] = prompt.arguments;
  return [
    '---',
    `description: ${prompt.description}`,
    ...(first ? [`argument-hint: <${first.name}>`] : []),
    '---',
    promptTemplate(prompt, '$ARGUMENTS'),
    '',
  ].join('\n');
}
