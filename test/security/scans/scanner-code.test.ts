import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { hashScannerCode } from '../../../src/security/scans/scanner-code.ts';
import { scanRoom } from '../../helpers/scan-room.ts';

/** Findings are kept for as long as the scanners' code is the same, whatever was changed of it. */

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'magpie-code-test-'));
  folders.push(made);
  return made;
}

const SECURITY = new URL('../../../src/security/', import.meta.url);
const MODULE = new URL('scanners/list.ts', SECURITY);

test('the hash is stable, and a changed, new or renamed module changes it', async () => {
  const copy = folder();
  cpSync(SECURITY, copy, { recursive: true });
  const hash = () => hashScannerCode(MODULE, [pathToFileURL(`${copy}/`)]);
  const seen = [await hash()];
  expect(await hash()).toBe(seen[0]);
  expect(await hashScannerCode(MODULE, [SECURITY])).toBe(seen[0]);
  const change = async (path: string, text: string) => {
    writeFileSync(join(copy, path), text);
    seen.push(await hash());
  };
  await change('scanners/secrets/token-rules.ts', 'export const TOKEN_RULES = [];');
  await change('scanners/secrets/token-rules.json', '[]');
  await change('scanners/secrets/services.tsv', '');
  await change('scanners/secrets/further-rules.ts', '');
  rmSync(join(copy, 'scanners/secrets/further-rules.ts'));
  await change('scanners/secrets/other-rules.ts', '');
  expect(new Set(seen).size).toBe(6);
  writeFileSync(join(copy, 'README.md'), 'other words');
  expect(await hash()).toBe(seen.at(-1));
});

test('all files are scanned again after the code of the scanner changes', async () => {
  const tree = folder();
  writeFileSync(join(tree, 'a.txt'), 'FAULT low one');
  let code = 'before';
  const { room, close } = await scanRoom({ folder: folder(), code: async () => code });
  const kept = async () => {
    const request = { repository: tree, deep: false, dependencies: false };
    const watch = { signal: new AbortController().signal, progress() {} };
    return (await room.scan('ann', request, {}, watch)).report?.kept;
  };
  expect([await kept(), await kept()]).toEqual([0, 1]);
  code = 'after';
  expect([await kept(), await kept()]).toEqual([0, 1]);
  await close();
});
