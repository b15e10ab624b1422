import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

/** Functions of Python that a description of the interface names: requests call them. */

const scanner = createSourceScanner();
const CODE = `from db import session
def show(name):
    session.execute("select * from t where a = '" + name + "'")
def other(name):
    session.execute("select * from t where a = '" + name + "'")
`;

async function together(files: Readonly<Record<string, string>>): Promise<string[]> {
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  const found = await scanner.together?.scan(all, { deep: true }, () => undefined);
  return (found?.findings ?? []).map(
    ({ severity, path, line, trace }) =>
      `${severity} ${path}:${line} from ${trace?.[0]?.path}:${trace?.[0]?.line}`,
  );
}

test.each([['operationId: shop.views.show'], ['x-openapi-router-controller: shop.views\noperationId: show']])(
  'the functions that %j names get data from requests',
  async (operation) => {
    const found = await together({
      'api/openapi.yaml': `openapi: 3.0.1\n${operation}\n`,
      'app/shop/views.py': CODE,
      'app/db.py': 'session = connect()\n',
    });
    const line = operation.includes('\n') ? 3 : 2;
    expect(found).toEqual([`high app/shop/views.py:3 from api/openapi.yaml:${line}`]);
  },
);

test('an API description is read only beside Python code, and has no effect without matching functions', async () => {
  expect(scanner.together?.groupsOf('specs/openapi3.yml')).toEqual(['Python']);
  expect(scanner.together?.groupsOf('docker-compose.yml')).toEqual([]);
  const files = {
    'openapi.json': '{"operationId": "none.show"}',
    'a.py': CODE,
    'db.py': 'session = connect()\n',
  };
  expect(await together(files)).toEqual([]);
});
