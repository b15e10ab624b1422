import { expect, test, vi } from 'vitest';
import { createLog } from '../../../../src/log.ts';
import { createChangeNotifications } from '../../../../src/server/mcp/resources/change-notifications.ts';

/** Changes of monitors, as the rooms report them: `change(owner, id)`. */
function notifications() {
  let change: (owner: string, id: string) => void = () => {};
  const lines: string[] = [];
  const rooms = {
    onKnowledgeChange: () => () => {},
    onMonitorChange(listener: typeof change) {
      change = listener;
      return () => {};
    },
    knowledge: () => Promise.reject(new Error('there are no rooms here')),
    monitor: () => Promise.reject(new Error('there are no rooms here')),
  };
  const made = createChangeNotifications(
    rooms,
    createLog('warn', (line) => lines.push(line)),
  );
  return { ...made, lines, change: (owner: string, id: string) => change(owner, id) };
}

test('a connection that cannot be notified does not affect other connections', async () => {
  const { follow, change, lines } = notifications();
  const heard: string[] = [];
  follow('ada', () => {
    throw new Error('the pipe is closed');
  });
  follow('ada', (uris) => void heard.push(...uris));
  change('ada', 'shop');
  await vi.waitUntil(() => heard.length > 0, { timeout: 60_000 });
  expect(lines).toEqual([expect.stringContaining('a connection could not be notified of a change')]);
});

test('no one is notified when permissions cannot be checked, and the process continues', async () => {
  const { follow, change, beforeNotifying, lines } = notifications();
  const heard: string[] = [];
  follow('ada', (uris) => void heard.push(...uris));
  let isBroken = true;
  beforeNotifying(async () => {
    if (isBroken) throw new Error('the database is busy');
  });
  change('ada', 'shop');
  await vi.waitUntil(() => lines.length > 0, { timeout: 60_000 });
  expect(heard).toEqual([]);
  isBroken = false;
  change('ada', 'wiki');
  await vi.waitUntil(() => heard.length > 0, { timeout: 60_000 });
  expect(heard).toEqual([expect.stringContaining('wiki')]);
});
