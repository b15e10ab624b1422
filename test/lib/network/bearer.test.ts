import { expect, test } from 'vitest';
import { parseBearerToken, unauthenticated } from '../../../src/lib/network/bearer.ts';

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

test('the single answer says which header to send, and the reason of the refusal is its cause', () => {
  const cause = new Error('expired');
  expect(unauthenticated(cause)).toMatchObject({
    code: 'unauthenticated',
    message:
      'a valid credential is required: send a key or an access token in the header Authorization: Bearer <key or token>',
    cause,
  });
});
