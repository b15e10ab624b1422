import { parseMonthName } from '../../lib/time/month-names.ts';

export const PUBLISHED_LABEL =
  /publi[ée]|publis(?:h|ert)|publica[dt]|(?<!re)publik[ao]|publicer|\bpost(?:ed)?\b|issued|released|veröffentlicht|erschienen|paru|pubblicat|gepubliceerd|geplaatst|udgivet|julkais|megjelen|közzét|yayın|objavljen|опубл[иі]к|δημοσ|نشر|انتشار|פורסם|प्रकाशित|เผยแพร่|đăng|diterbitkan|发布|發布|发表|發表|公開|投稿|掲載|등록|입력|작성/iu;
export const UPDATED_LABEL =
  /updat|modif|aktuali[sz]|geändert|mis(?:e)? à jour|ac?tualiz|aggiornat|bijgewerkt|gewijzigd|uppdat|op?pdater|päivit|frissít|güncel|ažurirano|обновлен|оновлен|изменен|ενημερ|تحديث|روزرسانی|עודכן|अपडेट|อัปเดต|cập nhật|diperbarui|更新|수정|revis|edited|reviewed|last (?:changed|saved)/iu;
export const OTHER_LABEL =
  /\b(?:event|when|wann|doors|starts?|begins?|ends?|takes place|held|findet statt|termin|veranstaltung|quand|cuándo|deadline|closing|closes|expires?|valid|due|born|died|founded|since|seit|copyright|accessed|retrieved|joined|registered|effective|geboren|concert|exhibition|performance|konzert|ausstellung|(?!publi|post|releas|issu|articl|updat|submi|creat|press)\p{L}{1,20} date|photo|photograph|picture|image|foto|bild|taken)\b|©|日時|開催|会期|时间：|일시/iu;

/** Matches a range of dates or times, but not `March 5, 2024 - 10 min read`, where a duration follows. */
const RANGE =
  /(?<!\d[:./-]?)\d{1,2}(?:st|nd|rd|th)?\.? ?(?:[–—-]|to|bis|au|al|и) ?\d{1,2}\.? ?\p{L}{3}|\p{L}{3} \d{1,2} ?[–—-] ?\d{1,2},? \d{4}|\d[:.]\d\d ?[–—-] ?\d{1,2}[:.]\d\d|[日일号] ?[~〜～–—-] ?\d/u;

const TO_DAY =
  /\d(?:er|st|nd|rd|th|\.)? ?(?:(?:de |of )?\p{L}{3,14}\.? ?)?(?:[–—~-]|to|until|bis|au|al|a|tot|t\/m|do|až|til|till|и|по) ?(?:(\p{L}{3,14})\.? )?\d{1,2}(?:er|st|nd|rd|th|\.)? ?(?:(?:de |of )?(\p{L}{3,14}))?/u;

export function hasRange(line: string): boolean {
  const [, before = '', after = ''] = TO_DAY.exec(line) ?? [];
  return RANGE.test(line) || [before, after].some((word) => parseMonthName(word) !== undefined);
}
