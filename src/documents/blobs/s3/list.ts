import type { S3Client } from './client.ts';
import { parseXmlAnswer, type XmlAnswer } from './xml-answer.ts';

export interface S3Item {
  readonly key: string;
  readonly at: number;
  readonly version?: string;
  readonly upload?: string;
}

export const UNSUPPORTED_CODES = ['NotImplemented', 'MethodNotAllowed'];
const MARKS = {
  NextContinuationToken: 'continuation-token',
  NextKeyMarker: 'key-marker',
  NextVersionIdMarker: 'version-id-marker',
  NextUploadIdMarker: 'upload-id-marker',
};

export async function* listObjects(client: S3Client, prefix: string): AsyncGenerator<S3Item> {
  for await (const page of listPages(client, { 'list-type': '2', prefix }))
    for (const one of page?.each('Contents') ?? []) yield itemOf(one, 'LastModified');
}

export async function* listVersions(client: S3Client, prefix: string): AsyncGenerator<S3Item> {
  for await (const page of listPages(client, { versions: '', prefix })) {
    if (!page) return yield* listObjects(client, prefix);
    for (const one of [...page.each('Version'), ...page.each('DeleteMarker')])
      yield { ...itemOf(one, 'LastModified'), version: one.get('VersionId') ?? 'null' };
  }
}

export async function* listUnfinishedUploads(client: S3Client, prefix: string): AsyncGenerator<S3Item> {
  for await (const page of listPages(client, { uploads: '', prefix }))
    for (const one of page?.each('Upload') ?? [])
      yield { ...itemOf(one, 'Initiated'), upload: one.get('UploadId') ?? '' };
}

async function* listPages(
  client: S3Client,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<XmlAnswer | undefined> {
  for (let from: Record<string, string> = {}; ; ) {
    const { code, text } = await client.ask({
      method: 'GET',
      query: { ...query, ...from },
      takes: UNSUPPORTED_CODES,
    });
    if (code !== '') return yield undefined;
    const page = parseXmlAnswer(text);
    yield page;
    if (page.of('IsTruncated') !== 'true') return;
    from = Object.fromEntries(
      Object.entries(MARKS).flatMap(([said, asked]) => {
        const mark = page.of(said);
        return mark ? [[asked, mark]] : [];
      }),
    );
  }
}

function itemOf(one: ReadonlyMap<string, string>, time: string): S3Item {
  return { key: one.get('Key') ?? '', at: Date.parse(one.get(time) ?? '') };
}
