import type { Operation } from '../src/operation.ts';
import { browse, browseByUrl, browsegiant } from './browse.ts';
import { document, pdfpro } from './document.ts';
import { help } from './help.ts';
import { list } from './list.ts';
import { listpdfs } from './listpdfs.ts';
import { pdfload } from './pdfload.ts';
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
  listpdfs,
  document,
  pdfpro,
  pdfload,
  list,
  help,
];
