import { expect, test } from 'vitest';
import {
  describeOldParts,
  describeOldPgvector,
  describeOldPostgres,
} from '../../../src/storage/postgres/oldest-versions.ts';

test.each(['0.8.3', '0.7.9', '0.8', '0'])('pgvector %s is named, with what to do', (version) => {
  expect(describeOldPgvector(version)).toMatch(
    `pgvector ${version} may damage indexes: install 0.8.4 or newer and run ALTER EXTENSION vector UPDATE`,
  );
});

test.each(['0.8.4', '0.8.10', '0.9', '1.0.0', '0.10.0'])('pgvector %s is new enough', (version) => {
  expect(describeOldPgvector(version)).toBeUndefined();
});

test('a PostgreSQL before 16 is named, with what to do; both versions are named where both are old', () => {
  expect(describeOldPostgres({ version: '16.0', major: 16 })).toBeUndefined();
  expect(describeOldPostgres({ version: '15.9 (Debian)', major: 15 })).toBe(
    'it is PostgreSQL 15.9 (Debian), and Magpie takes 16 or newer: update the server',
  );
  expect(describeOldParts({ version: '15.9', major: 15, pgvector: '0.8.0' })).toHaveLength(2);
  expect(describeOldParts({ version: '18.1', major: 18, pgvector: '0.8.0' })).toHaveLength(1);
  expect(describeOldParts({ version: '18.1', major: 18, pgvector: undefined })).toEqual([]);
});
