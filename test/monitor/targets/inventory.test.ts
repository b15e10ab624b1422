import { describe, expect, test } from 'vitest';
import { findInfrastructure } from '../../../src/monitor/targets/infrastructure.ts';
import { parseInventory } from '../../../src/monitor/targets/inventory.ts';
import { AUTHORITY } from '../../helpers/tls-site.ts';

const parse = (text: string) => parseInventory(text, 'infrastructure.yaml');

test('an entry has hosts, URLs, ports, repositories, tags and an owner', () => {
  const all = parse(`
infrastructure:
  shop:
    owner: web team
    tags: [prod]
    authority: ${AUTHORITY}
    urls:
      - https://shop.internal
      - { url: 'https://[::1]:8443/a', plain: 'http://[::1]:8080/' }
    hosts:
      - { host: 10.0.0.5, ports: [22], tls: [443], closed: [8080] }
    repositories:
      - /srv/code/shop
      - { repository: 'https://git.example/shop.git', branch: main }
`);
  const shop = all.get('shop');
  expect(shop).toMatchObject({ id: 'shop', source: 'inventory', owner: 'web team', tags: ['prod'] });
  expect(shop?.authority).toContain('BEGIN CERTIFICATE');
  expect(shop?.targets).toEqual([
    { kind: 'url', name: 'https://shop.internal/' },
    { kind: 'url', name: 'https://[::1]:8443/a', plain: 'http://[::1]:8080/' },
    { kind: 'host', name: '10.0.0.5', ports: [22, 443], tls: [443], closed: [8080] },
    { kind: 'repository', name: '/srv/code/shop' },
    { kind: 'repository', name: 'https://git.example/shop.git', branch: 'main' },
  ]);
  expect(shop?.allow).toEqual(['shop.internal:443', '[::1]:8443', '[::1]:8080', '10.0.0.5']);
});

describe('a problem is named with its line', () => {
  test.each([
    ['infrastructure:\n  a:\n    urls:\n      - ftp://x.example\n', ':4: infrastructure.a.urls[0]', 'http'],
    [
      'infrastructure:\n  a:\n    hosts:\n      - host: x\n        ports: [1, 0]\n',
      ':5: infrastructure.a.hosts[0].ports[1]',
      '1 to 65535',
    ],
    [
      'infrastructure:\n  a:\n    url: https://x.example\n',
      ':2: infrastructure.a has an unknown key "url"',
      '',
    ],
    ['infrastructure:\n  a: {}\n', ':2: a has nothing to watch', 'urls, hosts, services or repositories'],
    [
      'infrastructure:\n  a:\n    urls: [https://x.example, https://x.example/]\n',
      ':3: a lists https://x.example/ twice',
      '',
    ],
    [
      'infrastructure:\n  a:\n    hosts: [{ host: x }]\n    urls:\n      - https://x.example\n      - https://y.example\n      - https://x.example/\n',
      ':7: a lists https://x.example/ twice',
      '',
    ],
    [
      'infrastructure:\n  a:\n    urls:\n      - https://ada:secret@x.example\n',
      ':4: infrastructure.a.urls[0] is not usable',
      'without a password',
    ],
    ['infrastructure:\n  a:\n    urls: [https://x.example\n', ':4: ', ''],
    ['things: 1\n', ':1: ', ''],
    ['', ':1: ', 'infrastructure'],
    [
      'infrastructure:\n  a:\n    authority: /no/such/file\n    urls: [https://x.example]\n',
      ':3: authority of a cannot be read',
      'it is not there; check the path',
    ],
  ])('%j', (text, place, takes) => {
    expect(() => parse(text)).toThrow(`infrastructure.yaml${place}`);
    expect(() => parse(text)).toThrow(takes);
  });
});

test('a relative folder starts at the folder of the file', () => {
  const all = parseInventory(
    'infrastructure:\n  code:\n    repositories: [./shop, /srv/bank, git@git.example:a/b.git]\n',
    '/etc/magpie/infrastructure.yaml',
  );
  expect(all.get('code')?.targets.map(({ name }) => name)).toEqual([
    '/etc/magpie/shop',
    '/srv/bank',
    'git@git.example:a/b.git',
  ]);
});

describe('an infrastructure_id', () => {
  const inventory = parse('infrastructure:\n  shop:\n    users: [ada]\n    urls: [https://shop.internal]\n');
  test.each([
    ['shop.example', 'https://shop.example/'],
    ['https://shop.example:8443/a#b', 'https://shop.example:8443/a'],
    ['http://shop.example', 'http://shop.example/'],
    ['1.1.1.1', 'https://1.1.1.1/'],
    ['<https://shop.example/a>', 'https://shop.example/a'],
    ['[the shop](https://shop.example/a)', 'https://shop.example/a'],
    ['"https://shop.example/a",', 'https://shop.example/a'],
    ['shop.example/a', 'https://shop.example/a'],
    ['shop.example,', 'https://shop.example/'],
    ['`shop.example`', 'https://shop.example/'],
  ])('%s is read as %s', (id, name) => {
    expect(findInfrastructure(id, 'ada', inventory)).toMatchObject({
      id: name,
      source: 'public',
      allow: [],
      targets: [{ kind: 'url', name }],
    });
  });

  test.each([
    '10.0.0.1',
    '<10.0.0.1>',
    'localhost',
    'localhost/',
    'ftp://a.example',
    'https://user:pass@a.example/',
    '',
    'a b.example',
  ])('%j is refused', (id) => {
    expect(() => findInfrastructure(id, 'ada', inventory)).toThrow('it takes a public URL');
  });

  test('the entry of another user is not found', () => {
    expect(findInfrastructure('shop', 'ada', inventory).id).toBe('shop');
    expect(() => findInfrastructure('shop', 'eve', inventory)).toThrow('it takes');
  });
});
