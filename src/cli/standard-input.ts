import { AppError } from '../errors.ts';
import { untilAborted } from '../lib/concurrency/deadline.ts';
import type { Operation } from '../operation.ts';
import { inputSchema } from '../server/input.ts';
import type { Input } from './io.ts';

/** As a parameter's value: its text is standard input. */
const FROM_INPUT = '-';
/** Bytes that are read: above what any parameter takes. */
const MAX_BYTES = 2_000_000;

/**
 * The input with the text of its first parameter from standard input, where that is `-`, or is left out, no terminal is
 * there to type it and the operation takes a text that a script hands over (`piped`). AppError `bad_request` for what is
 * not text, or for two parameters that are both `-`; `too_large` over 2 MB.
 */
export async function withStandardInput(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  stdin: () => Input,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const { properties = {} } = inputSchema(operation);
  const [first] = Object.keys(properties);
  if (first === undefined || properties[first]?.type !== 'string') return { ...input };
  const { piped } = operation;
  const wanted = piped !== undefined && !piped.unless.some((name) => input[name] !== undefined);
  const left = input[first] === undefined && wanted && stdin().isTTY !== true;
  if (input[first] !== FROM_INPUT && !left) return { ...input };
  const other = operation.secret?.find((name) => input[name] === FROM_INPUT);
  if (other !== undefined) {
    throw new AppError('bad_request', `${first} and ${other} both read standard input (-), and only one can`);
  }
  const text = await untilAborted(readText(stdin()), signal);
  // A line's end is the shell's, not the text's.
  const given = text.replace(/\r?\n$/, '');
  if (given === '') throw new AppError('bad_request', `${first} is required, and standard input is empty`);
  return { ...input, [first]: given };
}

async function readText(stdin: Input): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const piece = Buffer.from(chunk as Buffer | string);
    bytes += piece.length;
    if (bytes > MAX_BYTES) {
      throw new AppError('too_large', `standard input is over ${MAX_BYTES} bytes: give less, or in pieces`);
    }
    chunks.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new AppError('bad_request', 'standard input is not text in UTF-8', { cause });
  }
}
