import { connect } from 'node:net';
import { json, text } from 'node:stream/consumers';

/** Has a command run by `runCommandsHere` (command-host.ts), and ends as it did. */
const [socket, ...args] = process.argv.slice(2);
const stdin = await text(process.stdin);
const connection = connect(socket);
connection.end(JSON.stringify({ args, env: process.env, folder: process.cwd(), stdin }));
const ended = await json(connection);
process.stdout.write(ended.stdout);
process.stderr.write(ended.stderr);
process.exitCode = ended.code ?? 1;
