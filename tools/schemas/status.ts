import { z } from 'zod';

/** The contract's status body: the inner string is the message. */
export const statusBody = z.object({ status: z.object({ status: z.string() }) });

export const renderStatus = ({ status }: z.output<typeof statusBody>): string => status.status;
