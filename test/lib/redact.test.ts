import { expect, test } from 'vitest';
import { createLog } from '../../src/log.ts';

const SECRET = 'S3cr3tMark';

/** What one log line says of the fields. */
function logged(fields: Record<string, unknown>, message = 'm'): string {
  const lines: string[] = [];
  createLog('debug', (line) => lines.push(line)).info(fields, message);
  return lines.join('');
}

test.each([
  [{ authorization: `Bearer ${SECRET}` }],
  [{ headers: { Authorization: `Bearer ${SECRET}`, Cookie: SECRET } }],
  [{ url: `https://x.example/?autoplatformapikey=${SECRET}&q=1` }],
  [{ url: `https://x.example/a?api_key=${SECRET}` }],
  [{ url: `https://user:${SECRET}@x.example/` }],
  [{ DATABASE_URL: `postgres://magpie:${SECRET}@db/x` }],
  [{ OPENAI_API_KEY: SECRET }],
  [{ err: new Error(`refused magpie_${SECRET}abcdef`) }],
  [{ nested: { client_secret: `a"${SECRET}` } }],
])('%o is logged without its secret', (fields) => {
  expect(logged(fields)).not.toContain(SECRET);
});

test('a line stays JSON and keeps everything else', () => {
  const line = logged(
    { url: `https://x.example/?token=${SECRET}&q=birds`, count: 3 },
    `Bearer ${SECRET} was used`,
  );
  expect(JSON.parse(line)).toMatchObject({
    level: 'info',
    count: 3,
    url: 'https://x.example/?token=[redacted]&q=birds',
    msg: 'Bearer [redacted] was used',
  });
});
