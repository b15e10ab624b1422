import { z } from 'zod';
import { listedFields } from '../../src/operation.ts';

/** Answer as the API contract defines it. The inner `status` is the message. */
export const statusBody = z.object({
  status: z.object({ status: z.string() }).register(listedFields, { fields: [] }),
});

export const renderStatus = ({ status }: z.output<typeof statusBody>): string => status.status;
