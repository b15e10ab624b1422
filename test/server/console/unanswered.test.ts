import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listHtml, parseErrorMessage } from '../../../src/server/console/frame/frame.ts';
import { visitConsole } from '../../helpers/console-visit.ts';
import { environment, MAIN, type Running, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { startWeb, type TestWeb } from '../../helpers/web.ts';

/** What the console says where searches fail, and of the machine that it runs on. */

const UNKNOWN_HOST = 'http://search.invalid';
const SERVICES = ['wikipedia', 'wikidata', 'wiktionary'];

const urlsOf = (origin: string) => SERVICES.map((name) => `${name}=${origin}`).join(',');

describe('a machine without a network', () => {
  const folder = temporaryFolder();
  let magpie = {} as Running;
  const visit = () => visitConsole(() => magpie.url);
  const countPending = async () => {
    const response = await fetch(new URL('/metadatakb?q=', magpie.url));
    const { matches } = (await response.json()) as { matches: { metadata: { pending: number } }[] };
    return matches[0]?.metadata.pending;
  };

  beforeAll(async () => {
    magpie = await startMagpie({
      ...environment(folder.path),
      MAGPIE_ENGINES: SERVICES.join(','),
      MAGPIE_ENGINE_URLS: urlsOf(UNKNOWN_HOST),
    });
  });
  afterAll(async () => {
    await magpie.stop();
    folder.remove();
  });

  test('a failed web search says what happened, what to do, and the reasons', async () => {
    const response = await visit().get('/app/ask?q=quantum+fields&web=1');
    expect(response.status).toBe(422);
    expect(await response.text()).toMatch(
      /role="alert"><p><b>Failed to fetch search results\.<\/b><\/p><ul><li>Check this machine&#39;s network connection\.<\/li><\/ul><details><summary>Reasons<\/summary><ul><li>[^<]*wiki[^<]*cannot be reached/,
    );
  });

  test('a note that does not match is not an answer, and the page says why the web search failed', async () => {
    const { page, post } = visit();
    await post('/app/notes/add', { text: 'Herons wait in shallow water.' });
    // From then on the model is there, without which the note is found by its words alone.
    await expect.poll(countPending, { timeout: 60_000 }).toBe(0);
    const both = await page('/app/ask?q=quantum+chromodynamics+lattice&web=1&notes=1');
    expect(both).toMatch(
      /The web could not be searched\.<\/b><\/p><ul><li>Check this machine&#39;s network connection\.[\s\S]*No note or file is close to the question\.[\s\S]*Herons wait/,
    );
    expect(both).not.toContain('class="answer"');
    const notes = await page('/app/ask?q=quantum+chromodynamics+lattice&notes=1');
    expect(notes).toContain('No note or file is close to the question.');
    expect(notes).not.toContain('could not be searched');
    const close = await page('/app/ask?q=where+herons+wait&web=1&notes=1');
    expect(close).toMatch(/The web could not be searched[\s\S]*class="answer"/);
    expect(close).not.toContain('No note or file is close');
  });

  test('the engines page has one banner and short reasons', async () => {
    const { page } = visit();
    await page('/app/ask?q=quantum+fields+again&web=1');
    const shown = await page('/app/engines');
    expect(shown).toContain("Check this machine's network connection.");
    expect(shown.match(/>no network </g)).toHaveLength(SERVICES.length);
    expect(shown).not.toContain('name service');
    expect(shown).toMatch(/class="scroll" tabindex="0"[\s\S]*<td class="one"><b>wikipedia</);
  });
});

describe('a network whose search engines refuse', () => {
  const folder = temporaryFolder();
  let [web, magpie] = [{} as TestWeb, {} as Running];
  const refusing: Server = createServer((_request, response) => response.writeHead(403).end());
  const visit = () => visitConsole(() => magpie.url);

  beforeAll(async () => {
    web = await startWeb();
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(refusing.address() as AddressInfo).port}`;
    const env = environment(folder.path, web);
    magpie = await startMagpie({
      ...env,
      MAGPIE_ENGINES: ['searxng', ...SERVICES].join(','),
      MAGPIE_ENGINE_URLS: urlsOf(`http://${host}`),
      MAGPIE_ALLOW_HOSTS: `${env.MAGPIE_ALLOW_HOSTS},${host}`,
    });
  });
  afterAll(async () => {
    await magpie.stop();
    await web.close();
    refusing.close();
    folder.remove();
  });

  test('the answer of the remaining engine says how many engines refused, on the web and with notes', async () => {
    for (const places of ['web=1', 'web=1&notes=1']) {
      const shown = await visit().page(`/app/ask?q=magpie+mirror&${places}`);
      expect(shown).toMatch(
        /class="caution" role="status"><p><b>3 of 4 search engines refused or did not answer, and only searxng had something\.[\s\S]*class="answer"/,
      );
      expect(shown).toMatch(/<details><summary class="quiet">4 engines asked, 1 answered<\/summary><ul><li>/);
    }
  });

  test('refusing engines are not reported as a missing network', async () => {
    const shown = await visit().page('/app/engines');
    expect(shown).not.toContain('network connection');
    // A SearXNG is there, no engine is a page for browsers, and they are named, so that a key would add none.
    expect(shown).not.toMatch(/magpie add searxng|MAGPIE_BROWSER|free key/);
  });

  test('a local assistant is given the command of this checkout', async () => {
    const shown = await visit().page('/app/connect?with=claude-code');
    const started = `${process.execPath} ${MAIN}`;
    expect(shown).toContain(`${started} setup claude-code`);
    expect(shown).toContain(`claude mcp add magpie -- ${started} stdio`);
    expect(shown).toContain(`${magpie.url}/mcp`);
    expect(shown).not.toContain('npx');
    expect(await visit().page('/app/connect?with=vscode')).not.toContain('vscode.dev');
  });

  test.each([
    [{ 'x-forwarded-for': '203.0.113.7' }],
    [{ forwarded: 'for=203.0.113.7' }],
    [{ via: '1.1 proxy' }],
  ])('a visitor through a proxy is shown no path of this machine: %j', async (headers) => {
    const shown = await (await visit().get('/app/connect?with=claude-code', { headers })).text();
    expect(shown).not.toContain(MAIN);
    expect(shown).toContain('npx -y magpie-mcp setup claude-code');
    expect(shown).toContain('/mcp');
  });
});

test('a one-line error is one sentence, and a longer error has its advice and reasons apart', () => {
  expect(parseErrorMessage('no engine can be asked: name one in MAGPIE_ENGINES')).toEqual({
    what: 'No engine can be asked: name one in MAGPIE_ENGINES.',
    advice: [],
    reasons: [],
  });
  expect(parseErrorMessage('failed to search: a: HTTP 403; b: captcha.\nWait.\nAdd a key.')).toEqual({
    what: 'Failed to search.',
    advice: ['Wait.', 'Add a key.'],
    reasons: ['a: HTTP 403', 'b: captcha'],
  });
  expect(String(listHtml(['<img>']))).toContain('&lt;img&gt;');
});
