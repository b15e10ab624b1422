import { z } from 'zod';
import { listedFields } from '../../src/operation.ts';

/** Shape of the API contract. The inner string is the message. */
export const statusBody = z.object({
  status: z.object({ status: z.string() }).register(listedFields, { fields: [] }),
});

export const renderStatus = ({ status }: z.output<typeof statusBody>): string => status.status;
