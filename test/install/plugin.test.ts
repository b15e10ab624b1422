import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { prompts } from '../../prompts/index.ts';

/** The plug-in for Claude Code by the documented form of its files; the objects are closed, so that a misspelt member fails. */
const FOLDER = fileURLToPath(new URL('../../examples/claude-code/', import.meta.url));
const read = (path: string): unknown => JSON.parse(readFileSync(`${FOLDER}${path}`, 'utf8'));

const NAME = z.string().regex(/^[a-z][a-z0-9-]*$/);
const VERSION = z.string().regex(/^\d+\.\d+\.\d+$/);
const PERSON = z.strictObject({
  name: z.string().min(1),
  email: z.email().optional(),
  url: z.url().optional(),
});
const MARKETPLACE = z.strictObject({
  name: NAME,
  owner: PERSON,
  plugins: z
    .array(
      z.strictObject({
        name: NAME,
        description: z.string(),
        version: VERSION,
        source: z.string().startsWith('./'),
      }),
    )
    .min(1),
});
const PLUGIN = z.strictObject({
  name: NAME,
  description: z.string(),
  version: VERSION,
  author: PERSON,
  homepage: z.url(),
  repository: z.url(),
  license: z.string(),
  keywords: z.array(z.string()),
});
const SERVERS = z.strictObject({
  mcpServers: z.record(NAME, z.strictObject({ command: z.string(), args: z.array(z.string()) })),
});

test('the marketplace lists the plug-in by the name and version that it has', () => {
  const { plugins } = MARKETPLACE.parse(read('.claude-plugin/marketplace.json'));
  for (const { source, name, version } of plugins) {
    expect(existsSync(`${FOLDER}${source}/.claude-plugin/plugin.json`)).toBe(true);
    expect(PLUGIN.parse(read(`${source}/.claude-plugin/plugin.json`))).toMatchObject({ name, version });
  }
});

test('the plug-in starts the package over stdio', () => {
  const { mcpServers } = SERVERS.parse(read('magpie/.mcp.json'));
  expect(mcpServers).toEqual({ magpie: { command: 'npx', args: ['-y', 'magpie-mcp', 'stdio'] } });
});

test('each of its commands says what it does, and hands on what the person typed', () => {
  const files = readdirSync(`${FOLDER}magpie/commands`);
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    const prompt = prompts.find(({ name }) => `${name}.md` === file);
    const [, front = '', text = ''] =
      /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(`${FOLDER}magpie/commands/${file}`, 'utf8')) ?? [];
    expect(front.split('\n')).toContain(`description: ${prompt?.description}`);
    expect(text).toContain(`Call the tool ${prompt?.operation} with {`);
    expect(text).toContain('"$ARGUMENTS"');
  }
});
