import type { Context } from 'hono';
import type { UploadForm } from '../app/form.ts';
import type { Edge } from '../http/edge.ts';
import type { Pipe } from '../invoke.ts';
import type { FramedPage } from './frame.ts';
import type { Visitor } from './visitor.ts';

/** What a page's routes get. */
export interface ConsoleParts {
  readonly pipe: Pipe;
  /** A page for those who are signed in; others get the sign-in page. */
  get(path: string, page: (c: Context<Edge>, visitor: Visitor) => Promise<FramedPage | Response>): void;
  /** A form of a page, checked to be the visitor's own; its files may have `maxBytes` together. Answers where to go on. */
  post(
    path: string,
    act: (c: Context<Edge>, visitor: Visitor, form: UploadForm) => Promise<string>,
    maxBytes?: number,
  ): void;
  /** Runs an operation as tools and REST do. AppError as theirs. */
  call(
    c: Context<Edge>,
    visitor: Visitor,
    operation: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<Record<string, unknown>>;
}
