import { expect, test } from 'vitest';
import { inAnyBlock, isPrivateName, isPublicAddress } from '../../src/lib/address.ts';

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
];

test.each(PRIVATE)('%s is not public', (host) => {
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
])('the name %s is not looked up', (name) => {
  expect(isPrivateName(name)).toBe(true);
});

test('an ordinary name is looked up', () => {
  expect(isPrivateName('example.com')).toBe(false);
  expect(isPrivateName('local.example.com')).toBe(false);
});

test('a zone and what is no address', () => {
  expect(isPublicAddress('fe80::1%eth0')).toBe(false);
  expect(isPublicAddress('example.com')).toBe(false);
  expect(inAnyBlock('10.1.2.3', ['10.0.0.0/8'])).toBe(true);
  expect(inAnyBlock('::ffff:10.1.2.3', ['10.0.0.0/8'])).toBe(true);
  expect(inAnyBlock('11.1.2.3', ['10.0.0.0/8', 'fd00::/8', 'name.example'])).toBe(false);
});
