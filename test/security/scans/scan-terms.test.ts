import { expect, test } from 'vitest';
import { restoreScanOrder, serializeScanTerms } from '../../../src/security/scans/scan-terms.ts';

const of = (repository: string) => ({ repository, deep: false, dependencies: true });

test.each(['https://git.example/shop.git', 'ssh://git@git.example/shop.git', 'git@git.example:shop.git'])(
  'a scan of %s can go on in another process',
  (repository) => {
    const text = serializeScanTerms(of(repository), {}) ?? '';
    expect(restoreScanOrder(of('as stored'), text).request.repository).toBe(
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
])('a scan of %s stays in its process', (repository) => {
  expect(serializeScanTerms(of(repository), {})).toBeUndefined();
});

test('the terms come back as they were; a text stays, a package may go', () => {
  const terms = {
    contents: { package: 'left-pad@1.0.0' },
    baseline: { fingerprints: new Set(['a', 'b']), reason: 'known from scan 1' },
    since: 'v1',
    verify: false,
  };
  const request = of('package left-pad@1.0.0');
  expect(restoreScanOrder(request, serializeScanTerms(request, terms) ?? '')).toEqual({ request, terms });
  expect(serializeScanTerms(of('text'), { contents: { text: 'x', file: undefined } })).toBeUndefined();
});
