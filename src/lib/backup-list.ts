/** The file in which `magpie backup` lists what it has copied. */
export const BACKUP_LIST = 'magpie-backup.json';
