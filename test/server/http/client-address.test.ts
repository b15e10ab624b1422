import { expect, test } from 'vitest';
import { clientAddress } from '../../../src/server/http/client-address.ts';

/** Which address a client has, behind the operator's proxies and without. */

const OWN = ['127.0.0.1/32', '10.0.0.0/8', 'fd00::/8'];

test.each([
  ['198.51.100.7', undefined, [], '198.51.100.7'],
  ['::ffff:198.51.100.7', undefined, [], '198.51.100.7'],
  // Without a proxy of ours, the header is somebody's invention.
  ['198.51.100.7', '203.0.113.9', [], '198.51.100.7'],
  ['198.51.100.7', '203.0.113.9', OWN, '198.51.100.7'],
  ['127.0.0.1', '203.0.113.9', OWN, '203.0.113.9'],
  ['::ffff:127.0.0.1', '2001:db8::5', OWN, '2001:db8::5'],
  ['127.0.0.1', 'made-up, 203.0.113.9, 10.1.2.3', OWN, '203.0.113.9'],
  ['127.0.0.1', '192.0.2.1, 203.0.113.9', OWN, '203.0.113.9'],
  ['127.0.0.1', 'made-up', OWN, '127.0.0.1'],
  ['127.0.0.1', '', OWN, '127.0.0.1'],
  ['10.0.0.1', `${'10.0.0.2,'.repeat(5000)}10.0.0.3`, OWN, '10.0.0.2'],
  [undefined, '203.0.113.9', OWN, ''],
])('%s with %s behind %j is %s', (remote, forwarded, proxies, address) => {
  expect(clientAddress(remote, forwarded, proxies)).toBe(address);
});
