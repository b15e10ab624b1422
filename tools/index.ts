import type { Operation } from '../src/operation.ts';
import { browse, browseByUrl, browsegiant } from './browse.ts';
import { help } from './help.ts';
import { list } from './list.ts';
import { search, searchgiant } from './search.ts';
import { ultrafastsearch } from './ultrafastsearch.ts';

/** Every operation, in README order: the only registry. */
export const operations: readonly Operation[] = [
  search,
  searchgiant,
  ultrafastsearch,
  browse,
  browsegiant,
  browseByUrl,
  list,
  help,
];
