import { z } from 'zod';
import type { CommandContext } from '../command.ts';
import type { Environment } from '../config/config.ts';
import { SETTINGS } from '../config/settings.ts';
import { ABOUT_ESSENTIAL, ESSENTIAL_ARGS } from '../lib/assistants.ts';
import { describeQuestionReceivers } from '../lib/describe-engines.ts';
import { wrapWords } from '../lib/text/wrap-words.ts';
import { ASSISTANTS, type McpServerCommand } from './assistants/list.ts';
import { buildOpenWebUiEntry, explainAddress, OPEN_WEBUI } from './assistants/open-webui.ts';
import {
  type AssistantFileChange,
  buildServerEntry,
  chooseAssistants,
  planChange,
  type RefusedChange,
} from './assistants/plan.ts';
import { replaceFile } from './assistants/write.ts';
import { documentedCommand } from './documented-command.ts';
import { booleanFlag } from './flags.ts';

const WIDTH = 80;
const NAMES = ASSISTANTS.map(({ name }) => name).join(', ');

export const setupAssistants = documentedCommand('setup', {
  names: NAMES,
  words: ['names'],
  failedExit: 1,
  flags: {
    names: z
      .array(z.string().min(1).max(50))
      .max(50)
      .default([])
      .describe(`Only these: ${NAMES}, ${OPEN_WEBUI}.`),
    print: booleanFlag,
    remove: booleanFlag,
    essential: booleanFlag,
    env: booleanFlag,
  },
  effect: ({ print }) => (print ? 'read' : 'write'),
  async question({ print, ...asked }, ctx) {
    if (print) return undefined;
    const changes = (await planOf(asked, ctx)).filter(isChange).filter(({ kind }) => kind !== 'none');
    if (changes.length === 0) return undefined;
    for (const change of changes) await show(change, ctx);
    const titles = changes.map(({ assistant }) => assistant.title).join(', ');
    return asked.remove ? `Take Magpie out of ${titles}?` : `Write this for ${titles}?`;
  },
  async run({ print, ...asked }, ctx) {
    const { names, remove } = asked;
    const plan = await planOf(asked, ctx);
    const done: object[] = [];
    if (names.includes(OPEN_WEBUI)) {
      const entry = await buildOpenWebUiEntry(ctx);
      if (!ctx.json) await explainAddress(entry, remove, ctx);
      done.push({ name: OPEN_WEBUI, change: 'none', ...(remove ? {} : entry) });
    }
    for (const one of plan)
      done.push(isChange(one) ? await carryOut(one, print, ctx) : await refuse(one, ctx));
    if (ctx.json) await ctx.print(JSON.stringify({ written: !print, assistants: done }));
    else if (names.length === 0 || names.some((name) => name !== OPEN_WEBUI)) await hints(plan, asked, ctx);
    return plan.every(isChange) ? 'done' : 'partly';
  },
});

interface SetupRequest {
  readonly names: readonly string[];
  readonly remove: boolean;
  readonly env: boolean;
  readonly essential: boolean;
}

async function planOf(asked: SetupRequest, ctx: CommandContext) {
  const { names, remove } = asked;
  const entry = remove ? undefined : ownEntry(asked, ctx);
  const starting = names.filter((name) => name !== OPEN_WEBUI);
  if (starting.length < names.length && starting.length === 0) return [];
  return Promise.all(
    chooseAssistants(starting, ctx.machine).map((assistant) => planChange(assistant, ctx.machine, entry)),
  );
}

const ownEntry = ({ env, essential }: SetupRequest, { machine }: CommandContext): McpServerCommand =>
  buildServerEntry(machine, env ? settingsOf(machine.env) : {}, essential ? ESSENTIAL_ARGS : []);

function settingsOf(env: Environment): Record<string, string> {
  const names = ['MAGPIE_CONFIG', ...Object.values(SETTINGS).map((setting) => setting.env)];
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

const isChange = (one: AssistantFileChange | RefusedChange): one is AssistantFileChange => 'kind' in one;

const SIGNS = { add: '+', replace: '~', remove: '-', none: '=' } as const;

async function show(
  { assistant, file, kind, entry, before }: AssistantFileChange,
  { json, print }: CommandContext,
): Promise<void> {
  if (json) return;
  await print(`${assistant.title}  ${file}`);
  await print(
    `  ${SIGNS[kind]} ${assistant.key}.magpie: ${JSON.stringify(withoutValues(entry ?? before))}`,
    'hint',
  );
}

/** Hides the values of environment variables, because some may be keys. */
function withoutValues(entry: unknown): unknown {
  const { env, ...rest } = entry as { env?: Record<string, string> };
  return env ? { ...rest, env: Object.fromEntries(Object.keys(env).map((name) => [name, '...'])) } : rest;
}

async function carryOut(change: AssistantFileChange, only: boolean, ctx: CommandContext): Promise<object> {
  const { assistant, file, kind, entry, text } = change;
  const facts = {
    name: assistant.name,
    file,
    change: kind,
    ...(entry !== undefined && { entry: withoutValues(entry) }),
  };
  if (only) await show(change, ctx);
  if (kind === 'none') {
    const state = entry === undefined ? 'has no Magpie' : 'has it already';
    if (!ctx.json && !only) await ctx.print(`${assistant.title} ${state}: ${file}`);
    return facts;
  }
  if (only) return facts;
  const backup = await replaceFile(file, text, new Date());
  if (!ctx.json) {
    await ctx.print(`${assistant.title}: ${file} is written; ${assistant.next}.`);
    if (backup !== undefined) await ctx.print(`  as it was: ${backup}`, 'quiet');
  }
  return { ...facts, ...(backup !== undefined && { backup }) };
}

async function refuse({ assistant, file, reason }: RefusedChange, ctx: CommandContext): Promise<object> {
  if (!ctx.json) await ctx.print(`${assistant.title}: ${reason}`, 'warning');
  return { name: assistant.name, file, change: 'refused', reason };
}

async function hints(plan: readonly unknown[], asked: SetupRequest, ctx: CommandContext): Promise<void> {
  const { remove, env, essential } = asked;
  if (remove) return;
  if (!essential) {
    const words = `${ABOUT_ESSENTIAL} magpie setup --essential chooses it.`;
    for (const line of wrapWords(words, WIDTH)) await ctx.print(line, 'quiet');
  }
  await ctx.print('Who gets a question:');
  for (const words of describeQuestionReceivers(await ctx.services.maintenance.listEngines())) {
    for (const line of wrapWords(words, WIDTH, '  ')) await ctx.print(line, 'quiet');
  }
  if (plan.length === 0) {
    await ctx.print(
      `None of these is on this machine: ${NAMES}. An assistant that reads mcpServers takes this:`,
    );
    await ctx.print(JSON.stringify({ mcpServers: { magpie: withoutValues(ownEntry(asked, ctx)) } }, null, 2));
  }
  await ctx.print(
    'magpie scan --agents checks what assistants here run: it starts and sends nothing.',
    'hint',
  );
  const settings = env ? [] : Object.keys(settingsOf(ctx.machine.env));
  if (settings.length > 0) {
    await ctx.print(
      `Set in this shell and not in the files: ${settings.join(', ')}. --env copies them, keys included.`,
      'hint',
    );
  }
}
