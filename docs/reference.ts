import { flagOf } from '../src/config/config.ts';
import type { Setting } from '../src/config/setting.ts';
import { SETTINGS } from '../src/config/settings.ts';
import type { Operation, OperationCatalog } from '../src/operation.ts';
import { describeAcceptedValues, inputSchema } from '../src/server/input.ts';

export function toolTable({ operations }: OperationCatalog): string {
  const rows = operations.map(
    ({ name, description, routes, toolset }) =>
      `| \`${name}\` | ${toolset} | ${routes.map((route) => `\`${route}\``).join('<br>')} | ${cell(firstSentence(description))} |`,
  );
  return ['| tool | toolset | REST | what it does |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

export function settingTable(): string {
  const rows = Object.entries(SETTINGS).map(([name, setting]) => {
    const fallback = defaultOf(setting);
    return `| \`${setting.env}\` | \`--${flagOf(name)}\` | \`${name}\` | ${cell(setting.takes)} | ${fallback} | ${cell(setting.about)} |`;
  });
  return [
    '| environment | flag | settings file | takes | default | what it does |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '| `MAGPIE_CONFIG` | `--config` | | the path of a file | `settings.json` in the data folder | The settings file: one JSON object with the names of the third column. |',
  ].join('\n');
}

export function shortSettingTable(): string {
  const names = ['port', 'data', 'engines', 'searxngUrl', 'allowHosts', 'toolsets', 'readOnly'] as const;
  const rows = names.map((name) => `| \`${SETTINGS[name].env}\` | ${cell(SETTINGS[name].about)} |`);
  return ['| environment | what it does |', '| --- | --- |', ...rows].join('\n');
}

export function operationReference({ operations, prompts }: OperationCatalog): string {
  const sections = operations.map((operation) => {
    const { properties = {}, required = [] } = inputSchema(operation);
    const rows = Object.entries(properties).map(
      ([name, schema]) =>
        `| \`${name}\` | ${isRequired(operation, required, name)} | ${cell(describeAcceptedValues(schema))} | ${cell(schema.description ?? '')} |`,
    );
    const table =
      rows.length > 0
        ? ['', '| parameter | required | takes | what it is |', '| --- | --- | --- | --- |', ...rows].join(
            '\n',
          )
        : '\nNo parameters.';
    return [
      `## ${operation.name}`,
      '',
      operation.description,
      '',
      operation.routes.map((route) => `\`${route}\``).join(', '),
      table,
      '',
      `Example: \`${JSON.stringify(operation.example)}\``,
    ].join('\n');
  });
  const commands = prompts.map(
    ({ name, description, operation }) => `| \`/${name}\` | \`${operation}\` | ${description} |`,
  );
  return [
    ...sections,
    [
      '## Slash commands',
      '',
      '| command | operation | what it does |',
      '| --- | --- | --- |',
      ...commands,
    ].join('\n'),
  ].join('\n\n');
}

function isRequired({ start = {} }: Operation, required: readonly string[], name: string): string {
  if (!required.includes(name)) return 'no';
  if (!Object.hasOwn(start, name)) return 'yes';
  const value = String((start as Record<string, unknown>)[name]);
  return `over REST; else ${value || 'empty'}`;
}

export function replaceBlock(text: string, name: string, block: string): string {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the markers of the block ${name} are missing`);
  return `${text.slice(0, from + begin.length)}\n${block}\n${text.slice(to)}`;
}

function defaultOf(setting: Setting): string {
  const value = setting.schema.parse(undefined);
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  return `\`${String(value)}\``;
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0] ?? text;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
