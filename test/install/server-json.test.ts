import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { SETTINGS } from '../../src/config/settings.ts';

/**
 * `server.json` as the registry of MCP takes it (edition 2025-12-11): the rules below are those of its schema and of its
 * publisher's `validate` for what the file uses, and closed, so that a misspelt member fails.
 */
const read = (path: string): unknown =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8'));

const VARIABLE = z.strictObject({
  name: z.string(),
  description: z.string(),
  isRequired: z.boolean(),
  isSecret: z.boolean().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']),
});
const SERVER = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  repository: z.strictObject({ url: z.url(), source: z.literal('github') }),
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+$/),
  websiteUrl: z.url(),
  packages: z
    .array(
      z.strictObject({
        registryType: z.literal('npm'),
        identifier: z.string(),
        version: z.string(),
        runtimeHint: z.literal('npx'),
        transport: z.strictObject({ type: z.literal('stdio') }),
        packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })),
        environmentVariables: z.array(VARIABLE),
      }),
    )
    .length(1),
});

const server = SERVER.parse(read('server.json'));
const manifest = read('package.json') as Record<string, unknown>;

test('the registry finds in the package the name that it lists', () => {
  const [published] = server.packages;
  expect(server.name).toBe(manifest.mcpName);
  expect(published?.identifier).toBe(manifest.name);
  expect([server.version, published?.version]).toEqual([manifest.version, manifest.version]);
  // A name of this form belongs to the owner of the repository.
  const [, owner] = /^io\.github\.([^/]+)\//.exec(server.name) ?? [];
  expect(server.repository.url).toBe(`https://github.com/${owner}/magpie`);
  expect(manifest.repository).toEqual({ type: 'git', url: `git+${server.repository.url}.git` });
});

test('each environment variable is a setting, and is secret where the setting is', () => {
  const variables = server.packages[0]?.environmentVariables ?? [];
  for (const { name, isSecret = false } of variables) {
    const setting = Object.values(SETTINGS).find(({ env }) => env === name);
    expect(setting, name).toBeDefined();
    expect(isSecret, name).toBe('secret' in (setting ?? {}));
  }
  expect(variables.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual([
    'BRAVE_API_KEY',
    'TAVILY_API_KEY',
    'EXA_API_KEY',
    'OPENAI_API_KEY',
  ]);
});
