import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

const GATE = new URL('../../../src/knowledge/embedders/native-gate.ts', import.meta.url).href;

/** Ends a process with code 3 while a call is, or is not, inside the gate; a last listener says when the process ends by itself. */
function exitWith(inside: boolean): Promise<readonly [code: unknown, said: string]> {
  const program = `
    import { createNativeCallGate, runNativeCall, shutNativeCallGates } from ${JSON.stringify(GATE)};
    const gate = createNativeCallGate();
    const call = runNativeCall(gate, () => ${inside ? 'new Promise(() => {})' : 'Promise.resolve()'});
    process.on('exit', (code) => shutNativeCallGates([gate], code));
    process.on('exit', () => process.stdout.write('by itself'));
    ${inside ? '' : 'await call;'}
    process.exit(3);
  `;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', program], (error, said) =>
      resolve([error?.code, said]),
    );
  });
}

test('a process whose native call does not return in time is replaced before its threads are ended', async () => {
  expect(await exitWith(true)).toEqual([3, process.platform === 'win32' ? 'by itself' : '']);
});

test('a process without a native call ends by itself', async () => {
  expect(await exitWith(false)).toEqual([3, 'by itself']);
});
