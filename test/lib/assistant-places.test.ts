import { expect, test } from 'vitest';
import { ASSISTANT_PATHS, expandPaths, type MachineEnvironment } from '../../src/lib/assistants/machine.ts';
import { ASSISTANT_SETUPS } from '../../src/lib/assistants.ts';

const MACHINES: readonly (readonly [MachineEnvironment, home: string, settings: string])[] = [
  [{ platform: 'linux', env: { HOME: '/home/ann' }, node: '' }, '/home/ann', '/home/ann/.config'],
  [{ platform: 'linux', env: { HOME: '/home/ann', XDG_CONFIG_HOME: '/cfg' }, node: '' }, '/home/ann', '/cfg'],
  [
    { platform: 'darwin', env: { HOME: '/Users/ann' }, node: '' },
    '/Users/ann',
    '/Users/ann/Library/Application Support',
  ],
  [
    { platform: 'win32', env: { USERPROFILE: 'C:\\Users\\ann' }, node: '' },
    'C:\\Users\\ann',
    'C:\\Users\\ann\\AppData\\Roaming',
  ],
];

test.each(MACHINES)('every assistant has its settings on this system: %o', (machine, home, settings) => {
  const first = Object.keys(ASSISTANT_SETUPS).map(
    (name) => expandPaths(ASSISTANT_PATHS[name]?.settings ?? [], machine)[0],
  );
  const windows = machine.platform === 'win32';
  const zed = { win32: `${settings}/Zed`, darwin: `${home}/.config/zed` }[String(machine.platform)];
  const wanted = [
    `${settings}/Claude/claude_desktop_config.json`,
    `${home}/.claude.json`,
    `${settings}/Code/User/mcp.json`,
    `${home}/.cursor/mcp.json`,
    `${home}/.codex/config.toml`,
    `${home}/.gemini/settings.json`,
    `${home}/.codeium/windsurf/mcp_config.json`,
    `${zed ?? `${settings}/zed`}/settings.json`,
    `${home}/.lmstudio/mcp.json`,
  ];
  expect(first).toEqual(wanted.map((path) => (windows ? path.replaceAll('/', '\\') : path)));
});

test('places of other systems, of variables that are not set and of no folder are left out', () => {
  const machine: MachineEnvironment = { platform: 'linux', env: { HOME: '/h', TOOLS: '/t' }, node: '' };
  const places = ['win32:~/a', 'darwin:/b', 'linux:/c', '$TOOLS/d', '$NONE/e', './f', '~/g/*/h'];
  expect(expandPaths(places, machine)).toEqual(['/c', '/t/d', '/h/g/*/h']);
  expect(expandPaths(['./f'], machine, ['/one', '/two'])).toEqual(['/one/f', '/two/f']);
});
