/** Name of the file in which `magpie backup` lists the files that it copied. */
export const BACKUP_LIST = 'magpie-backup.json';
