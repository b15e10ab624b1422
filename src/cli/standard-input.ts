import { badRequestError, tooLargeError } from '../errors.ts';
import { waitUnlessAborted } from '../lib/concurrency/deadline.ts';
import type { Operation } from '../operation.ts';
import { inputSchema } from '../server/input.ts';
import type { ProgramInput } from './io.ts';

const FROM_INPUT = '-';
const MAX_BYTES = 2_000_000;

/** Reads the first parameter from standard input if it is `-`, or if a `piped` operation lacks it. */
export async function addStandardInput(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  stdin: () => ProgramInput,
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
    throw badRequestError(`${first} and ${other} both read standard input (-), and only one can`);
  }
  const text = await waitUnlessAborted(readText(stdin()), signal);
  // Removes the line end that commands such as `echo` add.
  const given = text.replace(/\r?\n$/, '');
  if (given === '') throw badRequestError(`${first} is required, and standard input is empty`);
  return { ...input, [first]: given };
}

async function readText(stdin: ProgramInput): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const piece = Buffer.from(chunk as Buffer | string);
    bytes += piece.length;
    if (bytes > MAX_BYTES) {
      throw tooLargeError(`standard input is over ${MAX_BYTES} bytes: give less, or in pieces`);
    }
    chunks.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw badRequestError('standard input is not text in UTF-8', { cause });
  }
}
