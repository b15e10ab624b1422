import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGuardedFetch } from '../../../src/lib/network/fetch.ts';
import {
  createOfflineSource,
  OFFLINE_FILE,
  offlineEcosystems,
} from '../../../src/security/scanners/dependencies/advisories/offline.ts';
import {
  OSV_LIMITS,
  type UpdateRequest,
  updateAdvisories,
} from '../../../src/security/scanners/dependencies/advisories/update.ts';
import { ECOSYSTEMS } from '../../../src/security/scanners/dependencies/ecosystem.ts';
import { createSources } from '../../../src/security/scanners/dependencies/sources.ts';
import { zip } from '../../helpers/archives.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { osvRecord } from '../../helpers/osv-records.ts';
import { startOsv } from '../../helpers/osv-server.ts';

let data: ReturnType<typeof temporaryFolder>;
let from: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  data = temporaryFolder();
  from = temporaryFolder();
});
afterEach(() => {
  data.remove();
  from.remove();
});

const signal = AbortSignal.timeout(60_000);
const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'test' });

function update(request: UpdateRequest, more: object = {}) {
  const options = { folder: data.path, fetch, exportUrl: 'http://127.0.0.1:9', ...more };
  return updateAdvisories(options, request, { signal, progress: () => {} });
}

async function found(ecosystem: string, name: string, version = '1.0.0') {
  const ids: string[] = [];
  const source = createOfflineSource(data.path, new Set(ECOSYSTEMS));
  await source.findAdvisories([{ ecosystem, name, version }], { signal, found: (_, { id }) => ids.push(id) });
  return ids.sort();
}

const archive = (...records: { id: string }[]) =>
  zip(Object.fromEntries(records.map((record) => [`${record.id}.json`, JSON.stringify(record)])));
const write = (name: string, content: Uint8Array | string) => {
  const path = join(from.path, name);
  writeFileSync(path, content);
  return path;
};

describe('the offline database', () => {
  test('is built from an archive, and packages are found by name', async () => {
    const records = [
      osvRecord('GHSA-1', 'npm', 'a', '2.0.0'),
      osvRecord('GHSA-2', 'npm', 'a', '3.0.0'),
      osvRecord('PYSEC-1', 'PyPI', 'Zope.Interface', '2.0'),
      osvRecord('GHSA-3', 'npm', 'b', '1', { withdrawn: '2024-01-01T00:00:00Z' }),
    ];
    const result = await update({ from: write('all.zip', archive(...records)) });
    expect(result).toMatchObject({ taken: 3, passed: 1 });
    expect(result.ecosystems.map(({ ecosystem, advisories }) => [ecosystem, advisories])).toEqual([
      ['PyPI', 1],
      ['npm', 2],
    ]);
    expect(await found('npm', 'a')).toEqual(['GHSA-1', 'GHSA-2']);
    expect(await found('PyPI', 'zope_interface')).toEqual(['PYSEC-1']);
    expect(await found('npm', 'b')).toEqual([]);
    expect(readdirSync(data.path)).toEqual([OFFLINE_FILE]);
  });

  test('is built from a folder of files and archives, and other contents of the folder are ignored', async () => {
    mkdirSync(join(from.path, 'npm'));
    write('npm/one.json', JSON.stringify(osvRecord('GHSA-1', 'npm', 'a', '2.0.0')));
    write('npm/broken.json', '{');
    write('notes.txt', 'not this');
    write('more.zip', archive(osvRecord('GHSA-2', 'npm', 'b', '2.0.0')));
    expect(await update({ from: from.path })).toMatchObject({ taken: 2, passed: 1 });
    expect([await found('npm', 'a'), await found('npm', 'b')]).toEqual([['GHSA-1'], ['GHSA-2']]);
  });

  test('is built from OSV exports over the network, each under the name of its ecosystem', async () => {
    const files = {
      '/npm/all.zip': archive(osvRecord('GHSA-1', 'npm', 'a', '2.0.0')),
      '/crates.io/all.zip': archive(osvRecord('RUSTSEC-1', 'crates.io', 'time', '0.2.0')),
    };
    const server = await startOsv({ records: [], files });
    try {
      const { ecosystems } = await update({ ecosystems: ['npm', 'crates.io'] }, { exportUrl: server.url });
      expect(ecosystems.map(({ ecosystem }) => ecosystem)).toEqual(['crates.io', 'npm']);
      expect(server.asked).toEqual(['GET /npm/all.zip', 'GET /crates.io/all.zip']);
      await update({ from: `${server.url}/npm/all.zip` });
      // One that fails leaves the database as it is.
      await expect(update({ from: `${server.url}/nothing.zip` })).rejects.toMatchObject({ code: 'upstream' });
      expect(await found('crates.io', 'time', '0.1.0')).toEqual(['RUSTSEC-1']);
    } finally {
      await server.close();
    }
  });

  test('keeps the records of ecosystems that an update does not contain', async () => {
    await update({
      from: write(
        'a.zip',
        archive(osvRecord('GHSA-1', 'npm', 'a', '2.0.0'), osvRecord('PYSEC-1', 'PyPI', 'x', '2.0')),
      ),
    });
    await update({ from: write('b.zip', archive(osvRecord('GHSA-9', 'npm', 'a', '2.0.0'))) });
    expect(await found('npm', 'a')).toEqual(['GHSA-9']);
    expect(await found('PyPI', 'x')).toEqual(['PYSEC-1']);
    expect(
      offlineEcosystems(data.path)
        .map(({ ecosystem }) => ecosystem)
        .sort(),
    ).toEqual(['PyPI', 'npm']);
  });

  test('does not count an ecosystem as covered when only records of another ecosystem name its packages', async () => {
    const both = osvRecord('GHSA-1', 'npm', 'a', '2.0.0');
    const [other] = osvRecord('GHSA-1', 'PyPI', 'b', '2.0').affected;
    await update({
      from: write(
        'a.zip',
        archive(
          { ...both, affected: [...both.affected, other] } as never,
          osvRecord('GHSA-2', 'npm', 'c', '1.0.1'),
        ),
      ),
    });
    expect(offlineEcosystems(data.path).map(({ ecosystem }) => ecosystem)).toEqual(['npm']);
    expect(await found('PyPI', 'b')).toEqual([]);
  });

  test.each([
    ['is not there', () => join(from.path, 'none.zip'), 'cannot be read'],
    ['is not an archive', () => write('a.zip', 'not a zip'), 'not a ZIP archive'],
    [
      'is cut off',
      () => write('a.zip', archive(osvRecord('GHSA-1', 'npm', 'a', '2.0.0')).subarray(0, 120)),
      'the archive',
    ],
    ['holds no records', () => write('a.zip', zip({ 'readme.txt': 'x' })), 'holds no records'],
    [
      'holds nothing of the format',
      () => write('a.zip', zip({ 'a.json': '{}' })),
      'holds no advisory of the OSV format',
    ],
    [
      'unpacks to more than a record may have',
      () => write('a.zip', zipSync({ 'a.json': Buffer.alloc(3_000_000) })),
      'a record of over 1000000 bytes',
    ],
    [
      'unpacks to more than all may have',
      () =>
        write(
          'a.zip',
          zipSync(
            Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`${at}.json`, Buffer.alloc(900_000)])),
          ),
        ),
      'over 5000000 bytes',
    ],
    [
      'holds more files than there may be',
      () =>
        write('a.zip', zip(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.json`, '{}'])))),
      'over 20 files',
    ],
  ])('is unchanged when the given input %s', async (_, path, why) => {
    await update({ from: write('good.zip', archive(osvRecord('GHSA-1', 'npm', 'a', '2.0.0'))) });
    const limits = { record: 1_000_000, total: 5_000_000, records: 20 };
    await expect(update({ from: path() }, { limits })).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(why),
    });
    expect(await found('npm', 'a')).toEqual(['GHSA-1']);
    expect(readdirSync(data.path)).toEqual([OFFLINE_FILE]);
  });

  test('is reported when damaged, and an update replaces it', async () => {
    writeFileSync(join(data.path, OFFLINE_FILE), 'this is not a database');
    expect(offlineEcosystems(data.path)).toEqual([]);
    await expect(found('npm', 'a')).rejects.toMatchObject({ code: 'unavailable' });
    await update({ from: write('good.zip', archive(osvRecord('GHSA-1', 'npm', 'a', '2.0.0'))) });
    expect(await found('npm', 'a')).toEqual(['GHSA-1']);
  });

  test('leaves out versions that the ranges already contain, and keeps the others', async () => {
    const one = osvRecord('GHSA-1', 'npm', 'a', '2.0.0');
    const [affected] = one.affected;
    await update({
      from: write(
        'a.zip',
        archive({ ...one, affected: [{ ...affected, versions: ['1.0.0', '1.1.0', '5.0.0'] }] } as never),
      ),
    });
    const told: unknown[] = [];
    await createOfflineSource(data.path, new Set(ECOSYSTEMS)).findAdvisories(
      [{ ecosystem: 'npm', name: 'a', version: '1.0.0' }],
      { signal, found: (_, { affected: list }) => told.push(list[0]?.versions) },
    );
    expect(told).toEqual([['5.0.0']]);
  });
});

describe('distributions offline', () => {
  const bytes = () =>
    archive(
      osvRecord('DSA-1', 'Debian:12', 'openssl', '3.0.11-1~deb12u1'),
      osvRecord('DSA-2', 'Debian:11', 'openssl', '1.1.1n-0+deb11u5'),
      osvRecord('USN-1', 'Ubuntu:22.04:LTS', 'openssl', '3.0.2-0ubuntu1.10'),
      osvRecord('ALPINE-1', 'Alpine:v3.18', 'openssl', '3.1.4-r0'),
      osvRecord('RHSA-1', 'Red Hat:enterprise_linux:9::baseos', 'openssl', '1:3.0.7-18.el9_2'),
      osvRecord('RSEC-1', 'CRAN', 'commonmark', '1.8'),
      osvRecord('HSEC-1', 'Hackage', 'aeson', '2.0.1.0'),
      osvRecord('JLSEC-1', 'Julia', 'HTTP', '1.10.17'),
    );

  test('are found by release, and each ecosystem is counted once', async () => {
    const { ecosystems, taken, passed } = await update({ from: write('all.zip', bytes()) });
    expect([taken, passed]).toEqual([8, 0]);
    expect(ecosystems.map(({ ecosystem, advisories }) => `${ecosystem} ${advisories}`).sort()).toEqual(
      ['Alpine 1', 'CRAN 1', 'Debian 2', 'Hackage 1', 'Julia 1', 'Red Hat 1', 'Ubuntu 1'].sort(),
    );
    expect(await found('Debian:12', 'openssl')).toEqual(['DSA-1']);
    expect(await found('Debian:11', 'openssl')).toEqual(['DSA-2']);
    expect(await found('Ubuntu:22.04', 'openssl')).toEqual(['USN-1']);
    expect(await found('Red Hat:enterprise_linux:9', 'openssl')).toEqual(['RHSA-1']);
    expect(await found('CRAN', 'commonmark')).toEqual(['RSEC-1']);
  });

  test('are covered only in the releases that the records name', async () => {
    await update({ from: write('all.zip', bytes()) });
    const source = createOfflineSource(data.path, new Set(['Debian', 'Ubuntu', 'Alpine']));
    const asked = ['Debian:12', 'Debian:99', 'Ubuntu:22.04', 'Alpine:v3.18', 'Alpine:v3.9', 'Wolfi'] as const;
    expect(asked.filter((one) => source.covers(one))).toEqual(['Debian:12', 'Ubuntu:22.04', 'Alpine:v3.18']);
  });

  test('stay covered when an update brings other releases', async () => {
    await update({ from: write('all.zip', bytes()) });
    await update({ from: write('b.zip', archive(osvRecord('DSA-9', 'Debian:12', 'zlib', '2'))) });
    expect([await found('Debian:12', 'openssl'), await found('Debian:12', 'zlib')]).toEqual([[], ['DSA-9']]);
    expect(await found('Alpine:v3.18', 'openssl')).toEqual(['ALPINE-1']);
  });

  test('are fetched as one export for all releases; a distribution that OSV does not have is named', async () => {
    const server = await startOsv({
      records: [],
      files: { '/Red%20Hat/all.zip': bytes(), '/Red Hat/all.zip': bytes() },
    });
    try {
      await update({ ecosystems: ['red hat:enterprise_linux:9'] }, { exportUrl: server.url });
      expect(server.asked).toHaveLength(1);
      await expect(update({ ecosystems: ['Gentoo'] }, { exportUrl: server.url })).rejects.toMatchObject({
        code: 'bad_request',
        message: expect.stringMatching(
          /no ecosystem "Gentoo".*Debian.*CRAN|no ecosystem "Gentoo".*CRAN.*Debian/,
        ),
      });
    } finally {
      await server.close();
    }
  });
});

test('the default limit of records is far above the size of OSV', () => {
  expect(OSV_LIMITS.records).toBeGreaterThan(1_000_000);
});

describe('the sources that are asked', () => {
  const names = (chosen: readonly string[], days = 7) =>
    createSources({
      chosen,
      folder: data.path,
      fetch,
      osvUrl: 'http://osv.test',
      npmUrl: 'http://npm.test',
      days,
    })().map(({ name, covers }) => `${name}: ${ECOSYSTEMS.filter(covers).length}`);

  test('the default is the offline database for the ecosystems that it holds, and OSV for the others', async () => {
    expect(names([])).toEqual(['OSV: 49']);
    await update({ from: write('a.zip', archive(osvRecord('GHSA-1', 'npm', 'a', '2.0.0'))) });
    expect(names([])).toEqual(['the offline database: 1', 'OSV: 48']);
    expect(names([], 0)).toEqual(['OSV: 49']);
  });

  test('a chosen offline database names the ecosystems for which it is too old', async () => {
    await update({ from: write('a.zip', archive(osvRecord('GHSA-1', 'npm', 'a', '2.0.0'))) });
    const staleAfter = (days: number) => {
      const options = {
        chosen: ['offline'],
        folder: data.path,
        fetch,
        osvUrl: 'http://o',
        npmUrl: 'http://n',
      };
      return [...(createSources({ ...options, days })()[0]?.stale?.keys() ?? [])];
    };
    // The clock moves on while the database is made and asked.
    expect([staleAfter(7), staleAfter(-1)]).toEqual([[], ['npm']]);
  });

  test('a chosen list of sources replaces the default', async () => {
    expect(names(['off'])).toEqual([]);
    expect(names(['npm', 'osv'])).toEqual(['OSV: 49', "npm's registry: 1"]);
    expect(names(['offline'])).toEqual(['the offline database: 49']);
    expect(existsSync(join(data.path, OFFLINE_FILE))).toBe(false);
  });
});
