import { Agent, setGlobalDispatcher } from 'undici';
import { afterAll, expect, test } from 'vitest';
import { environment, spawnServer, temporaryFolder } from '../helpers/magpie.ts';
import { makePdf } from '../helpers/pdf.ts';
import { residentBytes } from '../helpers/resident.ts';
import { followLink, linkOf } from '../helpers/uploads.ts';

/** Four uploads of 60 MB at once of files that are broken: a container of 1 GB survives them, and an honest file is read. */

// A busy machine needs longer for the files than the five minutes for which `fetch` waits.
setGlobalDispatcher(new Agent({ headersTimeout: 0 }));
const folder = temporaryFolder();
afterAll(() => folder.remove());
const CONTAINER_BYTES = 1_000_000_000;
/** As the readers of a machine with 1 GB have them. */
const READER_BYTES = '220000000';

/** Objects without a table of places, some of which do not end: all of it has to be searched. */
function brokenPdf(bytes: number, seed: number): Uint8Array {
  const object = (at: number) =>
    `${at} 0 obj\n<< /Type /Page /Parent ${seed} 0 R /Kids [${at + 1} 0 R] \nstream\n`;
  const body = Buffer.alloc(
    bytes,
    `%PDF-1.4\n${Array.from({ length: 2000 }, (_, at) => object(at + seed)).join('')}`,
  );
  return body;
}

test.runIf(process.platform === 'linux')(
  'the server and its readers stay within 1 GB',
  async () => {
    const server = await spawnServer({
      ...environment(folder.path),
      MAGPIE_READER_BYTES: READER_BYTES,
      MAGPIE_OCR: 'off',
    });
    const pid = server.process.pid ?? 0;
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, residentBytes(pid));
    }, 100);
    try {
      const visitor = await followLink(await linkOf(server.url));
      const answers = await Promise.all(
        [1, 2, 3, 4].map((at) => visitor.put(`broken-${at}.pdf`, brokenPdf(60_000_000, at))),
      );
      for (const answer of answers) {
        expect([413, 415]).toContain(answer.status);
        expect(await answer.text()).toMatch(
          /broken PDF|is broken|needs more memory to read|needs more memory than/,
        );
      }
      const honest = await visitor.put('honest.pdf', makePdf(['Magpies build nests.']));
      expect(honest.status).toBeLessThan(300);
    } finally {
      clearInterval(watch);
      await server.stop();
    }
    expect(most).toBeLessThan(CONTAINER_BYTES);
  },
  900_000,
);
