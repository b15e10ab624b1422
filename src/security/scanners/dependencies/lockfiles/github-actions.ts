import type { LockfileParseFunction } from '../lockfile-reader.ts';

const USED = /^([\w.-]{1,100}\/[\w.-]{1,100})(?:\/[^@\s]{0,300})?@([\w./-]{1,200})$/;
/** Matches the tag of a single release, `v4.1.2`, but not `v4`, which its owner moves to later releases. */
const RELEASE = /^v?\d{1,9}\.\d{1,9}\.\d{1,9}/;

/** Reads actions in GitHub workflows. The version is the tag after @, or in the comment after a commit id. */
export const githubActions: LockfileParseFunction = (text, collector) => {
  text.split(/\r?\n/).forEach((content, at) => {
    const line = content.trimStart();
    const uses = line.startsWith('- ') ? line.slice(2).trimStart() : line;
    if (!uses.startsWith('uses:')) return;
    const [used = '', comment = ''] = uses.slice('uses:'.length).split(' #', 2);
    const [, name, ref = ''] = USED.exec(used.trim().replace(/^["']|["']$/g, '')) ?? [];
    const tag = [ref, comment.trim()].find((one) => RELEASE.test(one));
    if (name === undefined || tag === undefined) return;
    const [version = ''] = tag.replace(/^v/, '').split(' ', 1);
    collector.addDirect(collector.addPackage({ name: name.toLowerCase(), version, line: at + 1 }));
  });
};
