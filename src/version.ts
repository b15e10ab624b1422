import { readFileSync } from 'node:fs';

/** Version in package.json, one folder above the source or two above the compiled file. */
export const VERSION: string = readVersion();

function readVersion(): string {
  for (const up of ['../package.json', '../../package.json']) {
    try {
      const manifest = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as {
        name?: string;
        version: string;
      };
      if (manifest.name === 'magpie-mcp') return manifest.version;
    } catch {}
  }
  return '0.0.0';
}
