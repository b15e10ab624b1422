import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A sentence model of a few KB, as a folder: real ONNX, and a real tokenizer of words and letters. The vector of a token is a row of random
 * numbers; the vector of a text is what is made of them.
 */
export interface TinyModel {
  /** Inputs that its graph asks for beside the ids and the mask. */
  readonly inputs?: readonly (
    | 'token_type_ids'
    | 'position_ids'
    | 'positions of one row'
    | 'past_key_values'
  )[];
  /** Its outputs: vectors of tokens, means of a text, or both. */
  readonly outputs?: readonly string[];
  readonly seed?: number;
  /** Path of the graph. */
  readonly graph?: string;
  /** Further files, by path: text as it is, anything else as JSON. */
  readonly files?: Readonly<Record<string, unknown>>;
}

export const TINY_DIMENSIONS = 64;
const WORDS = [
  'magpie',
  'roof',
  'price',
  'copper',
  'shoe',
  'word',
  'number',
  'query',
  'passage',
  'kitten',
  'feline',
];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const VOCABULARY = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  ...WORDS,
  ...LETTERS,
  ...LETTERS.map((one) => `##${one}`),
  ':',
  '.',
];
const POSITIONS = 600;

/** Row of a token in the vectors. */
export function tinyVector(token: string, seed = 1): number[] {
  const at = VOCABULARY.indexOf(token) * TINY_DIMENSIONS;
  return [...numbers(VOCABULARY.length * TINY_DIMENSIONS, seed).slice(at, at + TINY_DIMENSIONS)];
}

/** Writes the folder's files, and gives its path. */
export function writeTinyModel(folder: string, model: TinyModel = {}): string {
  const files: Record<string, unknown> = {
    [model.graph ?? 'model.onnx']: tinyGraph(model),
    'tokenizer.json': tokenizer(),
    ...model.files,
  };
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) continue;
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const raw = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(file, raw ? content : JSON.stringify(content));
  }
  return folder;
}

function tokenizer() {
  const added = VOCABULARY.slice(0, 4).map((content, id) => ({
    ...{ id, content, special: true },
    ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
  }));
  const mark = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const pair = [mark('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, mark('[SEP]')];
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: pair,
      pair,
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
      },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(VOCABULARY.map((token, id) => [token, id])),
    },
  };
}

function numbers(count: number, seed: number): Float32Array {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

/** The bytes of its graph, by the fields of onnx.proto. */
export function tinyGraph({
  inputs = [],
  outputs = ['last_hidden_state'],
  seed = 1,
}: TinyModel = {}): Uint8Array {
  const rows = ['batch', 'length'];
  const asked: [name: string, shape: string[]][] = [
    ['input_ids', rows],
    ['attention_mask', rows],
    ...inputs.map((one): [string, string[]] =>
      one === 'positions of one row' ? ['position_ids', ['length']] : [one, rows],
    ),
  ];
  const nodes = [node('Gather', ['vectors', 'input_ids'], 'tokens 0')];
  const weights = [tensor('vectors', VOCABULARY.length, numbers(VOCABULARY.length * TINY_DIMENSIONS, seed))];
  let last = 0;
  for (const [name] of asked.slice(2)) {
    // Rows of zeros: an input that must be there, and changes nothing.
    weights.push(tensor(`of ${name}`, POSITIONS, new Float32Array(POSITIONS * TINY_DIMENSIONS)));
    nodes.push(node('Gather', [`of ${name}`, name], `as ${name}`));
    nodes.push(node('Add', [`tokens ${last}`, `as ${name}`], `tokens ${++last}`));
  }
  const given = outputs.map((name) => {
    const whole = !/hidden|token|logits/.test(name);
    nodes.push(node(whole ? 'ReduceMean' : 'Identity', [`tokens ${last}`], name, whole));
    return value(name, 1, whole ? ['batch', TINY_DIMENSIONS] : [...rows, TINY_DIMENSIONS]);
  });
  const graph = [
    ...nodes.map((one) => field(1, one)),
    field(2, 'tiny'),
    ...weights.map((one) => field(5, one)),
    ...asked.map(([name, shape]) => field(11, value(name, 7, shape))),
    ...given.map((one) => field(12, one)),
  ];
  return Buffer.concat([field(1, 8), field(7, Buffer.concat(graph)), field(8, field(2, 13))]);
}

function node(kind: string, inputs: readonly string[], output: string, overTokens = false): Buffer {
  const named = [...inputs.map((name) => field(1, name)), field(2, output), field(4, kind)];
  if (!overTokens) return Buffer.concat(named);
  const axes = Buffer.concat([field(1, 'axes'), field(8, 1), field(20, 7)]);
  const keep = Buffer.concat([field(1, 'keepdims'), field(3, 0), field(20, 2)]);
  return Buffer.concat([...named, field(5, axes), field(5, keep)]);
}

function tensor(name: string, rows: number, data: Float32Array): Buffer {
  const raw = Buffer.from(data.buffer);
  return Buffer.concat([
    field(1, rows),
    field(1, TINY_DIMENSIONS),
    field(2, 1),
    field(8, name),
    field(9, raw),
  ]);
}

function value(name: string, type: number, shape: readonly (string | number)[]): Buffer {
  const sizes = shape.map((size) => field(1, typeof size === 'number' ? field(1, size) : field(2, size)));
  const ofTensor = Buffer.concat([field(1, type), field(2, Buffer.concat(sizes))]);
  return Buffer.concat([field(1, name), field(2, field(1, ofTensor))]);
}

/** A field of protobuf: a number as a varint, anything else with its length. */
function field(number: number, content: number | string | Uint8Array): Buffer {
  if (typeof content === 'number') return Buffer.concat([varint(number << 3), varint(content)]);
  const bytes = Buffer.from(content);
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}
