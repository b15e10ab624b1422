import { z } from 'zod';
import { listedFields } from '../../src/operation.ts';

/** Response as the API contract defines it: `{ "status": { "status": "<message>" } }`. */
export const statusBody = z.object({
  status: z.object({ status: z.string() }).register(listedFields, { fields: [] }),
});

export const renderStatus = ({ status }: z.output<typeof statusBody>): string => status.status;
