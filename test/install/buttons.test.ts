import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  ASSISTANT_SETUPS,
  type AssistantSetup,
  INSTALL_BUTTONS as BUTTONS,
  formatShellCommand,
} from '../../src/lib/assistants.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const START = { command: 'npx', args: ['-y', 'magpie-mcp', 'stdio'] };

/** What the assistant finds in the link: JSON in the address, or JSON in base64. */
function configOf(link: string): unknown {
  const config = new URL(link).searchParams.get('config') ?? '';
  return JSON.parse(config.startsWith('{') ? config : Buffer.from(config, 'base64').toString());
}

test.each(BUTTONS)('the button for $assistant holds the server and how it is started', ({ link }) => {
  expect(new URL(link).protocol).toBe('https:');
  expect(new URL(link).searchParams.get('name')).toBe('magpie');
  expect(configOf(link)).toEqual(START);
  expect(read('README.md')).toContain(`](${link})`);
  // A bracket or blank in the link would end it in Markdown.
  expect(link).not.toMatch(/[\s()<>]/);
});

test('the commands start the same', () => {
  const assistants: readonly AssistantSetup[] = Object.values(ASSISTANT_SETUPS);
  for (const { title, command } of assistants) {
    const line = command?.(START);
    if (line === undefined) continue;
    const words = title === 'VS Code' ? JSON.parse(/'(.*)'/.exec(line)?.[1] ?? '') : line;
    if (typeof words === 'string') expect(words).toMatch(/ npx -y magpie-mcp stdio$/);
    else expect(words).toEqual({ name: 'magpie', ...START });
  }
});

test('a start from a folder with blanks is quoted as the shell of its system quotes', () => {
  expect(
    formatShellCommand({ command: '/usr/bin/node', args: ["/home/o'neil/my magpie/main.ts", 'stdio'] }),
  ).toBe("/usr/bin/node '/home/o'\\''neil/my magpie/main.ts' stdio");
  expect(formatShellCommand({ command: 'C:\\Program Files\\node.exe', args: ['C:\\magpie\\main.ts'] })).toBe(
    '"C:\\Program Files\\node.exe" C:\\magpie\\main.ts',
  );
});
