import { expect, test } from 'vitest';
import { parseBearerToken, readAuthorization, unauthenticated } from '../../../src/lib/network/bearer.ts';

test.each([
  ['Bearer abc', 'abc'],
  ['bearer a.b-c_d~e+f/g==', 'a.b-c_d~e+f/g=='],
  ['  BEARER   magpie_1 ', 'magpie_1'],
])('%j holds a credential', (header, token) => {
  expect(parseBearerToken(header)).toBe(token);
});

test.each([
  undefined,
  null,
  '',
  'Bearer',
  'Bearer ',
  'abc',
  'Basic abc',
  'DPoP abc',
  'Bearer abc def',
  'Bearer abc, Bearer def',
  'Bearer a=b',
  'Bearer "abc"',
  'Bearer äbc',
])('%j holds no credential', (header) => {
  expect(parseBearerToken(header)).toBeUndefined();
});

test.each([
  [{ authorization: 'Bearer abc' }, 'Bearer abc'],
  [{ 'x-api-key': 'abc' }, 'Bearer abc'],
  [{ 'x-api-key': 'Bearer abc' }, 'Bearer abc'],
  [{ 'X-Api-Key': ' abc ' }, 'Bearer abc'],
  [{ authorization: 'Bearer abc', 'x-api-key': 'def' }, 'Bearer abc'],
  [{ authorization: 'Basic abc', 'x-api-key': 'def' }, 'Basic abc'],
  [{ 'x-api-key': '' }, null],
  [{}, null],
] as const)('the credential in the headers %j', (headers, wanted) => {
  expect(readAuthorization(new Headers(headers))).toBe(wanted);
});

test('the single answer says which header to send, and the reason of the refusal is its cause', () => {
  const cause = new Error('expired');
  expect(unauthenticated(cause)).toMatchObject({
    code: 'unauthenticated',
    message:
      'a valid credential is required: send a key or an access token in the header Authorization: Bearer <key or token>',
    cause,
  });
});
