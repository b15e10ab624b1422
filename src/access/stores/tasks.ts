import { type Sql, type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import type { McpTask, McpTaskInputs, McpTaskOutcome, McpTaskStore } from '../tasks/mcp-task.ts';

type TaskRow = Omit<McpTask, 'job' | 'inputs' | 'outcome'> & {
  readonly job: string | null;
  readonly inputs: string;
  readonly outcome: string | null;
};

export function createMcpTaskStore(of: StoreDatabase): McpTaskStore {
  const db = toAnyDatabase(of);
  return {
    insertTask: (task, most) =>
      db.write(function* (sql) {
        const { id, owner, operation, status, message, job = null, runner, createdAt } = task;
        yield* sql.lockName(`tasks of ${owner}`);
        yield* sql.send`DELETE FROM mcp_tasks WHERE expires_at <= ${createdAt}`;
        const held = yield* sql.get<{ count: number }>`SELECT count(*) AS count FROM mcp_tasks
          WHERE owner = ${owner}`;
        if ((held?.count ?? 0) >= most) return false;
        yield* sql.send`INSERT INTO mcp_tasks (id, owner, operation, status, message, job, runner, inputs,
            outcome, created_at, updated_at, beat_at, expires_at)
          VALUES (${id}, ${owner}, ${operation}, ${status}, ${message}, ${job}, ${runner},
            ${JSON.stringify(task.inputs)}, ${outcomeText(task)}, ${createdAt}, ${task.updatedAt},
            ${task.beatAt}, ${task.expiresAt})`;
        return true;
      }),
    readTask: (owner, id, at) =>
      db.read(function* (sql) {
        const task = yield* find(sql, owner, id);
        return task && task.expiresAt > at ? task : undefined;
      }),
    changeTask: (owner, id, change) =>
      db.write(function* (sql) {
        yield* sql.lockName(`task ${id}`);
        const task = yield* find(sql, owner, id);
        const changes = task && change(task);
        if (!changes) return undefined;
        const changed = { ...task, ...changes };
        yield* sql.send`UPDATE mcp_tasks SET status = ${changed.status}, message = ${changed.message},
            inputs = ${JSON.stringify(changed.inputs)}, outcome = ${outcomeText(changed)},
            updated_at = ${changed.updatedAt}, beat_at = ${changed.beatAt}, expires_at = ${changed.expiresAt}
          WHERE owner = ${owner} AND id = ${id}`;
        return changed;
      }),
  };
}

const outcomeText = ({ outcome }: McpTask): string | null =>
  outcome === undefined ? null : JSON.stringify(outcome);

function* find(sql: Sql, owner: string, id: string) {
  const row = yield* sql.get<TaskRow>`SELECT id, owner, operation, status, message, job, runner, inputs,
      outcome, created_at AS "createdAt", updated_at AS "updatedAt", beat_at AS "beatAt",
      expires_at AS "expiresAt"
    FROM mcp_tasks WHERE owner = ${owner} AND id = ${id}`;
  return row && taskOf(row);
}

function taskOf({ job, inputs, outcome, ...row }: TaskRow): McpTask {
  return {
    ...row,
    job: job ?? undefined,
    inputs: JSON.parse(inputs) as McpTaskInputs,
    outcome: outcome === null ? undefined : (JSON.parse(outcome) as McpTaskOutcome),
  };
}
