import type { Context } from 'hono';
import type { Wishes } from '../../operation.ts';
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
  /**
   * A form of a page, checked to be the visitor's own; its files may have `maxBytes` together. Answers where to go on, or the page that
   * comes in its place: with what was given, and why it did not do.
   */
  post(
    path: string,
    act: (c: Context<Edge>, visitor: Visitor, form: UploadForm) => Promise<string | FramedPage>,
    maxBytes?: number,
  ): void;
  /** Runs an operation as tools and REST do. AppError as theirs. */
  call(
    c: Context<Edge>,
    visitor: Visitor,
    operation: string,
    input: Readonly<Record<string, unknown>>,
    wishes?: Wishes,
  ): Promise<Record<string, unknown>>;
}
