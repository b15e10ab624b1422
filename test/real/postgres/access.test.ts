import { afterAll } from 'vitest';
import { createKeyStore } from '../../../src/access/stores/keys.ts';
import { createUsageStore } from '../../../src/access/stores/usage.ts';
import { describeKeyStore } from '../../contracts/key-store.ts';
import { describeUsageStore } from '../../contracts/usage-store.ts';
import { dropPostgres, emptyPostgres } from '../../helpers/postgres.ts';

afterAll(dropPostgres);

describeKeyStore('PostgreSQL', () => emptyPostgres(createKeyStore));
describeUsageStore('PostgreSQL', () => emptyPostgres(createUsageStore));
