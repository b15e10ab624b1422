import { afterAll } from 'vitest';
import { createGrantStore } from '../../../src/access/stores/grants.ts';
import { createKeyStore } from '../../../src/access/stores/keys.ts';
import { createMcpTaskStore } from '../../../src/access/stores/tasks.ts';
import { createUsageStore } from '../../../src/access/stores/usage.ts';
import { describeGrantStore } from '../../contracts/grant-store.ts';
import { describeKeyStore } from '../../contracts/key-store.ts';
import { describeMcpTaskStore } from '../../contracts/mcp-task-store.ts';
import { describeUsageStore } from '../../contracts/usage-store.ts';
import { dropPostgres, emptyPostgres } from '../../helpers/postgres.ts';

afterAll(dropPostgres);

describeKeyStore('PostgreSQL', () => emptyPostgres(createKeyStore));
describeUsageStore('PostgreSQL', () => emptyPostgres(createUsageStore));
describeMcpTaskStore('PostgreSQL', () => emptyPostgres(createMcpTaskStore));
describeGrantStore('PostgreSQL', () =>
  emptyPostgres((db) => ({ grants: createGrantStore(db), keys: createKeyStore(db) })),
);
