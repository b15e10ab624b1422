import { expect, test } from 'vitest';
import { isSameSite } from '../../../src/lib/network/same-site.ts';

test.each([
  ['www.google.com', 'consent.google.com', true],
  ['search.yahoo.com', 'guce.yahoo.com', true],
  ['mcp.exa.ai', 'exa.ai', true],
  ['127.0.0.1', '127.0.0.1', true],
  ['searxng', 'searxng', true],
  ['www.example.co.uk', 'example.co.uk', true],
  ['one.co.uk', 'other.co.uk', false],
  ['api.tavily.com', 'api.exa.ai', false],
  ['127.0.0.1', '10.0.0.1', false],
  ['[::1]', '[::2]', false],
  ['localhost', 'searxng', false],
])('%s and %s', (a, b, expected) => {
  expect(isSameSite(new URL(`http://${a}/`), new URL(`https://${b}:8443/`))).toBe(expected);
});
