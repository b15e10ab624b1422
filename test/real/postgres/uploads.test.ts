import { afterAll } from 'vitest';
import { filesAtNodesContract } from '../../contracts/files-at-nodes.ts';
import { dropPostgres } from '../../helpers/postgres.ts';

afterAll(dropPostgres);

// Their bytes are in the database.
filesAtNodesContract(() => ({}));
