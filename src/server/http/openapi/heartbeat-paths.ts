import { openApiFailures } from './responses.ts';

const TOKEN = {
  name: 'token',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  description: 'Out of options.heartbeat of the answer that began a monitor of heartbeat:name',
};
const SAID = {
  name: 'said',
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: '^(?:start|success|fail|[0-9]{1,3})$' },
  description: 'start, success or fail, or the status with which a program ends: 0 is a success',
};
const TAKEN = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };

export const HEARTBEAT_PATHS = {
  '/heartbeat/{token}': { get: described('sendHeartbeat', 'A job has done its work', [TOKEN]) },
  '/heartbeat/{token}/{said}': {
    get: described('sendSignal', 'A job has begun, has done its work, or has failed', [TOKEN, SAID]),
  },
};

function described(operationId: string, summary: string, parameters: readonly object[]) {
  return {
    operationId,
    summary,
    description: 'Takes POST too. A body is not read.',
    tags: ['security'],
    security: [],
    parameters,
    responses: {
      200: { description: 'It was noted', content: { 'application/json': { schema: TAKEN } } },
      ...openApiFailures('/heartbeat'),
    },
  };
}
