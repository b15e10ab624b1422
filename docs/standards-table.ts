import { CATALOGUES } from '../src/compliance/catalogues/list.ts';

/** Every standard with the number of its controls, and how many of them checks cover: the table of docs/compliance.md. */
export async function standardsTable(): Promise<string> {
  const rows = await Promise.all(
    CATALOGUES.map(async ({ id, title, edition, controls }) => {
      const all = await controls();
      const covered = (reach: 'whole' | 'part') =>
        all.filter(({ coverage }) => coverage?.reach === reach).length;
      return `| \`${id}\` | ${title}, ${edition} | ${all.length} | ${covered('whole')} | ${covered('part')} |`;
    }),
  );
  return ['| id | standard | controls | whole | in part |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}
