export const BACKUP_LIST = 'magpie-backup.json';
