import { execFile } from 'node:child_process';
import { lookup } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { createServer as createTcp, type LookupFunction, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrowse } from '../../src/browse/browse.ts';
import { createRenderer, type PageRenderer } from '../../src/browse/rendering/renderer.ts';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { type Counted, startCounted } from '../helpers/scripted-site.ts';

/** Pages that live by their scripts, in a real Chromium: .ci/run installs it and names it in MAGPIE_TEST_BROWSER. */

const executable = process.env.MAGPIE_TEST_BROWSER ?? '';
const pages = new Map<string, string>();
const never = new AbortController().signal;
let site: Counted;
let secret: Counted;
let renderer: PageRenderer;

/** A page whose text is put there by the given script, after which it says that it is done. */
const scripted = (script: string) =>
  `<!doctype html><html><head><title>App</title></head><body><div id="root"></div><script>
const say = (text) => { const p = document.createElement('p'); p.textContent = text; root.append(p); };
const root = document.getElementById('root');
(async () => { ${script} })().catch((error) => say('failed: ' + error)).finally(() => say('all done'));</script></body></html>`;

let number = 0;
function page(html: string): string {
  const path = `/page/${++number}`;
  pages.set(path, html);
  return `http://127.0.0.1:${site.port}${path}`;
}

beforeAll(async () => {
  secret = await startCounted((_request, response) => response.end('the secret'));
  site = await startCounted((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    if (url.pathname === '/words') return void response.end('fetched words');
    if (url.pathname === '/to') {
      return void response.writeHead(302, { location: url.searchParams.get('url') ?? '' }).end();
    }
    if (url.pathname === '/file') {
      response.setHeader('content-disposition', 'attachment; filename="a.bin"');
      return void response.end('bytes');
    }
    if (url.pathname === '/worker.js') {
      response.setHeader('content-type', 'text/javascript');
      return void response.end(
        `fetch(${JSON.stringify(url.searchParams.get('url'))}).then((r) => r.text()).then((t) => postMessage(t), () => postMessage('worker failed'))`,
      );
    }
    if (url.pathname === '/endless') return void response.writeHead(200).write('words');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(pages.get(url.pathname) ?? '');
  });
  renderer = createRenderer({ executable, allowHosts: [site.host], timeoutMs: 60_000, maxBytes: 2_000_000 });
});
afterAll(async () => {
  await renderer.close();
  await Promise.all([site.close(), secret.close()]);
});

describe('reading', () => {
  test('a page that needs its scripts is read by browse, and named where browse is off', async () => {
    const url = page(
      scripted(`const words = await (await fetch('/words')).text();
      root.innerHTML = '<article><h1>Mills</h1><p>' + words + ' about tide mills, which turn by the sea.</p></article>';`),
    );
    const fetch = createGuardedFetch({ allowHosts: [site.host], userAgent: 'test' });
    const limits = { fetch, maxBytes: 1_000_000, timeoutMs: 15_000 };
    const [off, on] = [createBrowse(limits), createBrowse({ ...limits, renderer })];
    await expect(off.readPage(url, { signal: never })).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/^Error fetching content: .*MAGPIE_BROWSER=auto/),
    });
    const read = await on.readPage(url, { signal: never });
    expect(read).toMatchObject({ url, kind: 'html', title: 'App' });
    expect(read.markdown).toContain('fetched words about tide mills');
    await off.close();
    await fetch.close();
  });

  test('shadow trees are read within their hosts, text hidden by style sheets is marked, and scripts of the page do not interfere', async () => {
    const url = page(
      `<!doctype html><style>.gone { display: none }</style><div id=root></div><x-card><b slot=name>Ada</b></x-card><p class=gone>SECRET</p><script>
customElements.define('x-card', class extends HTMLElement { connectedCallback() {
  this.attachShadow({ mode: 'open' }).innerHTML = '<h2>Card of <slot name=name></slot></h2>'; } });
Object.defineProperty(Element.prototype, 'outerHTML', { get: () => 'forged' });
Document.prototype.querySelectorAll = () => { throw new Error('forged'); };</script>`,
    );
    const { html } = await renderer.render(url, never);
    expect(html).toContain('<h2>Card of <b slot="name">Ada</b></h2>');
    expect(html).toMatch(/<p class="gone" hidden="">SECRET/);
  });

  test('a page that redirects by script is read at its final address', async () => {
    const target = page(scripted(`say('the target')`));
    const url = page(`<script>location.replace(${JSON.stringify(target)})</script>`);
    const read = await renderer.render(url, never);
    expect(read).toMatchObject({ url: target, html: expect.stringContaining('the target') });
  });
});

describe('the guard holds for every request of a page', () => {
  const goal = (server = secret) => `http://127.0.0.1:${server.port}/secret`;

  /** Ways to make a browser connect somewhere, each a script that waits until it knows how that ended. */
  const ATTEMPTS: readonly (readonly [string, (url: string) => string])[] = [
    ['fetch', (url) => `await fetch('${url}').catch(() => {});`],
    ['fetch without CORS', (url) => `await fetch('${url}', { mode: 'no-cors' }).catch(() => {});`],
    ['fetch by name', (url) => `await fetch('${url.replace('127.0.0.1', 'localhost')}').catch(() => {});`],
    [
      'fetch by another spelling',
      (url) => `await fetch('${url.replace('127.0.0.1', '2130706433')}').catch(() => {});`,
    ],
    [
      'fetch by mapped IPv6',
      (url) => `await fetch('${url.replace('127.0.0.1', '[::ffff:127.0.0.1]')}').catch(() => {});`,
    ],
    [
      'fetch by the zero address',
      (url) => `await fetch('${url.replace('127.0.0.1', '0.0.0.0')}').catch(() => {});`,
    ],
    ['fetch after a redirect', (url) => `await fetch('/to?url=${encodeURIComponent(url)}').catch(() => {});`],
    [
      'an image',
      (url) =>
        `await new Promise((end) => { const i = new Image(); i.onload = i.onerror = end; i.src = '${url}'; });`,
    ],
    [
      'a frame',
      (url) =>
        `const f = document.createElement('iframe'); f.src = '${url}'; root.append(f); await new Promise((end) => { f.onload = end; });`,
    ],
    [
      'a frame after a redirect',
      (url) =>
        `const f = document.createElement('iframe'); f.src = '/to?url=${encodeURIComponent(url)}'; root.append(f); await new Promise((end) => { f.onload = end; });`,
    ],
    [
      'a style sheet and a script',
      (url) =>
        `for (const [tag, name] of [['link', 'href'], ['script', 'src']]) await new Promise((end) => { const e = document.createElement(tag); e.rel = 'stylesheet'; e.onload = e.onerror = end; e[name] = '${url}'; root.append(e); });`,
    ],
    [
      'a WebSocket',
      (url) =>
        `await new Promise((end) => { const s = new WebSocket('${url.replace('http', 'ws')}'); s.onclose = s.onerror = s.onmessage = end; });`,
    ],
    [
      'a worker',
      (url) =>
        `await new Promise((end) => { const w = new Worker('/worker.js?url=${encodeURIComponent(url)}'); w.onmessage = (e) => { say(e.data); end(); }; w.onerror = end; });`,
    ],
    ['a beacon', (url) => `navigator.sendBeacon('${url}', 'words');`],
    [
      'an event stream',
      (url) =>
        `await new Promise((end) => { const s = new EventSource('${url}'); s.onerror = () => { s.close(); end(); }; });`,
    ],
    [
      'XMLHttpRequest',
      (url) =>
        `await new Promise((end) => { const x = new XMLHttpRequest(); x.onloadend = end; x.open('POST', '${url}'); x.send('words'); });`,
    ],
    [
      'preconnect and prefetch',
      (url) =>
        `for (const rel of ['preconnect', 'prefetch', 'prerender', 'dns-prefetch', 'modulepreload']) { const l = document.createElement('link'); l.rel = rel; l.href = '${url}'; document.head.append(l); } await new Promise((end) => setTimeout(end, 300));`,
    ],
    ['a popup', (url) => `window.open('${url}'); await new Promise((end) => setTimeout(end, 300));`],
    [
      'a form in a frame',
      (url) =>
        `root.innerHTML = '<iframe name=t></iframe><form target=t method=post action="${url}"><input name=a></form>'; document.forms[0].submit(); await new Promise((end) => setTimeout(end, 300));`,
    ],
    [
      'WebRTC',
      (url) =>
        `const c = new RTCPeerConnection({ iceServers: [{ urls: 'turn:127.0.0.1:${new URL(url).port}?transport=tcp', username: 'a', credential: 'b' }, { urls: 'stun:127.0.0.1:${new URL(url).port}' }] }); c.createDataChannel('x'); await c.setLocalDescription(await c.createOffer()); await new Promise((end) => setTimeout(end, 500));`,
    ],
  ];
  const allAttempts = (server: Counted) => {
    const steps = ATTEMPTS.map(
      ([name, script]) =>
        `await Promise.race([(async () => { ${script(`${goal(server)}?${encodeURIComponent(name)}`)} })().catch(() => {}), new Promise((end) => setTimeout(end, 2000))]); tried.push('${name}');`,
    );
    // A request that hangs keeps the network from becoming quiet before the last attempt.
    return scripted(`const hold = new AbortController(); fetch('/endless', { signal: hold.signal }).catch(() => {});
      const tried = []; ${steps.join('\n')} root.textContent = ''; say('tried: ' + tried.join()); hold.abort();`);
  };

  test('no kind of connection reaches a forbidden address', async () => {
    const { html } = await renderer.render(page(allAttempts(secret)), never);
    expect(html).toContain(`<p>tried: ${ATTEMPTS.map(([name]) => name).join()}</p>`);
    expect(html).not.toContain('the secret');
    expect(secret.asked).toEqual([]);
    expect(secret.connections()).toBe(0);
  });

  test('the same page reaches an allowed address, so the attempts are real', async () => {
    const lure = await startCounted((_request, response) => response.end('the lure'));
    const open = createRenderer({
      executable,
      allowHosts: [site.host, '127.0.0.0/8', '0.0.0.0/32', 'localhost'],
      timeoutMs: 20_000,
      maxBytes: 1e6,
    });
    await open.render(page(allAttempts(lure)), never);
    await open.close();
    const reached = new Set(lure.asked.map((path) => decodeURIComponent(path.split('?')[1] ?? '')));
    // Pictures are not loaded, beacons not sent, and WebRTC finds no way through a proxy.
    const unreached = ATTEMPTS.map(([name]) => name).filter((name) => !reached.has(name));
    expect(unreached).toEqual(['an image', 'a beacon', 'WebRTC']);
    await lure.close();
  });

  test('allowed requests succeed, also by WebSockets and workers', async () => {
    const { html } = await renderer.render(
      page(
        scripted(`await new Promise((end) => { const s = new WebSocket('ws://127.0.0.1:${site.port}/socket'); s.onmessage = (e) => { say('from a ' + e.data); end(); }; s.onerror = end; });
        await new Promise((end) => { const w = new Worker('/worker.js?url=/words'); w.onmessage = (e) => { say('worker: ' + e.data); end(); }; w.onerror = end; });
        say(await (await fetch('/to?url=/words')).text());`),
      ),
      never,
    );
    expect(html).toContain('from a socket');
    expect(html).toContain('worker: fetched words');
    expect(html).toContain('<p>fetched words</p>');
  });

  test('private addresses, redirects to them and other schemes are refused for the page itself', async () => {
    await expect(renderer.render(goal(), never)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(renderer.render('http://169.254.169.254/latest/meta-data', never)).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(renderer.render('file:///etc/passwd', never)).rejects.toMatchObject({ code: 'bad_request' });
    const redirect = `http://127.0.0.1:${site.port}/to?url=${encodeURIComponent(goal())}`;
    const answer = await renderer.render(redirect, never).catch((error: unknown) => error);
    expect(JSON.stringify(answer)).not.toContain('the secret');
    const moves = page(`<script>location.href = ${JSON.stringify(goal())}</script>`);
    const moved = await renderer.render(moves, never).catch((error: unknown) => error);
    expect(JSON.stringify(moved)).not.toContain('the secret');
    expect(secret.connections()).toBe(0);
  });

  test('a name that resolves to another address the second time is refused', async () => {
    let asked = 0;
    const rebinding: LookupFunction = (hostname, options, callback) => {
      if (hostname !== 'rebind.example.org') return lookup(hostname, options as never, callback as never);
      asked++;
      callback(null, [{ address: asked === 1 ? '93.184.215.14' : '127.0.0.1', family: 4 }]);
    };
    const own = createRenderer({
      executable,
      allowHosts: [site.host],
      timeoutMs: 5000,
      maxBytes: 1e6,
      lookup: rebinding,
    });
    await expect(own.render(`http://rebind.example.org:${secret.port}/`, never)).rejects.toMatchObject({
      code: expect.stringMatching(/upstream|timeout/),
    });
    expect(asked).toBeGreaterThan(1);
    expect(secret.connections()).toBe(0);
    await own.close();
  });
});

describe('bounds', () => {
  let quick: PageRenderer;
  beforeAll(() => {
    quick = createRenderer({
      executable,
      allowHosts: [site.host],
      timeoutMs: 15_000,
      maxBytes: 300_000,
      idleMs: 300,
    });
  });
  afterAll(() => quick.close());

  test('endless loops, endless alerts and oversized pages do not affect the next page', async () => {
    const hostile = [
      [scripted('for (;;) {}'), 'timeout'],
      [scripted(`for (;;) alert('x')`), 'timeout'],
      [`<p>${'x'.repeat(1_500_000)}`, 'too_large'],
    ] as const;
    const ends = await Promise.allSettled(hostile.map(([html]) => quick.render(page(html), never)));
    expect(ends.map((one) => one.status === 'rejected' && one.reason.code)).toEqual(
      hostile.map(([, code]) => code),
    );
    expect((await quick.render(page(scripted(`say('next')`)), never)).html).toContain('next');
  });

  test('an endless document is cut, downloads and popups have no effect, and dialogs are dismissed', async () => {
    const huge = await renderer.render(page(scripted(`root.textContent = 'x'.repeat(5_000_000)`)), never);
    expect(huge.html.length).toBeLessThan(2_001_000);
    const script = `say('answer: ' + confirm('?') + prompt('?')); const a = document.createElement('a'); a.href = '/file'; a.download = ''; root.append(a); a.click(); window.open('/words');`;
    expect((await renderer.render(page(scripted(script)), never)).html).toContain('answer: falsenull');
    await expect(renderer.render(`http://127.0.0.1:${site.port}/file`, never)).rejects.toMatchObject({
      code: 'upstream',
    });
  });

  test('pages that never become idle are read in their current state', async () => {
    const polling = `setInterval(() => fetch('/words'), 50); say('polled');`;
    expect((await renderer.render(page(scripted(polling)), never)).html).toContain('polled');
  });

  test('many pages wait for their turn, each with its own cookies and storage', async () => {
    const script = `say(document.cookie + '|' + (localStorage.seen ?? 'new')); document.cookie = 'a=b'; localStorage.seen = 'old';`;
    const urls = Array.from({ length: 4 }, () => page(scripted(script)));
    const read = await Promise.all(urls.map((url) => renderer.render(url, never)));
    expect(read.map(({ html }) => /<p>\|new<\/p>/.test(html))).toEqual(urls.map(() => true));
    const flood = await Promise.allSettled(
      Array.from({ length: 26 }, () => {
        const stop = AbortSignal.timeout(400);
        return renderer.render(page(scripted('for (;;) {}')), stop);
      }),
    );
    const codes = flood.map((one) => (one.status === 'rejected' ? one.reason.code : ''));
    expect(codes).toContain('unavailable');
    expect((await renderer.render(page(scripted(`say('still here')`)), never)).html).toContain('still here');
  });

  test('a cancelled call ends at once, waiting or running', async () => {
    const stop = new AbortController();
    const calls = Array.from({ length: 4 }, () =>
      renderer.render(page(scripted('for (;;) {}')), stop.signal),
    );
    setTimeout(() => stop.abort(new Error('enough')), 800);
    const settled = await Promise.allSettled(calls);
    expect(settled.map((one) => one.status === 'rejected' && one.reason.message)).toEqual(
      calls.map(() => 'enough'),
    );
  });

  test('a killed browser fails the current page and is started again', async () => {
    const own = createRenderer({ executable, allowHosts: [site.host], timeoutMs: 10_000, maxBytes: 1e6 });
    await own.render(page(scripted(`say('one')`)), never);
    const waiting = own.render(page(scripted('await new Promise(() => {})')), never);
    waiting.catch(() => {});
    const children = await childrenOf(process.pid);
    const browsers = children.filter(({ command }) => command.includes('--remote-debugging-pipe'));
    for (const { pid } of browsers) process.kill(pid, 'SIGKILL');
    expect(browsers.length).toBeGreaterThan(0);
    await expect(waiting).rejects.toMatchObject({ code: 'upstream' });
    expect((await own.render(page(scripted(`say('two')`)), never)).html).toContain('two');
    await own.close();
  });

  test('without the browser, the error says what to set', async () => {
    const own = createRenderer({
      executable: '/no/such/browser',
      allowHosts: [site.host],
      timeoutMs: 5000,
      maxBytes: 1e6,
    });
    await expect(own.render(page(''), never)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('there is no browser at /no/such/browser: set MAGPIE_BROWSER'),
    });
    await own.close();
  });

  test('the browser connects only to the proxy: a listening server receives nothing', async () => {
    const heard: Socket[] = [];
    const silent = createTcp((socket) => heard.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const script = `await Promise.allSettled(['http', 'https', 'ws', 'wss'].map((scheme) => scheme.startsWith('ws') ? new Promise((end) => { const s = new WebSocket(scheme + '://127.0.0.1:${port}/'); s.onclose = end; }) : fetch(scheme + '://127.0.0.1:${port}/')));`;
    expect((await renderer.render(page(scripted(script)), never)).html).toContain('all done');
    expect(heard).toEqual([]);
    silent.close();
  });

  test('an idle browser is stopped and started again when needed; a closed renderer stays closed', async () => {
    await quick.render(page(scripted(`say('one')`)), never);
    const idle = async () => (await browsersOf()).length;
    const before = await idle();
    await expect.poll(idle, { timeout: 60_000 }).toBeLessThan(before);
    expect((await quick.render(page(scripted(`say('two')`)), never)).html).toContain('two');
    await quick.close();
    await expect(quick.render(page(''), never)).rejects.toMatchObject({ code: 'unavailable' });
    await renderer.close();
    expect(await browsersOf()).toEqual([]);
  });
});

interface Child {
  readonly pid: number;
  readonly command: string;
}

async function childrenOf(parent: number): Promise<Child[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args='], { maxBuffer: 10_000_000 });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, ppid, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(ppid) === parent ? [{ pid: Number(pid), command }] : [];
  });
}

/** The browsers that this process has started and that still run. */
async function browsersOf(): Promise<Child[]> {
  return (await childrenOf(process.pid)).filter(({ command }) => command.includes('--remote-debugging-pipe'));
}
