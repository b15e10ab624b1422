import { expect, test } from 'vitest';
import { parseLocation, urlOf } from '../../../../src/security/git/remote/location.ts';
import { parseRefName } from '../../../../src/security/git/remote/ref-name.ts';
import { sshCommand } from '../../../../src/security/git/remote/route.ts';
import { parseGitTokens } from '../../../../src/security/git/remote/tokens.ts';

const rebuilt = (repository: string) => {
  const at = parseLocation(repository);
  return at.kind === 'remote' ? urlOf(at) : at;
};

test.each([
  ['https://GitHub.com/a/b.git', 'https://github.com/a/b.git'],
  ['https://github.com:443/a/b', 'https://github.com/a/b'],
  ['https://git.example.org:8443/a%20b/c', 'https://git.example.org:8443/a%20b/c'],
  ['http://example.org:8080/a', 'http://example.org:8080/a'],
  ['https://münchen.example/a', 'https://xn--mnchen-3ya.example/a'],
  ['git://example.org/a', 'git://example.org/a'],
  ['ssh://git@example.org/a/b', 'ssh://git@example.org/a/b'],
  ['git+ssh://git@example.org:22/a', 'ssh://git@example.org/a'],
  ['git@github.com:a/b.git', 'git@github.com:a/b.git'],
  ['github.com:a/b.git', 'github.com:a/b.git'],
  ['git@example.org:/srv/a', 'ssh://git@example.org/srv/a'],
  ['git@[2001:db8::1]:a', 'git@[2001:db8::1]:a'],
])('%s', (repository, url) => {
  expect(rebuilt(repository)).toBe(url);
});

test.each([
  ['/srv/a', '/srv/a'],
  ['./a:b', './a:b'],
  ['/srv/a:b', '/srv/a:b'],
  ['C:\\code', 'C:\\code'],
  ['code', 'code'],
  ['file:///srv/a%20b', '/srv/a b'],
])('%s is a folder', (repository, path) => {
  expect(parseLocation(repository)).toEqual({ kind: 'folder', path });
});

test.each([
  ['', /is empty/],
  ['--upload-pack=touch /tmp/x', /begins with a hyphen/],
  ['ext::sh -c touch% /tmp/x', /begins with "ext::"/],
  ['fd::17', /"fd::"/],
  ['ftp://example.org/a', /has the scheme ftp:/],
  ['javascript://example.org/a', /scheme javascript:/],
  ['file://example.org/etc', /names no folder of this machine/],
  ['ssh://-oProxyCommand=touch/a', /no host|no URL/],
  ['-oProxyCommand=x:a', /begins with a hyphen/],
  ['git@-oProxyCommand=x:a', /names no host/],
  ['ssh://-oa@example.org/a', /user name with characters/],
  ['ssh://git@example.org/-oa', /begins with a hyphen/],
  ['git@example.org:-oa', /begins with a hyphen/],
  ['git@example.org:%2doa', /begins with a hyphen/],
  ['git://example.org/%0aa', /control characters/],
  ['git://example.org/a\nhost=b', /control characters/],
  ['https://user:hunter2@example.org/a', /holds a user name or password/],
  ['https://tok3n@example.org/a', /holds a user name or password/],
  ['https://example.org/', /no repository on it/],
  ['https://example.org/a?b=c', /query/],
  ['https://example.org/a#main', /give the branch as branch/],
  ['https://exa mple.org/a', /is not a valid URL/],
  ['https:///a', /is not a valid URL|no repository/],
  [`https://example.org/${'a'.repeat(2000)}`, /is over 2000 characters/],
])('%j is refused', (repository, message) => {
  expect(() => parseLocation(repository)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  expect(() => parseLocation(repository)).toThrow(message);
  expect(() => parseLocation(repository)).not.toThrow(/hunter2|tok3n/);
});

test.each([
  ['main', ['refs/heads/main', 'refs/tags/main']],
  ['feature/a.b_c-d', ['refs/heads/feature/a.b_c-d', 'refs/tags/feature/a.b_c-d']],
  ['größe', ['refs/heads/größe', 'refs/tags/größe']],
  ['refs/pull/1/head', ['refs/pull/1/head']],
  ['A'.repeat(40), ['a'.repeat(40)]],
])('branch %s', (name, candidates) => {
  expect(parseRefName(name)).toEqual(candidates);
});

test.each(
  '| |@|-|--upload-pack=x|-c|a..b|a b|a~1|a^{tree}|a:b|a?|a*|a[b|a\\b|/a|a/|a//b|.a|a/.b|a.lock|a.lock/b|a.|a@{1}|a\nb'
    .split('|')
    .map((name) => [name])
    .concat([['a'.repeat(251)]]),
)('branch %j is refused', (name) => {
  expect(() => parseRefName(name)).toThrow(expect.objectContaining({ code: 'bad_request' }));
});

test('tokens are read by host, and an invalid entry is refused', () => {
  const tokens = parseGitTokens(['GitHub.com=ghp_abc', 'git.home:8443=bot:a=b:c']);
  expect(tokens.get('github.com')).toEqual({ username: 'x-access-token', password: 'ghp_abc' });
  expect(tokens.get('git.home:8443')).toEqual({ username: 'bot', password: 'a=b:c' });
  expect(() => parseGitTokens(['a=b', 'word of a token'])).toThrow(
    /^entry 2 of the git tokens is not host=token/,
  );
});

test('ssh connects only to the relay and reads no configuration of its user', () => {
  const at = parseLocation("ssh://git@example.org:2222/it's");
  if (at.kind !== 'remote') return expect.fail('no remote');
  const command = sshCommand({ knownHosts: "/data/it's %here/known_hosts" }, at, 4711);
  for (const part of [
    '-F /dev/null',
    'BatchMode=yes',
    'HostName=127.0.0.1',
    'Port=4711',
    "'HostKeyAlias=[example.org]:2222'",
    'StrictHostKeyChecking=accept-new',
    'ProxyCommand=none',
    'IdentityFile=none',
    'IdentityAgent=none',
    `'UserKnownHostsFile="/data/it'\\''s %%here/known_hosts"'`,
  ]) {
    expect(command).toContain(part);
  }
  expect(sshCommand({ knownHosts: '/k', keyFile: '/keys/one' }, at, 1)).toContain('IdentitiesOnly=yes');
});
