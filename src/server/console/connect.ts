import { html } from 'hono/html';
import type { AppGrant } from '../../access/types.ts';
import { notFoundError } from '../../errors.ts';
import {
  ABOUT_ESSENTIAL,
  ASSISTANT_SETUPS,
  type AssistantSetup,
  ESSENTIAL_ARGS,
  formatShellCommand,
  INSTALL_BUTTONS,
  type LaunchCommand,
  MCP_SERVER_NAME,
  NPX_LAUNCH_COMMAND,
} from '../../lib/assistants.ts';
import { describeQuestionReceivers } from '../../lib/describe-engines.ts';
import type { Html } from '../html.ts';
import { formTokenField } from './frame/frame.ts';
import { type ConsoleContext, formatDateUtc, formatRelativeTime } from './frame/page.ts';
import { type ConsoleVisitor, isOnThisMachine, putFlash } from './frame/visitor.ts';

const FORMS = [
  { name: 'openwebui', title: 'Open WebUI' },
  { name: 'chatgpt', title: 'ChatGPT' },
  { name: 'http', title: 'Plain HTTP' },
] as const;
const ASSISTANTS: readonly AssistantSetup[] = Object.values(ASSISTANT_SETUPS);
const KEY = 'magpie_...';

interface Server {
  readonly url: string;
  /** Address of MCP, with the toolset that was chosen on the page. */
  readonly mcp: string;
  readonly essential: boolean;
  readonly open: boolean;
  /** True if assistants that take no key sign in at this server. */
  readonly signsIn: boolean;
}

export function addConnectPage({ get, post, pipe, localStart, apps, renew }: ConsoleContext): void {
  post('/connect/sign-out', async (c, visitor, form) => {
    const { id } = visitor.caller;
    const isEnded = visitor.byKey && (await (await apps?.())?.endGrant(form.field('id'), id));
    if (!isEnded) throw notFoundError('there is no such app that you let in');
    // The app may have made links, as a key may that is revoked.
    await (await pipe.services.passes()).endPasses(id);
    await renew(c, visitor);
    putFlash(c, 'The app is signed out, and all links to your files are ended.');
    return '/app/connect';
  });

  get('/connect', async (c, visitor) => {
    const { open } = visitor;
    // Only the operator on this machine sees the start command, because it contains local paths.
    const start = visitor.operator && isOnThisMachine(c) ? await localStart() : undefined;
    const chosen = c.req.query('with') ?? 'claude-desktop';
    const url = (await pipe.services.appUrl()) ?? `http://${c.req.header('host') ?? ''}`;
    const essential = c.req.query('toolsets') === 'essential';
    const base = url.replace(/\/$/, '');
    const mcp = `${base}/mcp${essential ? '?toolsets=essential' : ''}`;
    const server = { url: base, mcp, essential, open, signsIn: apps !== undefined };
    const signedIn = visitor.byKey ? await (await apps?.())?.listGrants(visitor.caller.id) : undefined;
    const tools = (few: boolean) => (few ? '&toolsets=essential' : '');
    const chip = ({ name, title }: { readonly name: string; readonly title: string }) =>
      html`<a class="chip" href="/app/connect?with=${name}${tools(essential)}"${name === chosen ? html` aria-current="true"` : ''}>${title}</a>`;
    const facts = ASSISTANTS.find(({ name }) => name === chosen);
    const questions = describeQuestionReceivers(await pipe.services.maintenance.listEngines());
    return {
      title: 'Connect an assistant',
      about: html`Pick yours. This server is at <code>${server.url}</code>, its MCP at <code>${mcp}</code>.`,
      place: 'connect',
      body: html`<nav class="chips" aria-label="Assistant">${[...ASSISTANTS, ...FORMS].map(chip)}</nav>
<p class="quiet">${ABOUT_ESSENTIAL} <a href="/app/connect?with=${encodeURIComponent(chosen)}${tools(!essential)}">${essential ? 'Offer all tools' : 'Offer the essential tools'}</a></p>
${facts ? assistant(facts, server, start) : form(chosen, server)}
${signedIn ? signedInApps(signedIn, visitor) : ''}
<section class="panel"><h2>Then ask it something</h2><p>“What changed in Node.js this month? Save the answer.”</p><p>“What did I note about magpies?”</p><p>“Scan this repository and say what to fix first.”</p></section>
<section class="panel"><h2>Who gets a question</h2>${questions.map((words) => html`<p>${words}</p>`)}<p><a href="/app/engines">Each engine, with its limits</a></p></section>`,
    };
  });
}

/** Returns instructions for an assistant. `local` is the command to start Magpie from source, not by npx. */
function assistant(facts: AssistantSetup, server: Server, local: LaunchCommand | undefined): Html {
  const { name, title, command, next, remote } = facts;
  const { command: program, args } = local ?? NPX_LAUNCH_COMMAND;
  const flags = server.essential ? ESSENTIAL_ARGS : [];
  const start = { command: program, args: [...args, ...flags] };
  // An install button would send the command's local paths to the assistant's vendor, and has all tools.
  const buttons =
    local || server.essential ? [] : INSTALL_BUTTONS.filter(({ assistant: of }) => of.startsWith(title));
  const setUp = formatShellCommand({
    command: program,
    args: [...args.slice(0, -1), 'setup', name, ...(server.essential ? ['--essential'] : [])],
  });
  return html`<section class="panel"><h2>On this machine</h2><p class="quiet">${title} starts a Magpie of its own, which needs no key and no server.</p>
${buttons.length > 0 ? html`<div class="row">${buttons.map(({ assistant: of, link }, at) => html`<a class="button ${at === 0 ? 'main' : ''}" href="${link}" rel="noreferrer">Add to ${of}</a>`)}</div>` : ''}
<h3>By Magpie</h3><p>It shows the change, asks, and keeps the file as it was beside the new one.</p>${code(setUp)}
${command ? html`<h3>By ${title}’s own command</h3>${code(command(start))}` : ''}
<h3>By hand</h3><p>In its settings; to take it in, ${next}.</p>${code(snippet(facts, { ...facts.more, ...start }))}</section>
<section class="panel"><h2>To this server</h2>${
    remote
      ? html`<p class="quiet">What ${title} keeps is then what this console shows.${keyWords(server)}</p>${code(snippet(facts, remoteEntry(facts, server)))}`
      : html`<p>${title} takes the address <code>${server.mcp}</code> under <b>Settings, Connectors, Add custom connector</b>. ${signInWords(server)}</p>`
  }</section>`;
}

function signedInApps(grants: readonly AppGrant[], visitor: ConsoleVisitor): Html {
  const row = ({ id, clientName, redirectUri, scopes, createdAt, usedAt }: AppGrant) =>
    html`<tr><td><b><bdi>${clientName || 'An app without a name'}</bdi></b><div class="where"><code>${new URL(redirectUri).host}</code><span>since ${formatDateUtc(createdAt)}</span></div></td><td>${scopes.join(', ')}</td><td>${formatRelativeTime(usedAt)}</td>
<td class="end"><form method="post" action="/app/connect/sign-out" class="line">${formTokenField(visitor)}<input type="hidden" name="id" value="${id}"><button class="small bad" aria-label="Sign out ${clientName || id}">Sign out</button></form></td></tr>`;
  return html`<section class="panel" aria-label="Signed-in apps"><h2>Signed-in apps</h2>${
    grants.length === 0
      ? html`<p class="quiet">None yet. What you let in shows here, and can be signed out.</p>`
      : html`<table class="cards"><thead><tr><th>App</th><th>May</th><th>Last renewed</th><th class="end"><span class="unseen">Actions</span></th></tr></thead><tbody>${grants.map(row)}</tbody></table>`
  }</section>`;
}

/** Says how an assistant that takes no key gets in. */
const signInWords = ({ signsIn }: Server): string =>
  signsIn
    ? 'It opens a page of this server, on which you let it in with your key.'
    : 'It signs in by OAuth: MAGPIE_OAUTH=builtin lets it sign in here, MAGPIE_OAUTH_ISSUER at your authorization server. The address has to be one that its maker can reach.';

function keyWords({ open }: Server): Html | string {
  return open
    ? ''
    : html` In place of <code>${KEY}</code> stands a key: <a href="/app/keys">make one</a> for each assistant.`;
}

function remoteEntry({ remote, format }: AssistantSetup, { mcp, open }: Server): Record<string, unknown> {
  const headers = open ? {} : { headers: { Authorization: `Bearer ${KEY}` } };
  const key = format === 'toml' && !open ? { bearer_token_env_var: 'MAGPIE_KEY' } : headers;
  return { ...remote?.more, [remote?.address ?? 'url']: mcp, ...key };
}

function snippet({ format, key }: AssistantSetup, entry: Readonly<Record<string, unknown>>): string {
  if (format === 'json') return JSON.stringify({ [key]: { [MCP_SERVER_NAME]: entry } }, null, 2);
  const lines = Object.entries(entry).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [`[${key}.${MCP_SERVER_NAME}]`, ...lines].join('\n');
}

function form(name: string, server: Server): Html {
  const { url, mcp, open } = server;
  if (name === 'openwebui') {
    return html`<section class="panel"><h2>Open WebUI</h2><p>Under <b>Admin settings, External tools, Add connection</b>: type <b>MCP (Streamable HTTP)</b>, address</p>${code(mcp)}<p>${open ? 'Authentication: none.' : html`Authentication: Bearer, and a key.${keyWords(server)}`}</p></section>`;
  }
  if (name === 'chatgpt') {
    return html`<section class="panel"><h2>ChatGPT</h2><p>In developer mode, <b>Settings, Connectors, Create</b> takes the address of a server that the internet reaches. ${signInWords(server)} Magpie’s own tools:</p>${code(mcp)}<p>Deep research and company knowledge ask for two tools, <code>search</code> and <code>fetch</code>: your notes and files at the first address, the web beside them at the second.</p>${code(`${url}/mcp/chatgpt\n${url}/mcp/chatgpt/web`)}</section>`;
  }
  const auth = open ? '' : ` \\\n  -H "Authorization: Bearer ${KEY}"`;
  return html`<section class="panel"><h2>Plain HTTP</h2><p>Every tool is an address too; the <a href="/docs">reference</a> has them all, and <a href="/openapi.json">OpenAPI</a> describes them to programs.${keyWords(server)}</p>
${code(`curl "${url}/search?q=how+do+magpies+recognise+themselves&percentile=3&numofpages=3"${auth}`)}
${code(`curl -X POST ${url}/upsertjson${auth} \\\n  -H "Content-Type: application/json" -d '{"q": "Magpies nest in thorny bushes."}'`)}</section>`;
}

function code(text: string): Html {
  return html`<pre tabindex="0" data-copy><code>${text}</code></pre>`;
}
