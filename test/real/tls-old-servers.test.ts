import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { protocol } from '../../src/monitor/checks/protocol.ts';
import { isInconclusiveResult } from '../../src/monitor/probing/check.ts';
import { makeCertificate } from '../helpers/certificates.ts';
import { probeContext } from '../helpers/probe-context.ts';
import { root } from '../helpers/test-authority.ts';
import { VERDICTS } from '../monitor/tls-verdicts.ts';

/** SSL 3, RC4 and 3DES as tlslite-ng serves them; the path of a Python that has it is in MAGPIE_TEST_TLSLITE. */

const PYTHON = process.env.MAGPIE_TEST_TLSLITE ?? 'python3';
const PROGRAM = fileURLToPath(new URL('../helpers/tlslite-server.py', import.meta.url));

async function start(kind: string) {
  const { keyPem, pem } = makeCertificate({
    subject: 'a server',
    names: ['localhost'],
    by: root,
    key: 'rsa2048',
  });
  const server = spawn(PYTHON, [PROGRAM, kind], { stdio: ['pipe', 'pipe', 'inherit'] });
  server.stdin.write(`${keyPem}${pem}END\n`);
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return { port: Number(line.toString()), stop: () => server.kill('SIGKILL') };
}

test.each(Object.entries(VERDICTS).filter(([, { by }]) => by === 'tlslite-ng'))(
  'a weakness of an old server is found: %s',
  async (name, { magpie }) => {
    const { port, stop } = await start(name.replace(' ', 'v').toLowerCase());
    const probe = probeContext({ infrastructure: { allow: ['localhost'], authority: root.pem } });
    const target = { kind: 'host' as const, name: 'localhost', ports: [port], tls: [port], closed: [] };
    const result = await protocol.run(target, probe).finally(stop);
    if (isInconclusiveResult(result)) throw new Error(result.unseen);
    const found = result.problems.map(({ rule }) => (rule.score === 0 ? `(${rule.id})` : rule.id));
    expect(found).toEqual(magpie);
  },
);
