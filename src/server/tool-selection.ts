import type { Caller, ToolSelection } from '../caller.ts';
import { parseSetting } from '../config/config.ts';
import { SETTINGS } from '../config/settings.ts';
import { badRequestError } from '../errors.ts';
import { didYouMean } from '../lib/text/did-you-mean.ts';
import type { OperationCatalog } from '../operation.ts';
import { type OperationPipeline, selectCatalog } from './invoke.ts';
import { createOfferCheck, listOperationNames } from './offer-check.ts';

/** Parameters in the address of an MCP connection. The headers `X-MCP-Toolsets` and so on mean the same. */
const PARAMETERS = ['toolsets', 'tools', 'readonly'] as const;
/** Matches names that are meant for `PARAMETERS`. Ignoring them would offer more than the user wants. */
const SIMILAR = /^\W{0,9}(?:x[-_])?(?:mcp[-_])?(?:tool|read)/i;
const SIMILAR_HEADER = /^(?:x[-_]?)?mcp[-_]?(?:tool|read)/i;

/** Throws AppError `bad_request` if there is no tool of a name. `where` is the flag or parameter with them. */
export function checkToolNames(catalog: OperationCatalog, names: readonly string[], where: string): void {
  const known = listOperationNames(catalog);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw badRequestError(
    `${where} is ${JSON.stringify(unknown.slice(0, 80))}${didYouMean(unknown, known)}: it takes names out of ${known.join(', ')}, separated by commas`,
  );
}

/** Adds the selections in the address and the headers. Throws AppError `bad_request` for an unknown value. */
export function withToolSelections(
  caller: Caller,
  { url, headers }: Request,
  catalog: OperationCatalog,
): Caller {
  const query = new URL(url).searchParams;
  const headerNames = PARAMETERS.map(headerOf);
  refuseOthers('the address has', [...query.keys()], PARAMETERS, SIMILAR);
  refuseOthers('the request has the header', [...headers.keys()], headerNames, SIMILAR_HEADER);
  const inAddress = PARAMETERS.map(
    (name): GivenValue => [name, query.has(name) ? query.getAll(name).join() : undefined],
  );
  const inHeaders = headerNames.map((name): GivenValue => [name, headers.get(name) ?? undefined]);
  const selections = [inAddress, inHeaders].flatMap((given) => parseSelection(given, catalog) ?? []);
  return selections.length === 0 ? caller : { ...caller, selections };
}

const headerOf = (name: string) => `X-MCP-${name.charAt(0).toUpperCase()}${name.slice(1)}`;

function refuseOthers(where: string, names: readonly string[], known: readonly string[], similar: RegExp) {
  const taken = known.map((name) => name.toLowerCase());
  const unknown = names.find((name) => similar.test(name) && !taken.includes(name));
  if (unknown === undefined) return;
  throw badRequestError(`${where} ${JSON.stringify(unknown.slice(0, 80))}: it takes ${known.join(', ')}`);
}

type GivenValue = readonly [where: string, value: string | undefined];

function parseSelection(given: readonly GivenValue[], catalog: OperationCatalog): ToolSelection | undefined {
  if (given.every(([, value]) => value === undefined)) return undefined;
  const [toolsets, tools, readOnly] = [SETTINGS.toolsets, SETTINGS.tools, SETTINGS.readOnly].map(
    (setting, at) => {
      const [where = '', value] = given[at] ?? [];
      if (setting !== SETTINGS.readOnly && value !== undefined && !/[^\s,]/.test(value))
        throw badRequestError(`${where} is empty: it takes ${setting.takes}`);
      return value === undefined
        ? setting.schema.parse(undefined)
        : parseSetting(where, value.slice(0, 4000), setting);
    },
  );
  const selection = { toolsets, tools, readOnly } as ToolSelection;
  checkToolNames(catalog, selection.tools, given[1]?.[0] ?? '');
  return selection;
}

export type ToolOffer = ReturnType<typeof narrowOffer>;

/** Returns what the caller's connection offers. A connection only narrows what the server offers. */
export function narrowOffer(pipe: OperationPipeline, tools: ReadonlySet<string>, caller: Caller) {
  let { catalog } = pipe;
  let shown = tools;
  for (const selection of caller.selections ?? []) {
    const { operations } = selectCatalog(catalog, selection);
    shown = new Set(operations.flatMap(({ name }) => (shown.has(name) ? name : [])));
    if (!selection.readOnly || catalog.readOnly) continue;
    catalog = {
      ...selectCatalog(catalog, { readOnly: true, toolsets: [], tools: [] }),
      readOnly: 'connection',
    };
  }
  const narrowed = catalog === pipe.catalog ? pipe : { ...pipe, catalog };
  return { pipe: narrowed, tools: shown, offers: createOfferCheck(catalog, caller, shown) };
}
