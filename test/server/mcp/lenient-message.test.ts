import { expect, test } from 'vitest';
import { repairRpcMessages } from '../../../src/server/mcp/lenient-message.ts';

function repaired(message: unknown): unknown {
  const copy = structuredClone(message);
  repairRpcMessages(copy);
  return copy;
}

test.each([
  [
    {
      id: 1,
      result: { roots: [{ uri: 'vscode-remote://wsl/home' }, null, { uri: 'file:///home', name: null }] },
    },
    { id: 1, result: { roots: [{ uri: 'file:///home' }] } },
  ],
  [1, 1],
  [null, null],
  ['x', 'x'],
  [[], []],
  [
    [null, 1],
    [null, 1],
  ],
  [{}, {}],
  [
    { method: 'ping', params: 5 },
    { method: 'ping', params: 5 },
  ],
  [
    { id: null, method: 'ping' },
    { id: null, method: 'ping' },
  ],
  [
    { id: 1, method: 'tools/call', params: { name: 'x', arguments: '[1]' } },
    { id: 1, method: 'tools/call', params: { name: 'x', arguments: [1] } },
  ],
  [
    { id: 1, method: 'tools/call', params: { name: 'x', arguments: '{"a"' } },
    { id: 1, method: 'tools/call', params: { name: 'x', arguments: '{"a"' } },
  ],
  [
    { id: 1, method: 'tools/call', params: { name: 'x', arguments: 'null' } },
    { id: 1, method: 'tools/call', params: { name: 'x', arguments: {} } },
  ],
  [
    { id: 1, result: { action: 'accept', content: { confirm: true, why: null } }, error: null },
    { id: 1, result: { action: 'accept', content: { confirm: true } } },
  ],
  [
    { id: 1, result: null, error: { code: 1, message: 'x' } },
    { id: 1, error: { code: 1, message: 'x' } },
  ],
])('%j', (message, wanted) => {
  expect(repaired(message)).toEqual(wanted);
});

test('what the arguments of a tool contain is left as it is, since an operation judges it', () => {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'browse', arguments: { q: null, extract: { a: null, b: [null, {}] }, __proto: [] } },
  };
  expect(repaired(call)).toEqual(call);
});

test('a member named __proto__ changes no object', () => {
  const message = JSON.parse('{"id":1,"method":"ping","params":{"__proto__":{"x":null},"a":null}}');
  repairRpcMessages(message);
  expect(({} as { x?: unknown }).x).toBeUndefined();
  expect(Object.keys(message.params)).not.toContain('a');
});

test('null members at random places of the parameters mean that they are not there', () => {
  let seed = 11;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const made = (depth: number): [unknown, unknown] => {
    if (depth === 0 || random(3) === 0) return [random(9), undefined].map(() => 'v') as [string, string];
    const [without, withNulls]: Record<string, unknown>[] = [{}, {}];
    for (let at = 0; at < 4; at++) {
      if (random(3) === 0) (withNulls as Record<string, unknown>)[`n${at}`] = null;
      else {
        const [plain, mixed] = made(depth - 1);
        Object.assign(without as object, { [`m${at}`]: plain });
        Object.assign(withNulls as object, { [`m${at}`]: mixed });
      }
    }
    return random(4) === 0 ? [[without], [withNulls]] : [without, withNulls];
  };
  for (let run = 0; run < 300; run++) {
    const [plain, mixed] = made(4);
    const message = (meta: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'x/y', params: { meta } });
    expect(repaired(message(mixed))).toEqual(message(plain));
  }
});
