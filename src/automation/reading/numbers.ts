export function numberOf(text: string): number | undefined {
  const digits = text.replace(/[’'\s]/g, '').replace(/(?<![.,])[.,]+$/, '');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const mark = digits.charAt(last);
  const other = mark === '.' ? ',' : '.';
  const thousands =
    last >= 0 && !digits.includes(other) && (digits.indexOf(mark) !== last || /^\d{1,3}.\d{3}$/.test(digits));
  const plain =
    last < 0 || thousands
      ? digits.replace(/[.,]/g, '')
      : `${digits.slice(0, last).replace(/[.,]/g, '')}.${digits.slice(last + 1)}`;
  const value = Number(plain);
  return plain !== '' && Number.isFinite(value) ? value : undefined;
}
