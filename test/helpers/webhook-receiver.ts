import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AlertNotification } from '../../src/monitor/types.ts';

/** A webhook's receiver on 127.0.0.1; what it got, in order. */
export interface Receiver {
  readonly url: string;
  readonly got: {
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
    readonly notification: AlertNotification;
  }[];
  /** Status of the next answers; 200 at first. */
  status: number;
  /** `raised certificate/expired`, in order. */
  events(): string[];
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const got: Receiver['got'] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push({ headers: request.headers, body, notification: JSON.parse(body) as AlertNotification });
      response.writeHead(receiver.status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    status: 200,
    events: () =>
      got.map(({ notification: { event, alert } }) => `${event.replace('alert.', '')} ${alert.finding.id}`),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return receiver;
}
