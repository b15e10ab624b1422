import { randomBytes } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { readHistory } from '../history/history.ts';
import type { MonitorStores, StoredMonitor } from '../store.ts';
import type { MonitorDirectory } from '../targets/directory.ts';
import type { Monitor, Monitored } from '../types.ts';
import { buildStatusPage, type StatusPageMonitor } from './build-status-page.ts';
import type { StoredStatusPage } from './status-page-store.ts';
import type { StatusPageSettingChanges, StatusPageSettings } from './status-page-types.ts';

export interface StatusPageParts {
  readonly stores: MonitorStores;
  readonly directory: MonitorDirectory;
  read(monitor: StoredMonitor): Promise<Monitored>;
}

type Paging = Pick<Monitor, 'setPage' | 'getPage' | 'removePage' | 'findStatusPage'>;

const SLUG = /^[a-z0-9](?:[a-z0-9-]{1,58}[a-z0-9])?$/;
const [MIN_SLUG_CHARACTERS, MAX_TITLE_CHARACTERS] = [3, 100];
const [SLUG_BYTES, SALT_BYTES] = [16, 16];
const DEFAULT_TITLE = 'Status';

export function createStatusPageManager({ stores, directory, read }: StatusPageParts): Paging {
  async function pagedOf(monitor: StoredMonitor, now: number): Promise<StatusPageMonitor> {
    const infrastructure = directory.infrastructureOf(monitor);
    const targets = (infrastructure?.targets ?? [])
      .filter(({ kind }) => kind !== 'repository')
      .map(({ name }) => name);
    const [monitored, history] = [
      await read(monitor),
      await readHistory(stores.history, monitor.key, targets, now),
    ];
    return { key: monitor.key, monitor: monitored, history, isNamed: infrastructure?.source === 'inventory' };
  }

  return {
    async getPage(owner) {
      const page = await stores.pages.findPage(owner);
      return page && settingsOf(page);
    },
    async setPage(owner, given) {
      checkPage(given);
      const before = await stores.pages.findPage(owner);
      const page: StoredStatusPage = {
        owner,
        slug: given.slug ?? before?.slug ?? randomBytes(SLUG_BYTES).toString('hex'),
        title: given.title ?? before?.title ?? DEFAULT_TITLE,
        addresses: given.addresses ?? before?.addresses ?? false,
        salt: before?.salt ?? randomBytes(SALT_BYTES).toString('hex'),
      };
      if (!(await stores.pages.putPage(page))) {
        throw new AppError('bad_request', `the slug ${page.slug} is taken: choose another`);
      }
      return settingsOf(page);
    },
    removePage: (owner) => stores.pages.removePage(owner),
    async findStatusPage(slug) {
      const page = SLUG.test(slug) ? await stores.pages.findBySlug(slug) : undefined;
      if (!page) return undefined;
      return {
        mark: JSON.stringify(page),
        async read() {
          const now = Date.now();
          const monitors: StatusPageMonitor[] = [];
          // One monitor after the other, so that a page of a hundred monitors does not block other calls.
          for (const one of await stores.monitors.listMonitors(page.owner)) {
            monitors.push(await pagedOf(one, now));
          }
          return buildStatusPage(page, monitors, now);
        },
      };
    },
  };
}

function settingsOf({ slug, title, addresses }: StoredStatusPage): StatusPageSettings {
  return { slug, title, addresses };
}

function checkPage({ slug, title }: StatusPageSettingChanges): void {
  if (slug !== undefined && (slug.length < MIN_SLUG_CHARACTERS || !SLUG.test(slug))) {
    throw new AppError('bad_request', 'slug takes 3 to 60 lower-case letters, digits and hyphens');
  }
  if (title !== undefined && (title.trim() === '' || title.length > MAX_TITLE_CHARACTERS)) {
    throw new AppError('bad_request', `title takes 1 to ${MAX_TITLE_CHARACTERS} characters`);
  }
}
