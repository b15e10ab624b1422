import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { expect, test } from 'vitest';
import {
  isAllowEntry,
  isInAnyBlock,
  isIpAddress,
  isPrivateName,
  isPublicAddress,
  PRIVATE_ADDRESS_CODE,
  parseAllowList,
  restrictLookup,
} from '../../../src/lib/network/address.ts';

/** As URL spells them: `new URL` brings decimal, octal, hexadecimal and short forms into one. */
const hostOf = (host: string) => new URL(`http://${host}/`).hostname;

const PRIVATE = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '10.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.168.257',
  '3232235777',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '100.64.0.1',
  '100.127.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[100::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[3fff::1]',
  '[5f00::1]',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '１２７。０。０。１',
  '①②⑦.0.0.1',
  '168.63.129.16',
  '192.31.196.1',
  '192.52.193.1',
  '192.175.48.1',
  '100.100.100.200',
  '[::8.8.8.8]',
  '[::ffff:0:127.0.0.1]',
  '[2002:808:808::1]',
  '[2001:0:7f00:1::]',
  '[2001:2::1]',
  '[2001:4:112::1]',
  '[2620:4f:8000::1]',
  '[1::1]',
  '[4000::1]',
  '[fe00::1]',
  '[fdff:ffff::1]',
  '[::fffe:8.8.8.8]',
];

test.each(PRIVATE)('%s is an address and not public', (host) => {
  expect(isIpAddress(hostOf(host))).toBe(true);
  expect(isPublicAddress(hostOf(host))).toBe(false);
});

test.each([
  '1.1.1.1',
  '93.184.216.34',
  '0x08080808',
  '172.32.0.1',
  '[2606:4700::1111]',
  '[::ffff:8.8.8.8]',
  '[64:ff9b::808:808]',
])('%s is public', (host) => {
  expect(isPublicAddress(hostOf(host))).toBe(true);
});

test.each([
  'localhost',
  'LOCALHOST.',
  'a.localhost',
  'printer.local',
  'metadata.google.internal',
  'router',
  'nas.home.arpa',
  'home.arpa',
  'a.localhost.',
  '',
])('the name %s is a private name', (name) => {
  expect(isPrivateName(name)).toBe(true);
});

test('an ordinary name is not a private name', () => {
  expect(isPrivateName('example.com')).toBe(false);
  expect(isPrivateName('local.example.com')).toBe(false);
});

test.each([
  'fe80::1%eth0',
  '2606:4700::1111%eth0',
  '::8.8.8.8',
  '::127.0.0.1',
  '010.8.8.8',
  '134744072',
  '0x8.8.8.8',
  '8.8.8',
  '8.8.8.8 ',
  '[8.8.8.8',
  '1[8.8.8.8]',
  '[8.8.8.8]1',
  'example.com',
  '',
])('the host %j, not normalized by a URL, is not public', (ip) => {
  expect(isPublicAddress(ip)).toBe(false);
});

test('an address matches blocks of its own family, and a mapped IPv4 address matches IPv4 blocks', () => {
  expect(isInAnyBlock('10.1.2.3', ['10.0.0.0/8'])).toBe(true);
  expect(isInAnyBlock('::ffff:10.1.2.3', ['10.0.0.0/8'])).toBe(true);
  expect(isInAnyBlock('fd12::1', ['10.0.0.0/8', 'fd00::/8'])).toBe(true);
  expect(isInAnyBlock('::10.1.2.3', ['10.0.0.0/8'])).toBe(false);
  expect(isInAnyBlock('name.example', ['10.0.0.0/8'])).toBe(false);
  expect(isInAnyBlock('11.1.2.3', ['10.0.0.0/8', 'fd00::/8', 'name.example'])).toBe(false);
});

test.each([
  ['inside.example', 'http://inside.example/', true],
  ['inside.example', 'https://inside.example:8443/', true],
  ['Inside.EXAMPLE', 'http://inside.example/', true],
  ['inside.example', 'http://a.inside.example/', false],
  ['inside.example:80', 'http://inside.example/', true],
  ['inside.example:80', 'https://inside.example/', false],
  ['inside.example:443', 'https://inside.example/', true],
  ['inside.example:8080', 'http://inside.example:8080/', true],
  ['inside.example:8080', 'http://inside.example:8081/', false],
  ['bücher.example', 'http://bücher.example/', true],
  ['127.0.0.1:9000', 'http://2130706433:9000/', true],
  ['127.0.0.1:9000', 'http://127.0.0.1/', false],
  ['::1', 'http://[::1]:5/', true],
  ['0:0:0:0:0:0:0:1', 'http://[::1]/', true],
  ['[::1]:5', 'http://[::1]:5/', true],
  ['[::1]:5', 'http://[::1]:6/', false],
  ['', 'http://inside.example/', false],
  ['not a host', 'http://inside.example/', false],
])('the entry %j: may %s be reached? %s', (entry, url, verdict) => {
  expect(parseAllowList([entry]).allows(new URL(url))).toBe(verdict);
});

test('blocks are separated from names', () => {
  const list = parseAllowList(['10.0.0.0/8', 'inside.example', 'fd00::/8']);
  expect(list.blocks).toEqual(['10.0.0.0/8', 'fd00::/8']);
  expect(list.allows(new URL('http://10.0.0.1/'))).toBe(false);
  expect(list.allows(new URL('http://10.0.0.0/'))).toBe(false);
});

/** What a guarded look-up hands to the connection when the name service gives these addresses. */
function lookUp(given: readonly string[], blocks: readonly string[], all: boolean) {
  const found = given.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const service: LookupFunction = (_name, _options, callback) => callback(null, found);
  return new Promise<string | LookupAddress[]>((resolve, reject) => {
    restrictLookup(service, blocks)('x.example', { all }, (error, address) =>
      error ? reject(error) : resolve(address),
    );
  });
}

test('of several addresses only the permitted ones are kept', async () => {
  const given = ['10.0.0.1', '::1', '8.8.8.8', '169.254.169.254', '2606:4700::1111', '10.9.0.1'];
  expect(await lookUp(given, [], true)).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
  expect(await lookUp(given, [], false)).toBe('8.8.8.8');
  expect(await lookUp(given, ['10.9.0.0/16'], true)).toContainEqual({ address: '10.9.0.1', family: 4 });
  await expect(lookUp(['10.0.0.1', 'fe80::1%eth0'], ['10.9.0.0/16'], true)).rejects.toMatchObject({
    code: PRIVATE_ADDRESS_CODE,
  });
  await expect(lookUp([], [], false)).rejects.toMatchObject({ code: PRIVATE_ADDRESS_CODE });
});

test('the lookup asks for all addresses and passes on failures', async () => {
  const asked: unknown[] = [];
  const through = (service: LookupFunction) =>
    new Promise((resolve) => {
      restrictLookup(service, [])('x.example', { family: 4 }, (...given) => resolve(given));
    });
  const failure = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  const failing: LookupFunction = (name, options, callback) => {
    asked.push(name, options);
    callback(failure, 'nothing');
  };
  expect(await through(failing)).toEqual([failure, '', 0]);
  expect(asked).toEqual(['x.example', { family: 4, all: true }]);
  const none = Object.assign(new Error('no public address'), { code: 'EPRIVATE' });
  expect(await through((_name, _options, callback) => callback(null, []))).toEqual([none, '', 0]);
  // A service that gives one address where all were asked for is not believed.
  expect(await through((_name, _options, callback) => callback(null, '8.8.8.8', 4))).toEqual([none, '', 0]);
  expect(PRIVATE_ADDRESS_CODE).toBe('EPRIVATE');
});

test.each([
  'wiki.home',
  'wiki.home:8080',
  'localhost',
  '10.0.0.1',
  '10.0.0.1:80',
  '10.0.0.0/8',
  '::1',
  '[::1]:80',
  'fd00::/8',
  'fd00::/64',
  'a.example:65535',
  '1a.example',
  'bücher.example',
])('%s is an entry of the allow list', (entry) => {
  expect(isAllowEntry(entry)).toBe(true);
});

test.each([
  'http://a.example',
  '*',
  '*.example',
  '127.0.0.1/99',
  '127.0.0.1/-1',
  'foo/8',
  '127.0.0.1:99999',
  'a.example:65536',
  '10.0.0.1:80x',
  '1[::1]',
  '[::1]1',
  'a.b c',
  '123',
  'a/10.0.0.0/8',
  '10.0.0.0/8x',
  '10.0.0.0/33',
  '300.1.1.1',
  'a b',
  '',
])('%j is not an entry of the allow list', (entry) => {
  expect(isAllowEntry(entry)).toBe(false);
});
