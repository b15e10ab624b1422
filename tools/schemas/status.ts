import { z } from 'zod';
import { listedObject } from '../../src/operation.ts';

/** Response as the API contract defines it: `{ "status": { "status": "<message>" } }`. */
export const statusBody = z.object({ status: listedObject([], { status: z.string() }) });

export const renderStatus = ({ status }: z.output<typeof statusBody>): string => status.status;
