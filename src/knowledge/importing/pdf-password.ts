import { AppError } from '../../errors.ts';
import type { PageReader } from '../types.ts';

export function withPassword(read: PageReader, password: string | undefined): PageReader {
  return async (raw, signal) => {
    try {
      return await read({ ...raw, password }, signal);
    } catch (error) {
      if (!(error instanceof AppError) || !/ is an encrypted PDF and /.test(error.message)) throw error;
      const how = `${error.message}: MAGPIE_PDF_PASSWORD or --pdf-password gives it, or magpie upload, which asks for it`;
      throw new AppError(error.code, how, { cause: error });
    }
  };
}
