import { afterAll, beforeAll, expect, test } from 'vitest';
import { localCaller } from '../../../../src/caller.ts';
import { loadConfig } from '../../../../src/config/config.ts';
import { createLog } from '../../../../src/log.ts';
import { createChangeNotifications } from '../../../../src/server/mcp/resources/change-notifications.ts';
import {
  checkResource,
  completeResource,
  listResources,
  readResource,
} from '../../../../src/server/mcp/resources/resources.ts';
import { createServices, type Services } from '../../../../src/wiring/services.ts';
import { withoutModel } from '../../../helpers/embeddings-api.ts';
import { environment, temporaryFolder } from '../../../helpers/magpie.ts';
import { makePdf } from '../../../helpers/pdf.ts';

/** Uploaded files as resources. */

const NAME = 'Überblick, 2 & mehr/alles.pdf';
const folder = temporaryFolder();
const signal = new AbortController().signal;
let services: Services;
let name: string;
const told: string[] = [];

beforeAll(async () => {
  const log = createLog('error');
  services = createServices(loadConfig({}, { ...environment(folder.path), ...(await withoutModel()) }), log);
  createChangeNotifications(services, log).follow('ada', (uris) => void told.push(...uris));
  const documents = await services.documents();
  const pdf = makePdf(['The first page is about magpies.', 'The second page is about apples.']);
  const bytes = async function* () {
    yield pdf;
  };
  ({ name } = await documents.addDocument('ada', NAME, bytes(), signal));
  for (let i = 0; i < 3; i++) await documents.addDocument('ada', `more-${i}.pdf`, bytes(), signal);
});
afterAll(async () => {
  await services.lifecycle.close();
  folder.remove();
});

const scope = (user: string) => ({ caller: localCaller(user, 'http'), services });
const uris = async (user: string) =>
  (await listResources(scope(user), undefined)).resources
    .map(({ uri }) => uri)
    .filter((uri) => uri.startsWith('doc:'));

type Content = Awaited<ReturnType<typeof readResource>>['contents'][number];

function textOf(content: Content | undefined): string {
  return content && 'text' in content ? content.text : '';
}

test('files are listed, described and read by parts, by their owner only [resource.kb]', async () => {
  const uri = `doc://${encodeURIComponent(name)}`;
  expect((await uris('ada')).sort()).toEqual(
    [uri, 'doc://more-0.pdf', 'doc://more-1.pdf', 'doc://more-2.pdf'].sort(),
  );
  const { contents } = await readResource(scope('ada'), uri);
  expect(JSON.parse(textOf(contents[0]))).toMatchObject({ name, pages: 2, parts: [`${uri}/parts/1`] });
  const part = await readResource(scope('ada'), `${uri}/parts/1`);
  expect(part.contents[0]).toMatchObject({ uri: `${uri}/parts/1`, mimeType: 'text/markdown' });
  expect(textOf(part.contents[0])).toMatch(/page 1 -->\s+The first page[\s\S]*page 2 -->\s+The second page/);

  expect(await uris('bob')).toEqual([]);
  for (const asked of [uri, `${uri}/parts/1`]) {
    await expect(readResource(scope('bob'), asked)).rejects.toThrow(`there is no resource "${asked}"`);
  }
});

test.each([
  'doc://',
  'doc://nothing.pdf',
  'doc://more-0.pdf/parts/2',
  'doc://more-0.pdf/parts/0',
  'doc://%E0%A4%A',
])('%s is not a resource', async (uri) => {
  await expect(readResource(scope('ada'), uri)).rejects.toThrow('there is no resource');
});

test('a subscription checks that a resource exists without reading it [resource.notices]', async () => {
  const knowledge = await services.knowledge();
  const { id } = await knowledge.insertEntry('ada', { text: 'A note to watch.' }, signal);
  const read: string[] = [];
  /** The room, which notes what is read whole. */
  const noting = <T extends object>(room: T) =>
    new Proxy(room, {
      get(target, name, receiver) {
        if (name === 'findEntry' || name === 'readPart') read.push(name);
        return Reflect.get(target, name, receiver);
      },
    });
  const watched = {
    caller: localCaller('ada', 'http'),
    services: {
      ...services,
      knowledge: async () => noting(knowledge),
      documents: async () => noting(await services.documents()),
    },
  };
  const there = [
    `kb://entries/${id}`,
    'doc://more-0.pdf',
    'doc://more-0.pdf/parts/1',
    'kb://trash',
    'kb://tags',
  ];
  for (const uri of there) await checkResource(watched, uri);
  const absent = [
    'kb://entries/ada-1',
    'doc://more-0.pdf/parts/2',
    'doc://nothing.pdf',
    'kb://tags/x',
    'no://thing',
  ];
  for (const uri of absent) {
    await expect(checkResource(watched, uri)).rejects.toThrow(`there is no resource "${uri}"`);
  }
  expect(read).toEqual([]);
  await readResource(watched, `kb://entries/${id}`);
  expect(read).toEqual(['findEntry']);
});

test('names and parts are completed', async () => {
  const template = 'doc://{fileName}/parts/{partId}';
  const names = await completeResource(scope('ada'), template, 'fileName', 'more-1');
  expect(names.values).toEqual(['more-1.pdf']);
  expect((await completeResource(scope('ada'), template, 'partId', '')).values).toEqual(['1']);
  expect((await completeResource(scope('bob'), template, 'fileName', '')).values).toEqual([]);
});

test('the removal of a file notifies with its address [resource.notices]', async () => {
  await (await services.documents()).removeDocument('ada', 'more-2.pdf');
  await expect.poll(() => told).toContain('doc://more-2.pdf');
});
