import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface Chardetng {
  readonly memory: WebAssembly.Memory;
  encodingdetector_new(): number;
  encodingdetector_feed(detector: number, bytes: number, length: number, isLast: number): number;
  encodingdetector_guess(
    result: number,
    detector: number,
    domain: number,
    length: number,
    utf8: number,
  ): void;
  __wbg_encodingdetector_free(detector: number): void;
  __wbindgen_add_to_stack_pointer(bytes: number): number;
  __wbindgen_malloc(bytes: number): number;
  __wbindgen_free(pointer: number, bytes: number): void;
}

const RESULT_BYTES = 16;
let loaded: Chardetng | undefined;

function load(): Chardetng {
  if (loaded) return loaded;
  const path = createRequire(import.meta.url).resolve('chardetng-wasm/dist/chardetng_wasm_bg.wasm');
  const fail = () => {
    throw new Error('chardetng failed');
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), {
    './chardetng_wasm_bg.js': { __wbindgen_throw: fail },
  });
  loaded = exports as unknown as Chardetng;
  return loaded;
}

/** Guesses the encoding. `domain` is the top-level domain of the site. */
export type DetectEncoding = (domain: string | undefined) => string;

/** Calls `use` with Firefox's detector for bytes that are not UTF-8. `isWhole` is false for a beginning. */
export function withDetector<T>(bytes: Uint8Array, isWhole: boolean, use: (detect: DetectEncoding) => T): T {
  const { memory, ...lib } = load();
  const put = (given: Uint8Array) => {
    const at = lib.__wbindgen_malloc(given.length);
    new Uint8Array(memory.buffer).set(given, at);
    return at;
  };
  const detector = lib.encodingdetector_new();
  try {
    lib.encodingdetector_feed(detector, put(bytes), bytes.length, Number(isWhole));
    return use((domain) => {
      const name = Buffer.from(domain ?? '');
      const result = lib.__wbindgen_add_to_stack_pointer(-RESULT_BYTES);
      lib.encodingdetector_guess(result, detector, domain === undefined ? 0 : put(name), name.length, 0);
      const [at = 0, length = 0] = new Int32Array(memory.buffer, result, 2);
      const guess = Buffer.from(memory.buffer, at, length).toString('latin1');
      lib.__wbindgen_add_to_stack_pointer(RESULT_BYTES);
      lib.__wbindgen_free(at, length);
      return guess;
    });
  } finally {
    lib.__wbg_encodingdetector_free(detector);
  }
}
