import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** What registries, bundles and plug-ins say of the project, out of package.json. */

const MANIFEST = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  author: z.string(),
  homepage: z.url(),
  repository: z.object({ url: z.string() }),
  bugs: z.object({ url: z.url() }),
  mcpName: z.string(),
  keywords: z.array(z.string()),
  engines: z.object({ node: z.string() }),
});

export const PROJECT = MANIFEST.parse(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
);

/** The address of the repository as browsers and git take it. */
export const REPOSITORY = PROJECT.repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** One line of at most 100 characters, the most that the registry of MCP takes. */
export const SUMMARY =
  'Web search and page reading, a memory for texts and files, and scans of code and sites. No key.';
