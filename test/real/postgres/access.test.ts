import { afterAll } from 'vitest';
import { createGrantStore } from '../../../src/access/stores/grants.ts';
import { createKeyStore } from '../../../src/access/stores/keys.ts';
import { createUsageStore } from '../../../src/access/stores/usage.ts';
import { describeGrantStore } from '../../contracts/grant-store.ts';
import { describeKeyStore } from '../../contracts/key-store.ts';
import { describeUsageStore } from '../../contracts/usage-store.ts';
import { dropPostgres, emptyPostgres } from '../../helpers/postgres.ts';

afterAll(dropPostgres);

describeKeyStore('PostgreSQL', () => emptyPostgres(createKeyStore));
describeUsageStore('PostgreSQL', () => emptyPostgres(createUsageStore));
describeGrantStore('PostgreSQL', () =>
  emptyPostgres((db) => ({ grants: createGrantStore(db), keys: createKeyStore(db) })),
);
