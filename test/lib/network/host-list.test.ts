import { expect, test } from 'vitest';
import { readHosts } from '../../../src/lib/network/host-list.ts';

test.each([
  ['nodejs.org', ['nodejs.org']],
  ['https://Docs.Python.org/, www.b.org', ['docs.python.org', 'b.org']],
  ['*.example.org', ['example.org']],
  ['münchen.de', ['xn--mnchen-3ya.de']],
  ['a.com,a.com', ['a.com']],
  ['127.0.0.1', ['127.0.0.1']],
  ['www.io', ['www.io']],
])('%s are hosts', (written, hosts) => {
  expect(readHosts(written)).toEqual(hosts);
});

test.each([
  [''],
  ['a.com,'],
  ['localhost'],
  ['a.com/docs'],
  ['a.com:80'],
  ['not a host'],
  ['*.1'],
  ['https://'],
  [Array.from({ length: 11 }, (_, at) => `h${at}.io`).join()],
])('%s is refused', (written) => {
  expect(readHosts(written)).toBeUndefined();
});
