import { expect, test } from 'vitest';
import { redactSecrets } from '../../../src/lib/secrets/redact.ts';
import { createLog } from '../../../src/log.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

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

test('a log line stays JSON and keeps all other values', () => {
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

test.each([
  ['{"token":"S3cr3tMark"}', '{"token":"[redacted]"}'],
  [String.raw`{"token":"a\"S3cr3tMark\\","b":1}`, '{"token":"[redacted]","b":1}'],
  ['{"x_password" : "S3cr3tMark', '{"x_password" : "[redacted]'],
  [
    JSON.stringify({ said: JSON.stringify({ token: 'a"S3cr3tMark\\', q: 'birds' }) }),
    String.raw`{"said":"{\"token\":\"[redacted]\",\"q\":\"birds\"}"}`,
  ],
  [
    JSON.stringify(JSON.stringify(JSON.stringify({ cookie: '"S3cr3tMark"', q: 'birds' }))),
    JSON.stringify(JSON.stringify(JSON.stringify({ cookie: '[redacted]', q: 'birds' }))),
  ],
  [String.raw`token":\"token":"S3cr3tMark"`, String.raw`token":\"token":"[redacted]"`],
  ['"tokens":"birds"', '"tokens":"birds"'],
  ['/a?x=1&my_api_key=S3cr3tMark&b=2', '/a?x=1&my_api_key=[redacted]&b=2'],
  ['/a?sig=S3cr3tMark#top', '/a?sig=[redacted]#top'],
  ['/a?Token=S3cr3tMark&API_KEY=S3cr3tMark2', '/a?Token=[redacted]&API_KEY=[redacted]'],
  ['monkey=banana', 'monkey=banana'],
  ['postgres://magpie:p@S3cr3tMark@db/x', 'postgres://[redacted]@db/x'],
  ['https://example.org/@magpie', 'https://example.org/@magpie'],
  ['Basic bWFncGllOnNlY3JldA== was sent', 'Basic [redacted] was sent'],
  ['Bearer  S3cr3tMark', 'Bearer  [redacted]'],
  ['refused magpie_S3cr3tMark-abc_def twice', 'refused [redacted] twice'],
  ['mpa_S3cr3tMark-abc_def, mpr_S3cr3tMark and mpc_S3cr3tMark', '[redacted], [redacted] and [redacted]'],
  // Words of our own, which only resemble the form.
  ['Authorization: Bearer correcthorsebattery', 'Authorization: Bearer [redacted]'],
  ['send it as a Bearer token, or by Basic authentication.', undefined],
  ['a Bearer Token is missing, and magpie_2 is a name', undefined],
  ['magpie_calls_total and magpie_event_loop_delay_seconds', undefined],
  ['https://example.org/search?q=magpies&numofpages=3', undefined],
])('%s', (text, redacted = text) => {
  expect(redactSecrets(text)).toBe(redacted);
});

test.each([
  ['letters', 'a'],
  ['addresses', 'a://'],
  ['quotes', '"'],
  ['escaped quotes', String.raw`\"`],
  ['backslashes', '\\'],
  ['members', '"token":"'],
  ['members of two depths', String.raw`token":\"`],
  ['parameters', '?token='],
  ['names', '&token'],
  ['bearers', 'Bearer '],
  ['keys', 'magpie_-'],
  ['spaces', 'token" '],
])('redaction of a long text takes little processor time: %s', (_, piece) => {
  const text = piece.repeat(2_000_000 / piece.length);
  // It takes minutes where each place begins a search to the end.
  expect(processorSeconds(() => redactSecrets(text))).toBeLessThan(5);
});
