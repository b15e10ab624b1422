import { type Sql, type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import type { McpTask, McpTaskStore } from '../tasks/mcp-task.ts';

export function createMcpTaskStore(of: StoreDatabase): McpTaskStore {
  const db = toAnyDatabase(of);
  return {
    insertTask: (task, most) =>
      db.write(function* (sql) {
        const { id, owner, createdAt, expiresAt } = task;
        yield* sql.lockName(`tasks of ${owner}`);
        yield* sql.send`DELETE FROM mcp_tasks WHERE expires_at <= ${createdAt}`;
        const held = yield* sql.get<{ count: number }>`SELECT count(*) AS count FROM mcp_tasks
          WHERE owner = ${owner}`;
        if ((held?.count ?? 0) >= most) return false;
        yield* sql.send`INSERT INTO mcp_tasks (id, owner, expires_at, task)
          VALUES (${id}, ${owner}, ${expiresAt}, ${JSON.stringify(task)})`;
        return true;
      }),
    deleteExpiredTasks: (at) =>
      db.remove(function* (sql) {
        yield* sql.send`DELETE FROM mcp_tasks WHERE expires_at <= ${at}`;
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
        yield* sql.send`UPDATE mcp_tasks SET task = ${JSON.stringify(changed)}, expires_at = ${changed.expiresAt}
          WHERE owner = ${owner} AND id = ${id}`;
        return changed;
      }),
  };
}

function* find(sql: Sql, owner: string, id: string) {
  const row = yield* sql.get<{ task: string }>`SELECT task FROM mcp_tasks
    WHERE owner = ${owner} AND id = ${id}`;
  return row && (JSON.parse(row.task) as McpTask);
}
