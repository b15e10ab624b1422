import { unavailableError } from '../../errors.ts';
import { brokenRepositoryError, type GitProcess } from './process.ts';

export interface GitObject {
  readonly type: string;
  readonly bytes: number;
  readonly content: Buffer;
}

export type GitObjectReader = ReturnType<typeof openObjectReader>;

interface ObjectQuestion {
  readonly id: string;
  resolve(object: GitObject | undefined): void;
  reject(error: unknown): void;
}

/** Maximum number of requests that wait for git's answer. Bounds the memory of the answers. */
const MAX_QUESTIONS = { contents: 8, sizes: 512 } as const;
type QuestionKind = keyof typeof MAX_QUESTIONS;
const MAX_HEADER_BYTES = 200;
const EMPTY = Buffer.alloc(0);

export function openObjectReader(process: GitProcess, kind: QuestionKind) {
  const waiting: ObjectQuestion[] = [];
  const asked: ObjectQuestion[] = [];
  let failure: unknown;

  const fail = (error: unknown) => {
    failure ??= error;
    process.kill();
    for (const one of [...asked.splice(0), ...waiting.splice(0)]) one.reject(failure);
  };
  const ask = () => {
    while (asked.length < MAX_QUESTIONS[kind]) {
      const one = waiting.shift();
      if (!one) return;
      asked.push(one);
      process.stdin.write(`${one.id}\n`);
    }
  };
  const parser = createAnswerParser(kind, {
    expected: () => asked[0]?.id,
    answer(object) {
      asked.shift()?.resolve(object);
      ask();
    },
  });
  process.stdout.on('data', (chunk: Buffer) => {
    if (failure === undefined && !parser.take(chunk))
      fail(brokenRepositoryError('git answers in a way that is not known'));
  });
  process.ended.then(({ stderr }) => fail(brokenRepositoryError('git broke off', stderr)), fail);

  return {
    /** Reads an object, or returns undefined if it is missing. Throws AppError `upstream` if git ends early. */
    readObject(id: string): Promise<GitObject | undefined> {
      if (failure !== undefined) return Promise.reject(failure);
      return new Promise((resolve, reject) => {
        waiting.push({ id, resolve, reject });
        ask();
      });
    },
    close() {
      fail(unavailableError('the scan has ended, and its files are removed'));
    },
  };
}

function createAnswerParser(
  kind: QuestionKind,
  { expected, answer }: { expected(): string | undefined; answer(object: GitObject | undefined): void },
) {
  let header: Buffer = EMPTY;
  /** Object that git is sending. `pieces`: the received chunks. `missing`: number of bytes still to come. */
  let arriving: { object: GitObject; pieces: Buffer[]; missing: number } | undefined;

  function takeContent(into: NonNullable<typeof arriving>, data: Buffer): Buffer {
    const piece = data.subarray(0, into.missing);
    into.pieces.push(piece);
    into.missing -= piece.length;
    if (into.missing === 0) {
      arriving = undefined;
      const { object, pieces } = into;
      answer({ ...object, content: Buffer.concat(pieces).subarray(0, object.bytes) });
    }
    return data.subarray(piece.length);
  }

  function takeHeader(data: Buffer): Buffer | undefined {
    const end = data.indexOf(10);
    header = Buffer.concat([header, end < 0 ? data : data.subarray(0, end)]);
    if (header.length > MAX_HEADER_BYTES) return undefined;
    if (end < 0) return EMPTY;
    const [id, type = '', size] = header.toString('latin1').split(' ');
    header = EMPTY;
    if (id !== expected()) return undefined;
    const object = { type, bytes: Number(size), content: EMPTY };
    if (size === undefined) answer(undefined);
    else if (kind === 'sizes') answer(object);
    else arriving = { object, pieces: [], missing: object.bytes + 1 };
    return data.subarray(end + 1);
  }

  return {
    take(chunk: Buffer): boolean {
      let data: Buffer | undefined = chunk;
      while (data && data.length > 0) data = arriving ? takeContent(arriving, data) : takeHeader(data);
      return data !== undefined;
    },
  };
}
