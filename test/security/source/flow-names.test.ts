import { expect, test } from 'vitest';
import { withField } from '../../../src/security/scanners/source/flow/assign.ts';
import { isHardCodedCredential, isSecretName } from '../../../src/security/scanners/source/flow/names.ts';
import {
  type AbstractValue,
  MAX_TRACKED_ELEMENTS,
  type Taint,
} from '../../../src/security/scanners/source/flow/values/value.ts';

/** What a name says of the value that it is given, and what an object is with one more field. */

test.each(
  (
    'password passwd passphrase pass pwd secret secretKey secret_key secret-key token apiKey api_key apikey accessKey ' +
    'private_key authKey credential sessionId session_id sessionid session_key otp nonce csrf salt tokens secrets ' +
    'userPass user_pass loginOtp PASS userToken user_token app.token user-token PASSWORD dbpassword mysecret csrftoken mynonce'
  ).split(' '),
)('a value named %s must be unpredictable', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each(
  'tokenizer secretary passage compass assault saltwater nonceCount delay index bypass basalt robotp token_count session adopt'.split(
    ' ',
  ),
)('a value named %s may be predictable', (name) => {
  expect(isSecretName(name)).toBe(false);
});

// Put together here, so that the repository holds nothing like a credential.
const SECRET = ['tr0ub4dor', '3xyz'].join('_');

test.each(
  (
    'password passwd passphrase pwd secret secretKey secret_key api_key apiKey authToken auth_token access-token ' +
    'private_key clientSecret client_secret dbPassword db_password db.password'
  ).split(' '),
)('a text of letters and digits called %s is a credential', (name) => {
  expect(isHardCodedCredential(name, SECRET)).toBe(true);
});

test.each('passwordField mypassword_hint token pass title secretary compasspwd2 key'.split(' '))(
  'a text named %s is not a credential',
  (name) => {
    expect(isHardCodedCredential(name, SECRET)).toBe(false);
  },
);

test.each<[string, boolean]>([
  [`abcdefg1`, true],
  [`abcdef1`, false],
  [`${'a'.repeat(119)}1`, true],
  [`${'a'.repeat(120)}1`, false],
  ['12345678', false],
  ['abcdefghi', false],
  ['ABCDEFG1', true],
  ['login-v2', false],
  ['login.form', false],
  ['login-form2', true],
  ['xxxxxxxxxx', false],
  ['changeme', false],
  ['test1234567', false],
  ['your-token-1', false],
  ['<password1>', false],
  ['$'.concat('{PASSWORD1}'), false],
  ['$PASSWORD1', false],
  ['{{ password1 }}', false],
  ['%(password1)s', false],
  ['1 word and others', false],
  ['https://a1.example', false],
  ['a1b2:c3d4', false],
  ['hunter2hunter2', true],
  ['xx1xxxxxxx', true],
])('the text %j called a password is a credential: %s', (text, isFound) => {
  expect(isHardCodedCredential('password', text)).toBe(isFound);
});

const text = (constant: string): AbstractValue => ({ constant });
const taint: Taint = { origin: 'request', clean: 0, flow: { path: 'a', line: 1, note: '', length: 1 } };
const object = (count: number): AbstractValue => ({
  path: 'o',
  fields: new Map(Array.from({ length: count }, (_, at) => [`k${at}`, text('a')])),
});

test('an existing list index is replaced, and any other key becomes a field', () => {
  const list: AbstractValue = { path: 'l', items: [text('a'), text('b')] };
  expect(withField(list, '0', text('c'))).toEqual({ path: 'l', items: [text('c'), text('b')] });
  expect(withField(list, '1', text('c'))).toEqual({ path: 'l', items: [text('a'), text('c')] });
  expect(withField(list, '-1', text('c'))).toEqual({ path: 'l', items: [text('a'), text('c')] });
  expect(withField(list, '-2', text('c'))).toEqual({ path: 'l', items: [text('c'), text('b')] });
  for (const key of ['2', '-3', '0.5', 'name']) {
    expect(withField(list, key, text('c'))).toEqual({ ...list, fields: new Map([[key, text('c')]]) });
  }
  expect(list.items).toEqual([text('a'), text('b')]);
});

test('setting a field copies the object, and past the limit only data from outside is kept', () => {
  const before = object(1);
  expect(withField(before, 'k0', text('b'))).toEqual({ path: 'o', fields: new Map([['k0', text('b')]]) });
  expect(before).toEqual(object(1));
  expect(withField({}, 'k', text('b'))).toEqual({ fields: new Map([['k', text('b')]]) });
  expect(withField(object(MAX_TRACKED_ELEMENTS - 1), 'k', text('b')).fields?.size).toBe(MAX_TRACKED_ELEMENTS);
  const full = object(MAX_TRACKED_ELEMENTS);
  expect(withField(full, 'k', text('b'))).toBe(full);
  expect(withField(full, 'k1', text('b')).fields?.get('k1')).toEqual(text('b'));
  expect(withField(full, 'k', { taint }).taint).toEqual(taint);
  expect(withField(full, 'k', { items: [{ taint }] }).taint).toEqual(taint);
});

test('setting an unknown field taints the whole object', () => {
  const before = object(1);
  expect(withField(before, undefined, text('b'))).toBe(before);
  expect(withField(before, undefined, { taint })).toMatchObject({ path: 'o', taint, fields: before.fields });
  expect(withField({ items: [text('a')] }, undefined, { taint })).toMatchObject({
    taint,
    items: [text('a')],
  });
});
