import { unavailableError } from '../../../errors.ts';
import type { Sql, StepGenerator } from '../../../storage/any-database.ts';

const MAX_MODELS = 120;

export function* findModelId(sql: Sql, name: string): StepGenerator<number | undefined> {
  return (yield* sql.get<{ id: number }>`SELECT id FROM kb_models WHERE name = ${name}`)?.id;
}

export function* ensureModelId(sql: Sql, name: string): StepGenerator<number> {
  const known = yield* findModelId(sql, name);
  if (known !== undefined) return known;
  yield* sql.lockName('models of the knowledge base');
  const meanwhile = yield* findModelId(sql, name);
  if (meanwhile !== undefined) return meanwhile;
  const taken = new Set((yield* sql.all<{ id: number }>('SELECT id FROM kb_models')).map(({ id }) => id));
  let id = 1;
  while (taken.has(id)) id++;
  if (id > MAX_MODELS) {
    throw unavailableError('the database has vectors of too many models; try again in 5 minutes');
  }
  yield* sql.send`INSERT INTO kb_models (id, name, used_at) VALUES (${id}, ${name}, ${Date.now()})`;
  return id;
}

export function* renameModel(sql: Sql, id: number, name: string): StepGenerator<void> {
  yield* sql.send`UPDATE kb_models SET name = ${name}, used_at = 0 WHERE id = ${id}`;
}

export function* firstUnembeddedPassage(sql: Sql, model: string, owner: number): StepGenerator<number> {
  const row = yield* sql.get<{ below: number }>`SELECT below FROM kb_embedded
    WHERE model = (SELECT id FROM kb_models WHERE name = ${model}) AND owner = ${owner}`;
  // The stored value is 0 while the owner's vectors of the model are being deleted.
  return Math.max(1, row?.below ?? 1);
}
