import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createBrowse } from '../../../src/browse/browse.ts';
import { isRobotChallenge } from '../../../src/browse/rendering/robot-challenge.ts';
import { createGuardedFetch } from '../../../src/lib/network/fetch.ts';

const isChallenge = (html: string) => isRobotChallenge(Buffer.from(html), html.replace(/<[^<>]*>/g, ' '));

test.each([
  [
    'Cloudflare',
    '<title>Just a moment...</title><h2>Verify you are human by completing the action below.</h2><div id="cf-turnstile"></div>',
  ],
  ['Cloudflare in German', '<title>Nur einen Moment…</title><script>window._cf_chl_opt={}</script>'],
  [
    'DataDome',
    '<title>quay.example</title><script src="https://geo.captcha-delivery.com/c.js"></script><p>Please enable JS</p>',
  ],
  [
    'PerimeterX',
    '<title>Access denied</title><div id="px-captcha"></div><p>Press &amp; Hold to confirm you are a human</p>',
  ],
  ['Imperva', '<iframe src="/_Incapsula_Resource?SWUDNSAI=31"></iframe>'],
  ['Anubis', "<title>Making sure you're not a bot!</title><script id=anubis_challenge>{}</script>"],
  [
    'Google',
    '<p>Our systems have detected unusual traffic from your computer network.</p><div class="g-recaptcha"></div>',
  ],
  [
    'Yandex',
    '<title>Вы не робот?</title><div class="CheckboxCaptcha">Подтвердите, что запросы отправляли вы, а не робот: я вы не робот</div>',
  ],
  [
    'AWS',
    '<title></title><script>window.awsWafCookieDomainList = []; window.gokuProps = {"key":"x"};</script><div id="challenge-container"></div><noscript>JavaScript is disabled</noscript>',
  ],
  [
    'a site of its own',
    '<title>quay.example</title><h1>One more step</h1><p>Please complete the captcha to go on.</p><div class="h-captcha"></div><textarea name="h-captcha-response"></textarea><p>© 2026 Quay</p>',
  ],
  ['DDoS-Guard', '<title>DDoS-Guard</title><p>Checking your browser before accessing quay.example.</p>'],
])('a page of %s is a challenge for robots', (_name, html) => {
  expect(isChallenge(html)).toBe(true);
});

test.each([
  [
    'a form with a captcha',
    '<title>Write to us</title><p>Tell us what you need.</p><form><div class="g-recaptcha"></div></form>',
  ],
  [
    'a page with an address and a captcha',
    '<title>Contact</title><h1>Contact</h1><p>Smith Dental, 5 Mill Road, Springfield</p><form><label>Please verify that you are human</label><div class="g-recaptcha"></div></form>',
  ],
  [
    'a page with a telephone number and a captcha',
    '<title>Ring us</title><p>Telephone: (555) 010-4477</p><form><label>Confirm you are not a robot</label><div class="h-captcha"></div></form>',
  ],
  [
    'a form for a letter with a captcha',
    '<title>Write to us</title><form><textarea name="letter"></textarea><label>Please verify you are human</label><div class="g-recaptcha"></div></form>',
  ],
  [
    'a form with a captcha of a page with other text',
    `<title>Write to us</title><p>${'We answer within two days. '.repeat(13)}</p><form><label>Prove you are human</label><div class="cf-turnstile"></div></form>`,
  ],
  [
    'a page of a site that AWS guards',
    '<title>Boats</title><script>window.awsWafCookieDomainList = ["quay.example"];</script><p>The boats are out.</p>',
  ],
  ['a short poem', '<title>Just a moment</title><p>The tide is in, the boats are out.</p>'],
  [
    'a short text on walls',
    '<title>News</title><p>Sites ask whether you are a human, and some do it too often.</p>',
  ],
  [
    'a long article on captchas',
    `<title>Are you a robot?</title><p>Verify you are human. ${'Captchas are pictures with signs. '.repeat(60)}</p>`,
  ],
])('%s is no challenge', (_name, html) => {
  expect(isChallenge(html)).toBe(false);
});

test.each([200, 403])('a challenge with status %i is named and not read as a page', async (status) => {
  const wall =
    '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><h2>Verify you are human by completing the action below.</h2><div id="cf-turnstile"></div><p>quay.example needs to review the security of your connection before proceeding.</p></body></html>';
  const server = createServer((_request, response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end(wall),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetch = createGuardedFetch({ allowHosts: [host], userAgent: 'Magpie/test' });
  const browse = createBrowse({ fetch, maxBytes: 1e6, timeoutMs: 30_000 });
  const signal = AbortSignal.timeout(60_000);
  try {
    await expect(browse.readPage(`http://${host}/`, { signal, owner: 'ann' })).rejects.toThrow(
      'a challenge for robots',
    );
    const raw = { url: `http://${host}/`, contentType: 'text/html', body: Buffer.from(wall) };
    await expect(browse.readBytes(raw, signal, 'ann')).rejects.toThrow('a challenge for robots');
  } finally {
    await browse.close();
    await fetch.close();
    server.close();
    server.closeAllConnections();
  }
});
