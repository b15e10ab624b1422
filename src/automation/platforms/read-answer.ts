import { z } from 'zod';
import { upstreamError } from '../../errors.ts';
import type { JsonValue } from '../platform.ts';

/** Parses an answer of a platform. Throws AppError `upstream` if it does not match the schema. */
export function readAnswer<T>(answer: unknown, schema: z.ZodType<T>, title: string): T {
  const { success, data, error } = schema.safeParse(answer);
  if (success) return data;
  throw upstreamError(`${title} answered in an unknown form: its API may have changed`, {
    cause: new Error(z.prettifyError(error)),
  });
}

export const idSchema = z.union([z.string().min(1).max(200), z.number()]).transform(String);

export function joinNamedTexts(body: unknown, ...names: readonly string[]): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const texts = names
    .map((name) => (body as Readonly<Record<string, unknown>>)[name])
    .filter((value) => typeof value === 'string' && value !== '');
  return texts.length === 0 ? undefined : [...new Set(texts)].join(': ');
}

export function escapeTemplateBraces(text: string): string {
  return text.replaceAll('{{', '{ {').replaceAll('}}', '} }');
}

export function escapeAddressBraces(url: string): string {
  return url.replaceAll('{', '%7B').replaceAll('}', '%7D');
}

export function mapTexts<T extends JsonValue>(document: T, change: (text: string) => string): T {
  const map = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return change(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(map);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member)]));
  };
  return map(document) as T;
}
