import { expect, test } from 'vitest';
import {
  createSecretMask,
  maskSecretsInForeignText,
  withoutSecrets,
} from '../../../src/lib/secrets/known-secrets.ts';
import { createLog } from '../../../src/log.ts';

const SECRET = 'p/+"<>&\'\\ ä9zQx7';
const escaped = (text: string) => JSON.stringify(text).slice(1, -1);
const markup = SECRET.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const html = markup.replaceAll('"', '&quot;');

test.each([
  ['as it is', SECRET],
  ['in JSON', escaped(SECRET)],
  ['in JSON within JSON', escaped(escaped(SECRET))],
  ['in an address', encodeURIComponent(SECRET)],
  [
    'in an address with small letters',
    encodeURIComponent(SECRET).replace(/%\w\w/g, (at) => at.toLowerCase()),
  ],
  ['in a form', new URLSearchParams({ a: SECRET }).toString().slice(2)],
  ['in HTML', markup],
  ['in an attribute', html],
  ['in an attribute with single quotes', html.replaceAll("'", '&#39;')],
  ['in hexadecimal HTML', html.replaceAll("'", '&#x27;')],
  ['within a longer word', `a${SECRET}a`],
])('a secret is hidden %s', (_, text) => {
  const masked = withoutSecrets(`the service says ${text} twice: ${text}.`, [SECRET]);
  const around = text === `a${SECRET}a` ? 'a' : '';
  const mask = `${around}[redacted]${around}`;
  expect(masked).toBe(`the service says ${mask} twice: ${mask}.`);
});

test.each([
  ['', ''],
  ['u', ''],
  ['ada', ''],
  ['user:', ''],
  ['user:', '@host'],
  ['', '12'],
])('a secret is hidden in base64 between %o and %o', (before, after) => {
  // In base64 the second one has the two signs that an address writes otherwise.
  for (const secret of [SECRET, 'k9~~~~~~????????Q']) {
    const bytes = Buffer.from(before + secret + after);
    for (const encoding of ['base64', 'base64url'] as const) {
      const masked = withoutSecrets(`Basic ${bytes.toString(encoding)} was sent`, [secret]);
      expect(masked).toMatch(/^Basic \S{0,8}\[redacted\]\S{0,8} was sent$/);
    }
  }
});

test.each(['\n', '\r\n', '\n    ', '\\n', '\\r\\n\t', '\n\n'])('a secret is hidden across %j', (pause) => {
  const broken = `Ab3dEf${pause}gH1jKl${pause}mN0p`;
  const mask = createSecretMask(['Ab3dEfgH1jKlmN0p', 'dEfgH1jKlmN0p-longer']);
  expect(mask(`first${pause}key: ${broken}${pause}then${pause}${broken}`)).toBe(
    `first${pause}key: [redacted]${pause}then${pause}[redacted]`,
  );
  // One whose own lines are broken otherwise.
  expect(createSecretMask([broken])('key: Ab3dEf\n \tgH1jKlmN0p.\n')).toBe('key: [redacted].\n');
  expect(mask(`Ab3dEfgH1jKlm${pause}N0p-longer`)).toBe('[redacted]');
  expect(mask(`is ${broken}${broken}.`)).toBe('is [redacted][redacted].');
  expect(createSecretMask([broken])('key: Ab3dEfgH1jKlmN0p.')).toBe('key: [redacted].');
  expect(mask(`Ab3dEf${pause}then another`)).toBe(`Ab3dEf${pause}then another`);
});

test('a secret that is short without its line breaks is hidden only in its original form', () => {
  const secrets = ['\\n\\n\\n\\n', 'Ab\n3d\nEf\n9'];
  const mask = createSecretMask(secrets);
  expect(mask('two lines:\nAb3dEf9')).toBe('two lines:\nAb3dEf9');
  expect(mask(`is ${secrets.join(' or ')}.`)).toBe('is [redacted] or [redacted].');
});

test('the longest secret is hidden first, so that no part of it stays', () => {
  expect(withoutSecrets('key1234 and key1234-rest5678', ['key1234', 'key1234-rest5678'])).toBe(
    '[redacted] and [redacted]',
  );
  expect(withoutSecrets('key1 and key1-2', ['key1', 'key1-2'])).toBe('[redacted] and [redacted]');
  // What JSON within JSON writes before the quote goes too.
  expect(withoutSecrets(`is ${escaped(escaped('"S3cr3tMark'))}.`, ['"S3cr3tMark'])).toBe('is [redacted].');
});

test.each([
  ['a1!', 'a1! is here'],
  ['4321', 'port 43210 of 14321'],
  ['4321', 'x4321'],
  ['local', 'the local index; "local" and local:8787, /local/x and (local)'],
  ['local', 'mail to local@example.org, or to db:local'],
  ['Postgres', 'Postgres refuses'],
  ['LOCAL', 'LOCAL'],
])('%s is too short or too common to be hidden in all text', (secret, text) => {
  expect(withoutSecrets(text, [secret])).toBe(text);
});

test.each([
  ['4321', 'team 4321 refuses', 'team [redacted] refuses'],
  ['a1!?', 'is "a1!?"', 'is "[redacted]"'],
  ['a"1?', String.raw`is {\"a\":\"a\"1?\"} a\"1?`, String.raw`is {\"a\":\"[redacted]\"} [redacted]`],
  [
    'local',
    'postgres://magpie:local@db and password=local&x',
    'postgres://magpie:[redacted]@db and password=[redacted]&x',
  ],
  ['S3cr3t-8', 'in aS3cr3t-8a', 'in a[redacted]a'],
  ['elevenchars', 'in elevenchars.', 'in [redacted].'],
  ['swordFish', 'in swordFish.', 'in [redacted].'],
])('%s is hidden where it stands alone', (secret, text, masked) => {
  expect(withoutSecrets(text, [secret])).toBe(masked);
});

test('a plain word is also hidden in messages of another program', () => {
  expect(maskSecretsInForeignText('no team janedoe, janedoes', ['janedoe'])).toBe(
    'no team [redacted], janedoes',
  );
});

test('a log hides the values of its configuration in every line', () => {
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line), [SECRET]);
  log.warn(
    { said: SECRET, deep: { json: JSON.stringify({ SECRET }) } },
    `refused ${encodeURIComponent(SECRET)}`,
  );
  expect(JSON.parse(lines.join(''))).toMatchObject({
    said: '[redacted]',
    deep: { json: '{"SECRET":"[redacted]"}' },
    msg: 'refused [redacted]',
  });
});
