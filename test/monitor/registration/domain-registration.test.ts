import { expect, test } from 'vitest';
import { describeRegistration, findEndRule } from '../../../src/monitor/checks/registration.ts';
import { readEnd } from '../../../src/monitor/registration/domain-registration.ts';
import { findRegistrableDomain } from '../../../src/monitor/registration/registrable-domain.ts';
import { parseWhoisAnswer } from '../../../src/monitor/registration/whois.ts';
import { DAY_MS } from '../../helpers/registries.ts';

const NOW = Date.parse('2026-12-01T12:00:00Z');
const dayOf = (time: number | undefined) => time && new Date(time).toISOString().slice(0, 10);

/** Forms in which registries write the end, of the same day. */
const WHOIS_FORMS = [
  'Registry Expiry Date: 2027-01-12T04:00:00Z',
  'Expiry date:  12-Jan-2027',
  'paid-till:     2027-01-12T21:00:00Z',
  'expire:       12.01.2027',
  'expires............: 12.1.2027 10:00:00',
  'expires:     20270112',
  'expires:      2027-01-12 12:57:52+02',
  'Expiration Time: 2027-01-12 10:48:44',
  'Expiration Date : 2027. 01. 12.',
  '[Expires on]                    2027/01/12',
  'renewal date:          2027.01.12 14:00:00',
  'Expire Date:        2027-01-12',
  'Expires on..............: 2027-Jan-12.',
  'Expiration Date:12-Jan-2027 23:59:59',
  'Valid Until:                  2027-01-12',
  'Domain Expiration Date:   Tue Jan 12 23:59:59 GMT 2027',
  'expires:    January 12 2027',
  'Expiry Date: 2027-01-12T04:00:00.000+02:00',
  'Record expires on 12-January-2027.\nRecord expires on: 12-January-2027 (YYYY)',
];

test.each(WHOIS_FORMS)('WHOIS: %s is read', (line) => {
  const text = `% a comment: 2001-01-01\r\nDomain: shop.org\r\n   ${line}\r\nchanged: 2026-01-01\r\n`;
  expect(dayOf(parseWhoisAnswer(text, NOW).until)).toBe('2027-01-12');
});

test.each([
  'Expiry Date: 03-04-2027',
  'expires: 03/04/2027',
  'expires: never',
  'expires:',
  'Expiry Date: 9999-12-31',
  'Expiry Date: 0000-00-00',
  'Expiry Date: 1970-01-01',
  'Expiry Date: 2027-02-30',
  'Expiry Date: not before 2027-01-12',
  'Expiry Date: 2027-01-12 or 2028-01-12',
  'Expiry Date: 2027-01-12\nExpiry Date: 2028-01-12',
  'Registrar Registration Expiration Date: 2027-01-12T04:00:00Z',
  'free-date: 2027-01-12',
  'Creation Date: 2027-01-12',
  '# expires: 2027-01-12',
])('WHOIS: %s names no end', (line) => {
  expect(parseWhoisAnswer(`domain: shop.org\n${line}\n`, NOW).until).toBeUndefined();
});

test('WHOIS: status codes are read in all their forms', () => {
  const text = [
    'Domain Status: clientHold https://icann.org/epp#clientHold',
    'status: ACTIVE, pendingDelete',
    'state: redemption period',
    'Domain Status:serverHold',
  ].join('\n');
  const { statuses } = parseWhoisAnswer(text, NOW);
  expect(statuses).toEqual(['clienthold', 'active', 'pendingdelete', 'redemptionperiod', 'serverhold']);
});

test.each([
  ['www.shop.co.uk', 'shop.co.uk'],
  ['shop.co.uk', 'shop.co.uk'],
  ['a.b.example.org', 'example.org'],
  ['WWW.Example.ORG', 'example.org'],
  ['x.bücher.de', 'xn--bcher-kva.de'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['github.io', 'github.io'],
  ['magpie.github.io', undefined],
  ['deep.magpie.github.io', undefined],
  ['co.uk', undefined],
  ['shop.example', undefined],
  ['printer.internal', undefined],
  ['a..b', undefined],
  ['x'.repeat(5000), undefined],
])('the registrable domain of %s is %s', async (host, domain) => {
  expect(await findRegistrableDomain(host)).toBe(domain);
});

/** A generator with a seed (mulberry32), so that a failure can be repeated. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

test('any end is read in each form alike, and its step and sentence agree with the calendar', () => {
  const random = randomOf(42);
  for (let round = 0; round < 2000; round += 1) {
    const now = NOW + random(400 * DAY_MS);
    const until = now + random(200 * DAY_MS) - 50 * DAY_MS;
    const at = new Date(until);
    const iso = at.toISOString();
    const [day, y, m, d] = [iso.slice(0, 10), iso.slice(0, 4), iso.slice(5, 7), iso.slice(8, 10)];
    const month = MONTHS[at.getUTCMonth()];
    expect(readEnd([iso], now)).toBe(until);
    for (const form of [day, `${y}${m}${d}`, `${d}-${month}-${y}`, `${d}.${m}.${y}`, `${y}-${month}-${d}`])
      expect([form, dayOf(readEnd([form], now))]).toEqual([form, day]);
    const left = (Date.parse(day) - Date.parse(new Date(now).toISOString().slice(0, 10))) / DAY_MS;
    const says = describeRegistration('example.org', until, now);
    expect(says).toContain(`until ${day}, `);
    const rule = findEndRule(until, now);
    if (until <= now)
      expect([rule?.id, says]).toEqual(['registration/ended', expect.stringMatching(/ was /)]);
    else {
      expect(says).toContain(left === 0 ? 'today' : `in ${left} day`);
      const step = [1, 7, 14, 30, 60].find((days) => left <= days);
      expect(rule?.id).toBe(step && `registration/ends-in-${step}-days`);
    }
  }
});

test('the nearer the end, the higher the score, and only the last week and what follows is an alert by default', () => {
  const scores = [61, 60, 30, 14, 7, 1, -1].map((days) => findEndRule(NOW + days * DAY_MS, NOW)?.score);
  expect(scores).toEqual([undefined, 0, 3, 5, 7, 9, 9.3]);
});

test('a person reads until when', () => {
  const says = (day: string) => describeRegistration('example.org', Date.parse(day), NOW);
  expect(says('2027-01-12')).toBe('example.org is registered until 2027-01-12, in 42 days');
  expect(says('2026-12-02')).toBe('example.org is registered until 2026-12-02, in 1 day');
  expect(says('2026-12-01T23:00:00Z')).toBe('example.org is registered until 2026-12-01, today');
  expect(says('2026-12-01T01:00:00Z')).toBe('example.org was registered until 2026-12-01, today');
  expect(says('2026-11-30')).toBe('example.org was registered until 2026-11-30, 1 day ago');
});
