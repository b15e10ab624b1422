import { expect, test } from 'vitest';
import { DatabaseFailure } from '../src/errors.ts';
import { createLog } from '../src/log.ts';

function logged(err: Error): Record<string, unknown> {
  const lines: string[] = [];
  createLog('info', (line) => void lines.push(line)).warn({ err }, 'it failed');
  return (JSON.parse(lines[0] ?? '{}') as { err: Record<string, unknown> }).err;
}

test('an error is logged with its place in the code, and an unavailable database is logged briefly', () => {
  expect(logged(new TypeError('odd'))).toMatchObject({
    type: 'TypeError',
    message: 'odd',
    stack: expect.stringContaining('log.test'),
  });
  const cause = new Error('connect ECONNREFUSED');
  expect(logged(new DatabaseFailure('unavailable', 'it does not answer', { cause }))).toEqual({
    ...{ type: 'DatabaseFailure', code: 'unavailable', message: 'it does not answer' },
    cause: 'connect ECONNREFUSED',
  });
});
