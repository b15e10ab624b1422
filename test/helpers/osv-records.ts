/** A record of OSV's schema for one package, affected up to a version. */
export function osvRecord(id: string, ecosystem: string, name: string, fixed: string, more: object = {}) {
  return {
    schema_version: '1.6.0',
    id,
    modified: '2024-01-01T00:00:00Z',
    published: '2023-01-01T00:00:00Z',
    summary: `What ${id} is about`,
    affected: [
      {
        package: { ecosystem, name },
        ranges: [
          { type: ecosystem === 'npm' ? 'SEMVER' : 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] },
        ],
      },
    ],
    severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
    database_specific: { severity: 'CRITICAL', cwe_ids: ['CWE-1321'] },
    ...more,
  };
}
