import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseFailure } from '../../../src/errors.ts';
import { takeExclusiveLock } from '../../../src/storage/postgres/database-lock.ts';
import { databaseError } from '../../../src/storage/postgres/errors.ts';

/** A server that takes connections and says nothing. */

let server: Server;
let url: string;
const sockets: Socket[] = [];
beforeEach(async () => {
  server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `postgres://ada:marked@127.0.0.1:${(server.address() as AddressInfo).port}/magpie`;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

test('a silent server is given up', async () => {
  await expect(takeExclusiveLock(url, 'db.example/magpie', { answerMs: 100 })).rejects.toMatchObject({
    code: 'unavailable',
    message: 'the database db.example/magpie does not answer; try again',
  });
});

test.each(['timeout expired', 'timeout exceeded when trying to connect', 'Query read timeout'])(
  'the error of the client "%s" says that the database does not answer',
  (message) => {
    expect(databaseError(new Error(message), 'db.example/magpie')).toMatchObject({ code: 'unavailable' });
  },
);

test('a missing socket is a database that does not answer, and a missing file is not', () => {
  const lost = Object.assign(new Error('connect ENOENT'), { code: 'ENOENT', syscall: 'connect' });
  expect(databaseError(lost, 'db.example/magpie')).toBeInstanceOf(DatabaseFailure);
  const file = Object.assign(new Error('open ENOENT'), { code: 'ENOENT', syscall: 'open' });
  expect(databaseError(file, 'db.example/magpie')).toBe(file);
});

test('the reason of an aborted call stays unchanged, though its code is a number', () => {
  const reason = new DOMException('given up', 'AbortError');
  expect(databaseError(reason, 'db.example/magpie')).toBe(reason);
});
