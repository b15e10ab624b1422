import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGuardedFetch, type GuardedFetch } from '../../../src/lib/network/fetch.ts';
import type { PackageVersion } from '../../../src/security/findings/finding.ts';
import type { AdvisorySource } from '../../../src/security/scanners/dependencies/advisories/advisory.ts';
import { isAffected } from '../../../src/security/scanners/dependencies/advisories/affected-versions.ts';
import { createNpmBulk } from '../../../src/security/scanners/dependencies/advisories/npm-bulk.ts';
import { createOsvApi } from '../../../src/security/scanners/dependencies/advisories/osv-api.ts';
import { osvRecord } from '../../helpers/osv-records.ts';
import { type OsvServer, type OsvServerOptions, startOsv } from '../../helpers/osv-server.ts';

let server: OsvServer | undefined;
let fetch: GuardedFetch;
beforeEach(() => {
  fetch = createGuardedFetch({ allowHosts: [], userAgent: 'test' });
});
afterEach(async () => {
  await fetch.close();
  await server?.close();
});

const npm = (name: string, version = '1.0.0'): PackageVersion => ({ ecosystem: 'npm', name, version });

async function asked(
  source: AdvisorySource,
  packages: readonly PackageVersion[],
  signal = AbortSignal.timeout(60_000),
) {
  const told: string[] = [];
  await source.findAdvisories(packages, {
    signal,
    found: (index, advisory) => told.push(`${packages[index]?.name}: ${advisory.id}`),
  });
  return told.sort();
}

async function osv(options: OsvServerOptions, more: object = {}) {
  server = await startOsv(options);
  return createOsvApi({ fetch, url: server.url, pauseMs: 10, ...more });
}

describe('OSV', () => {
  const records = [
    osvRecord('GHSA-1', 'npm', 'a', '2.0.0'),
    osvRecord('GHSA-2', 'npm', 'b', '2.0.0'),
    osvRecord('PYSEC-1', 'PyPI', 'a', '2.0'),
  ];

  test('is asked in batches of a thousand packages, and once for each advisory', async () => {
    const source = await osv({ records });
    const many = Array.from({ length: 1500 }, (_, at) => npm(`p${at}`));
    expect(await asked(source, [npm('a'), ...many, npm('b'), npm('a', '1.5.0')])).toEqual([
      'a: GHSA-1',
      'a: GHSA-1',
      'b: GHSA-2',
    ]);
    expect(server?.asked.filter((one) => one === 'POST /v1/querybatch')).toHaveLength(2);
    expect(server?.asked.filter((one) => one.startsWith('GET '))).toEqual([
      'GET /v1/vulns/GHSA-1',
      'GET /v1/vulns/GHSA-2',
    ]);
    // What it receives: ecosystem, name and version.
    const { queries } = JSON.parse(server?.bodies[0] ?? '') as { queries: object[] };
    expect(queries[0]).toEqual({ package: { name: 'a', ecosystem: 'npm' }, version: '1.0.0' });
    await asked(source, [npm('a')]);
    expect(server?.asked.filter((one) => one.startsWith('GET '))).toHaveLength(2);
  });

  test('is asked for every page of an answer', async () => {
    const many = Array.from({ length: 7 }, (_, at) => osvRecord(`GHSA-${at}`, 'npm', 'a', '2.0.0'));
    expect(await asked(await osv({ records: many, pageSize: 3 }), [npm('a'), npm('none')])).toHaveLength(7);
    expect(server?.asked.filter((one) => one === 'POST /v1/querybatch')).toHaveLength(3);
  });

  test.each([
    ['rubbish', 'upstream', 'OSV answered something that is not JSON'],
    ['busy', 'rate_limited', 'OSV is limiting requests: try again later'],
    ['broken', 'upstream', 'OSV answered with status 500: try again later'],
    ['endless', 'too_large', 'ResponseTooLarge'],
    ['slow', 'timeout', ''],
  ] as const)('that is %s is reported', async (mischief, code, message) => {
    const source = await osv(
      { records, mischief: () => mischief },
      { timeoutMs: mischief === 'slow' ? 300 : 60_000 },
    );
    await expect(asked(source, [npm('a')])).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  test('keeps the findings so far when it fails at one advisory', async () => {
    let count = 0;
    const source = await osv({
      records,
      mischief: (path) => (path.startsWith('/v1/vulns/') && count++ > 0 ? 'rubbish' : undefined),
    });
    const told: string[] = [];
    const signal = AbortSignal.timeout(60_000);
    const packages = [npm('a'), npm('b')];
    await expect(
      source.findAdvisories(packages, { signal, found: (_, { id }) => told.push(id) }),
    ).rejects.toMatchObject({ code: 'upstream' });
    expect(told).toHaveLength(1);
  });

  test('is asked again when it is busy for a moment', async () => {
    let count = 0;
    const source = await osv({ records, mischief: () => (count++ === 0 ? 'broken' : undefined) });
    expect(await asked(source, [npm('a')])).toEqual(['a: GHSA-1']);
  });

  test.each([
    ['a list', []],
    ['too few results', { results: [] }],
    ['no object', null],
  ])('that answers with %s is reported', async (_, answer) => {
    const answering = async () => ({
      url: '',
      status: 200,
      headers: new Headers(),
      body: Buffer.from(JSON.stringify(answer)),
    });
    const source = createOsvApi({ fetch: answering, url: 'http://osv.test' });
    await expect(asked(source, [npm('a')])).rejects.toThrow('not a list of results');
  });

  test('does no harm when it sends invalid ids or endless pages', async () => {
    let calls = 0;
    const answering = async (url: string) => {
      calls++;
      const body = url.endsWith('querybatch')
        ? { results: [{ vulns: [{ id: '../../admin' }, { id: 5 }, null], next_page_token: 'again' }] }
        : {};
      return { url, status: 200, headers: new Headers(), body: Buffer.from(JSON.stringify(body)) };
    };
    const source = createOsvApi({ fetch: answering, url: 'http://osv.test' });
    await expect(asked(source, [npm('a')])).rejects.toThrow('sends over 50 pages');
    expect(calls).toBe(50);
  });

  test('is no longer asked once the scan is cancelled', async () => {
    const source = await osv({ records, mischief: () => 'slow' });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('no longer wanted')), 100);
    await expect(asked(source, [npm('a')], stop.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe("npm's registry", () => {
  const bulk = async (options: Partial<OsvServerOptions>) => {
    server = await startOsv({ records: [], ...options });
    return createNpmBulk({ fetch, url: server.url, pauseMs: 10 });
  };
  const advisory = (vulnerable_versions: string, more: object = {}) => ({
    id: 1234,
    url: 'https://github.com/advisories/GHSA-35jh-r3h4-6jhm',
    title: 'Command Injection',
    severity: 'high',
    vulnerable_versions,
    cwe: ['CWE-77'],
    cvss: { score: 7.2, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H' },
    ...more,
  });

  test('is asked by name and versions, and gives the same results as OSV', async () => {
    const source = await bulk({
      npm: { a: [advisory('<4.17.21')], b: [advisory('<1', { url: 'x', id: '../7' })] },
    });
    expect(source.covers('npm')).toBe(true);
    expect(source.covers('PyPI')).toBe(false);
    expect(await asked(source, [npm('a', '4.17.4'), npm('a', '4.0.0'), npm('b'), npm('__proto__')])).toEqual([
      'a: GHSA-35jh-r3h4-6jhm',
      'a: GHSA-35jh-r3h4-6jhm',
      'b: npm-..7',
    ]);
    expect(JSON.parse(server?.bodies[0] ?? '')).toEqual(
      JSON.parse('{"a":["4.17.4","4.0.0"],"b":["1.0.0"],"__proto__":["1.0.0"]}'),
    );
  });

  test.each([
    ['<4.17.21', ['4.17.20', '0.0.1'], ['4.17.21', '5.0.0']],
    ['>=1.0.0 <1.2.0 || >=2.0.0 <2.1.0', ['1.1.0', '2.0.0'], ['0.9.0', '1.2.0', '2.1.0']],
    ['<=1.2.3', ['1.2.3'], ['1.2.4']],
    ['>1.2.3 <2.0.0', ['1.2.4'], ['1.2.3', '2.0.0']],
    ['=1.2.3', ['1.2.3'], ['1.2.2', '1.2.4']],
    ['*', ['0.0.1', '9.9.9'], []],
    ['nonsense', [], ['1.0.0']],
  ])('has ranges as npm reads them: %s', async (range, within, without) => {
    const source = await bulk({ npm: { a: [advisory(range)] } });
    const found: string[] = [];
    const packages = [...within, ...without].map((version) => npm('a', version));
    await source.findAdvisories(packages, {
      signal: AbortSignal.timeout(60_000),
      found: (index, one) => {
        const at = packages[index];
        if (at && isAffected(one, at)) found.push(at.version);
      },
    });
    expect(found).toEqual(within);
  });

  test('is reported when its answer is invalid', async () => {
    await expect(asked(await bulk({ mischief: () => 'rubbish' }), [npm('a')])).rejects.toMatchObject({
      code: 'upstream',
    });
  });
});
