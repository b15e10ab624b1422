export const BACKUP_MANIFEST_FILE = 'magpie-backup.json';
