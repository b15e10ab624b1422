import { EMPTY_TEXT_SCHEMA, NULL_SCHEMA } from './parameters.ts';

export const MAX_GPT_ACTIONS = 30;
const MAX_DESCRIPTION_CHARS = 300;

/** Adapts OpenAPI to the editor of GPT Actions: short descriptions, no header parameters, one type per schema. */
export function toGptAction(described: object): object {
  return adapt(described) as object;
}

function adapt(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isHeader(item)).map(adapt);
  if (typeof value !== 'object' || value === null) return value;
  const adapted = Object.fromEntries(
    Object.entries(withoutEmpty(value)).map(([name, inner]) => [name, adapt(inner)]),
  );
  if (typeof adapted.description === 'string') adapted.description = shortened(adapted.description);
  if (Array.isArray(adapted.type)) [adapted.type] = adapted.type;
  if (adapted.type === 'object' && adapted.properties === undefined) adapted.properties = {};
  return adapted;
}

/** A GPT omits an unused parameter, so the empty text and null are not listed. */
function withoutEmpty(value: object): object {
  const { anyOf, enum: values, ...rest } = value as { anyOf?: readonly object[]; enum?: readonly unknown[] };
  if (anyOf?.includes(EMPTY_TEXT_SCHEMA)) return { ...rest, ...anyOf[0] };
  if (anyOf) return { ...value, anyOf: anyOf.filter((one) => one !== NULL_SCHEMA) };
  return values ? { ...value, enum: values.filter((one) => one !== '' && one !== null) } : value;
}

function isHeader(item: unknown): boolean {
  return typeof item === 'object' && item !== null && (item as { in?: unknown }).in === 'header';
}

/** Keeps as many whole sentences as fit, or else whole words. */
function shortened(text: string): string {
  if (text.length <= MAX_DESCRIPTION_CHARS) return text;
  const start = text.slice(0, MAX_DESCRIPTION_CHARS - 3);
  const sentences = /^.*[.!?](?=\s)/s.exec(start)?.[0];
  return sentences ?? `${start.slice(0, Math.max(start.lastIndexOf(' '), 0) || start.length).trimEnd()}...`;
}
