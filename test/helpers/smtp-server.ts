import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A mail that arrived. */
export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

/** A mail server on 127.0.0.1 that holds to the dialogue of RFC 5321, with AUTH PLAIN for one user. */
export interface SmtpServer {
  readonly url: string;
  readonly mails: Mail[];
  /** Refuses recipients from now on. */
  refusing: boolean;
  close(): Promise<void>;
}

export async function startSmtpServer(user: string, password: string): Promise<SmtpServer> {
  const pass = Buffer.from(`\0${user}\0${password}`).toString('base64');
  const server = createServer((socket) => {
    let [text, from, known] = ['', '', false];
    let to: string[] = [];
    let data: string[] | undefined;
    const say = (line: string) => socket.write(`${line}\r\n`);
    socket.on('error', () => {});
    say('220 mail.test ESMTP');
    const hear = (line: string): unknown => {
      if (data) {
        if (line !== '.') return data.push(line.replace(/^\./, ''));
        smtp.mails.push({ from, to, text: data.join('\n') });
        [data, to] = [undefined, []];
        return say('250 2.0.0 taken');
      }
      const [, verb = '', rest = ''] = /^(\w+)\s?(.*)$/.exec(line) ?? [];
      if (/^EHLO$/i.test(verb)) return socket.write('250-mail.test\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n');
      if (/^AUTH$/i.test(verb)) {
        known = rest === `PLAIN ${pass}`;
        return say(known ? '235 2.7.0 welcome' : '535 5.7.8 who are you');
      }
      if (/^QUIT$/i.test(verb)) return socket.end('221 2.0.0 bye\r\n');
      if (!known) return say('530 5.7.0 authenticate first');
      const address = /<([^>]*)>/.exec(rest)?.[1] ?? '';
      if (/^MAIL$/i.test(verb)) {
        from = address;
        return say('250 2.1.0 fine');
      }
      if (/^RCPT$/i.test(verb)) {
        if (smtp.refusing) return say('550 5.1.1 nobody here');
        to.push(address);
        return say('250 2.1.5 fine');
      }
      if (/^DATA$/i.test(verb) && to.length > 0) {
        data = [];
        return say('354 go on');
      }
      return say('503 5.5.1 not now');
    };
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n')) {
        const line = text.slice(0, at);
        text = text.slice(at + 2);
        hear(line);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const smtp: SmtpServer = {
    url: `smtp://${user}:${password}@127.0.0.1:${port}`,
    mails: [],
    refusing: false,
    close: () => new Promise((done) => void server.close(() => done())),
  };
  return smtp;
}
