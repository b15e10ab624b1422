import { AppError } from '../../errors.ts';

export function parseEmbeddingVectors(
  body: unknown,
  count: number,
  dimensions: number | undefined,
): Float32Array[] {
  const data = member(body, 'data');
  if (!Array.isArray(data)) throw wrong('without a list of vectors');
  if (data.length !== count) throw wrong(`with ${data.length} vectors for ${count} texts`);
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const [place, item] of data.entries()) {
    const index = member(item, 'index') ?? place;
    if (typeof index !== 'number' || !(index in vectors) || vectors[index])
      throw wrong('with vectors of no order');
    vectors[index] = unitVector(member(item, 'embedding'));
  }
  const all = vectors.filter((vector) => vector !== undefined);
  const expected = dimensions ?? all[0]?.length;
  const other = all.find(({ length }) => length !== expected);
  if (other) throw wrong(`with a vector of ${other.length} numbers where there should be ${expected}`);
  return all;
}

function unitVector(values: unknown): Float32Array {
  if (!Array.isArray(values) || values.length === 0) throw wrong('with something else than a vector');
  let squares = 0;
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong('with a vector of no numbers');
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  if (length === 0 || !Number.isFinite(length)) throw wrong('with a vector that has no direction');
  return Float32Array.from(values, (value: number) => value / length);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

function wrong(what: string): AppError {
  return new AppError(
    'upstream',
    `the embedding model answered ${what}: check the model in MAGPIE_EMBEDDER and the address in OPENAI_BASE_URL`,
  );
}
