import { expect, test } from 'vitest';
import { restoreScanTerms, serializeScanTerms } from '../../../src/security/scans/scan-terms.ts';

const of = (repository: string) => ({ repository, deep: false, dependencies: true });

test.each(['https://git.example/shop.git', 'ssh://git@git.example/shop.git', 'git@git.example:shop.git'])(
  'a scan of %s can continue in another process',
  (repository) => {
    const text = serializeScanTerms(of(repository), {}) ?? '';
    expect(restoreScanTerms(of('as stored'), text).request.repository).toBe(
      repository.startsWith('ssh:') ? repository : 'as stored',
    );
  },
);

test.each([
  '/srv/code',
  '.',
  'file:///srv/code',
  'https://ada:hunter2@git.example/shop.git',
  `https://git.example/shop.git?token=ghp_${'a1B2'.repeat(9)}`,
  'ssh://git:hunter2@git.example/shop.git',
])('a scan of %s stays in the process that accepted it', (repository) => {
  expect(serializeScanTerms(of(repository), {})).toBeUndefined();
});

test('the terms of a scan are restored unchanged; a scan of a text stays in its process, a scan of a package may move', () => {
  const terms = {
    contents: { package: 'left-pad@1.0.0' },
    baseline: { fingerprints: new Set(['a', 'b']), reason: 'known from scan 1' },
    since: 'v1',
    verify: false,
  };
  const request = of('package left-pad@1.0.0');
  expect(restoreScanTerms(request, serializeScanTerms(request, terms) ?? '')).toEqual({ request, terms });
  expect(serializeScanTerms(of('text'), { contents: { text: 'x', file: undefined } })).toBeUndefined();
});
