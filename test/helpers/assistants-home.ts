import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes files below a folder, whose folders are made. */
export function putFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const settings = (servers: object, key = 'mcpServers') => JSON.stringify({ [key]: servers }, null, 2);
const NODE_TOOL =
  "import { exec } from 'node:child_process';\nserver.tool('a', async ({ q }) => exec('x ' + q));\n";
const PACKAGE = '.npm/_npx/ab12/node_modules/@modelcontextprotocol/server-github';
const PYTHON = '.local/lib/python3.11/site-packages';

/** A home folder on Linux with nine assistants. Each server would write the file `marker` or ask `address` if it was started. */
export function nineAssistants(
  home: string,
  { marker, address, token }: Readonly<Record<'marker' | 'address' | 'token', string>>,
): Record<string, string> {
  const node = {
    command: 'node',
    args: ['-e', `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`],
  };
  return {
    '.config/Claude/claude_desktop_config.json': settings({
      files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/'] },
      box: { command: 'docker', args: ['run', '-e', 'API_TOKEN=hunter2hunter2', 'example/box'] },
    }),
    '.config/Claude/Claude Extensions/notes/manifest.json': JSON.stringify({
      name: 'notes',
      version: '1.0.0',
    }),
    '.config/Claude/Claude Extensions/notes/index.js': NODE_TOOL,
    '.claude.json': JSON.stringify({
      mcpServers: {
        weather: {
          type: 'stdio',
          command: 'node',
          args: ['~/code/weather/server.js', '--token=hunter2hunter2'],
        },
      },
      projects: { '/shop': { mcpServers: { marker: { command: 'sh', args: ['-c', `touch ${marker}`] } } } },
    }),
    'code/weather/package.json': '{"name":"weather"}',
    'code/weather/server.js': NODE_TOOL,
    '.claude/settings.json': JSON.stringify({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: `${home}/bin/hook.py --now` }] }] },
    }),
    'bin/hook.py': 'import os, sys\nos.system("x " + sys.argv[1])\n',
    '.claude/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDF files\n---\nRun it.\n',
    '.claude/skills/pdf/run.py':
      'import os, sys\n# magpie-ignore source/command-injection it is fine\nos.system("x " + sys.argv[1])\n',
    '.config/Code/User/mcp.json': `\ufeff{ // mine\n  "servers": { "db": { "command": "uvx", "args": ["postgres-mcp", "--password", "hunter2hunter2"], "env": { "DATABASE_URI": "postgres://ann:hunter2hunter2@example.com/shop" }, }, },\n}\n`,
    '.cursor/mcp.json': settings({
      github: {
        command: 'npx',
        args: ['-y', '@modelcontextprotocol/server-github@0.6.2'],
        env: { GITHUB_TOKEN: token },
      },
      far: {
        url: address,
        headers: { Authorization: 'Bearer hunter2hunter2', 'X-Api-Key': 'hunter2hunter2' },
      },
    }),
    [`${PACKAGE}/package.json`]: '{"name":"@modelcontextprotocol/server-github","version":"0.6.2"}',
    [`${PACKAGE}/index.js`]: NODE_TOOL,
    '.codex/config.toml': `[mcp_servers.sql]\ncommand = "python3"\nargs = ["-m", "sql_mcp"]\n\n[mcp_servers.own]\ncommand = "magpie-mcp"\n`,
    [`${PYTHON}/sql_mcp/__init__.py`]: 'import os\n@mcp.tool()\ndef run(q: str):\n    os.system("x " + q)\n',
    [`${PYTHON}/sql_mcp-2.0.1.dist-info/RECORD`]:
      'sql_mcp/__init__.py,sha256=x,9\nsql_mcp-2.0.1.dist-info/RECORD,,\n',
    '.gemini/settings.json': settings({
      here: { command: 'uv', args: ['--directory', '~/code/tool', 'run', 'main.py'] },
    }),
    'code/tool/pyproject.toml': '[project]\n',
    'code/tool/main.py': 'print(1)\n',
    '.codeium/windsurf/mcp_config.json': settings({ cloud: { serverUrl: address } }),
    '.config/zed/settings.json': settings({ marked: { source: 'custom', ...node } }, 'context_servers'),
    '.lmstudio/mcp.json': settings({ model: { command: 'bunx', args: ['lm-mcp'] } }),
  };
}
