import { AppError } from '../../errors.ts';
import { broken, type GitProcess } from './process.ts';

/** An object as `git cat-file` tells it; `content` only where contents were asked for. */
export interface GitObject {
  readonly type: string;
  readonly bytes: number;
  readonly content: Buffer;
}

/** Objects of a store by id, out of one `git cat-file` process that is asked again and again. */
export interface Objects {
  /** Undefined for one that the store does not have. AppError `upstream` when git breaks off, `unavailable` after `close`. */
  get(id: string): Promise<GitObject | undefined>;
  close(): void;
}

interface Asked {
  readonly id: string;
  resolve(object: GitObject | undefined): void;
  reject(error: unknown): void;
}

/** Questions under way at once: their answers wait in memory until they are fetched. */
const AT_ONCE = { contents: 8, sizes: 512 } as const;
const LONGEST_HEADER = 200;
const EMPTY = Buffer.alloc(0);

/** `process` is `cat-file --batch` for contents, `cat-file --batch-check` for types and sizes. */
export function openObjects(process: GitProcess, kind: keyof typeof AT_ONCE): Objects {
  const waiting: Asked[] = [];
  const asked: Asked[] = [];
  let failure: unknown;
  let rest: Buffer = EMPTY;
  /** The content that is arriving: what it is of, its pieces, and how much is missing, its newline included. */
  let arriving: { object: GitObject; pieces: Buffer[]; missing: number } | undefined;

  const fail = (error: unknown) => {
    failure ??= error;
    process.kill();
    for (const one of [...asked.splice(0), ...waiting.splice(0)]) one.reject(failure);
  };
  const ask = () => {
    while (asked.length < AT_ONCE[kind]) {
      const one = waiting.shift();
      if (!one) return;
      asked.push(one);
      process.stdin.write(`${one.id}\n`);
    }
  };
  const answer = (object: GitObject | undefined) => {
    asked.shift()?.resolve(object);
    ask();
  };

  process.stdout.on('data', (chunk: Buffer) => {
    let data = chunk;
    while (data.length > 0 && failure === undefined) {
      if (arriving) {
        const piece = data.subarray(0, arriving.missing);
        arriving.pieces.push(piece);
        arriving.missing -= piece.length;
        data = data.subarray(piece.length);
        if (arriving.missing > 0) return;
        const { object, pieces } = arriving;
        arriving = undefined;
        answer({ ...object, content: Buffer.concat(pieces).subarray(0, object.bytes) });
        continue;
      }
      const end = data.indexOf(10);
      rest = Buffer.concat([rest, end < 0 ? data : data.subarray(0, end)]);
      if (rest.length > LONGEST_HEADER) return fail(broken('git answers in a way that is not known'));
      if (end < 0) return;
      const [id, type = '', bytes] = rest.toString('latin1').split(' ');
      rest = EMPTY;
      data = data.subarray(end + 1);
      if (id !== asked[0]?.id) return fail(broken('git answers in a way that is not known'));
      if (bytes === undefined) answer(undefined);
      else if (kind === 'sizes') answer({ type, bytes: Number(bytes), content: EMPTY });
      else
        arriving = {
          object: { type, bytes: Number(bytes), content: EMPTY },
          pieces: [],
          missing: Number(bytes) + 1,
        };
    }
  });
  process.ended.then(({ said }) => fail(broken('git broke off', said)), fail);

  return {
    get(id) {
      if (failure !== undefined) return Promise.reject(failure);
      return new Promise((resolve, reject) => {
        waiting.push({ id, resolve, reject });
        ask();
      });
    },
    close() {
      fail(new AppError('unavailable', 'the scan is over, and its files are gone'));
    },
  };
}
