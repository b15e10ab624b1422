import { withoutInvisible } from '../../../lib/text/invisible.ts';
import { childrenOf, findAllBelow, findByPath, parseXml, textOf, type XmlElement } from '../xml.ts';
import { escapeXmlText } from './docx-xml.ts';

const MAX_CHARACTERS = 200_000;

/** Converts an Office formula (OMML, ECMA-376 part 1, 22.1) to MathML. Missing properties get defaults. */
export function mathMLOf(formula: XmlElement, isBlock = false): string {
  const display = isBlock ? ' display="block"' : '';
  const inside = rowOf(formula);
  if (inside.length > MAX_CHARACTERS) return inside.replace(/<\/?m[ino]>/g, '').replace(/<[^<>]*>/g, ' ');
  return `<math${display}><mrow>${inside}</mrow></math>`;
}

function rowOf(parent: XmlElement | undefined, isName = false): string {
  const nodes = childrenOf(parent).map((one) => nodeOf(one, isName));
  return nodes.join('');
}

/** `isName` is true inside a function's name such as `sin`, whose letters form one word. */
function nodeOf(node: XmlElement, isName: boolean): string {
  const part = (name: string) => `<mrow>${rowOf(findByPath(node, name), isName && name === 'e')}</mrow>`;
  const property = (name: string) => findByPath(node, `${node.name}Pr`, name);
  const value = (name: string, usual: string) =>
    property(name)?.attributes.val ?? (property(name) ? '' : usual);
  switch (node.name) {
    case 'r':
      return tokensOf(node, isName);
    case 'fName':
      return rowOf(node, true);
    case 'f': {
      const type = value('type', 'bar');
      if (type === 'lin') return `${part('num')}<mo>/</mo>${part('den')}`;
      return `<mfrac${type === 'noBar' ? ' linethickness="0"' : ''}>${part('num')}${part('den')}</mfrac>`;
    }
    case 'sSup':
      return `<msup>${part('e')}${part('sup')}</msup>`;
    case 'sSub':
      return `<msub>${part('e')}${part('sub')}</msub>`;
    case 'sSubSup':
      return `<msubsup>${part('e')}${part('sub')}${part('sup')}</msubsup>`;
    case 'sPre':
      return `<msubsup><mrow></mrow>${part('sub')}${part('sup')}</msubsup>${part('e')}`;
    case 'rad':
      return textOf(findByPath(node, 'deg')).trim()
        ? `<mroot>${part('e')}${part('deg')}</mroot>`
        : `<msqrt>${part('e')}</msqrt>`;
    case 'nary':
      return `${sumOf(operator(value('chr', '∫')), part('sub'), part('sup'))}${part('e')}`;
    case 'd':
      return delimited(node, value('begChr', '('), value('sepChr', '|'), value('endChr', ')'));
    case 'acc':
      return `<mover accent="true">${part('e')}${operator(value('chr', '\u0302'))}</mover>`;
    case 'bar':
      return value('pos', 'bot') === 'top'
        ? `<mover accent="true">${part('e')}<mo>¯</mo></mover>`
        : `<munder>${part('e')}<mo>_</mo></munder>`;
    case 'groupChr':
      return value('pos', 'bot') === 'top'
        ? `<mover>${part('e')}${operator(value('chr', '⏟'))}</mover>`
        : `<munder>${part('e')}${operator(value('chr', '⏟'))}</munder>`;
    case 'limLow':
      return `<munder>${part('e')}${part('lim')}</munder>`;
    case 'limUpp':
      return `<mover>${part('e')}${part('lim')}</mover>`;
    case 'm':
      return tableOf(childrenOf(node, 'mr').map((row) => childrenOf(row, 'e')));
    case 'eqArr':
      return tableOf(childrenOf(node, 'e').map((row) => [row]));
    default:
      return /Pr$/.test(node.name) || isUnseenPhantom(node) ? '' : rowOf(node, isName);
  }
}

export function isUnseenPhantom(node: XmlElement): boolean {
  const show = findByPath(node, 'phantPr', 'show')?.attributes.val ?? '';
  return node.name === 'phant' && /^(?:0|false|off)$/.test(show);
}

function sumOf(sign: string, sub: string, sup: string): string {
  const [hasSub, hasSup] = [sub, sup].map((one) => one !== '<mrow></mrow>');
  if (hasSub && hasSup) return `<munderover>${sign}${sub}${sup}</munderover>`;
  return hasSub ? `<munder>${sign}${sub}</munder>` : hasSup ? `<mover>${sign}${sup}</mover>` : sign;
}

function delimited(node: XmlElement, begin: string, between: string, end: string): string {
  const parts = childrenOf(node, 'e').map((one) => `<mrow>${rowOf(one)}</mrow>`);
  return operator(begin) + parts.join(operator(between)) + operator(end);
}

function tableOf(rows: readonly (readonly XmlElement[])[]): string {
  const cells = (row: readonly XmlElement[]) => row.map((one) => `<mtd>${rowOf(one)}</mtd>`).join('');
  return `<mtable>${rows.map((row) => `<mtr>${cells(row)}</mtr>`).join('')}</mtable>`;
}

function operator(sign: string): string {
  return sign && `<mo>${escapeXmlText(withoutInvisible(sign))}</mo>`;
}

function tokensOf(run: XmlElement, isName: boolean): string {
  const text = withoutInvisible(childrenOf(run, 't').map(textOf).join(''));
  const properties = childrenOf(run, 'rPr');
  const isText = properties.some((one) => findByPath(one, 'nor'));
  if (isText) return `<mtext>${escapeXmlText(text)}</mtext>`;
  const isUpright = isName || properties.some((one) => findByPath(one, 'sty')?.attributes.val === 'p');
  const tokens = text.match(isUpright ? /\d+(?:[.,]\d+)?|\p{L}+|\S/gu : /\d+(?:[.,]\d+)?|\S/gu) ?? [];
  return tokens
    .map((token) => {
      const tag = /^\d/.test(token) ? 'mn' : /^\p{L}/u.test(token) ? 'mi' : 'mo';
      return `<${tag}>${escapeXmlText(token)}</${tag}>`;
    })
    .join('');
}

/** Unicode noncharacters, which occur in no text. They enclose a formula's number in a placeholder. */
const [BEGIN, END] = ['\ufdd5', '\ufdd6'];
const MAX_FORMULAS = 5000;

export function createFormulaPlaceholders() {
  const formulas: string[] = [];
  return {
    takeOut(xml: string): string {
      let [out, kept] = ['', 0];
      for (
        let at = xml.indexOf('<m:oMath');
        at >= 0 && formulas.length < MAX_FORMULAS;
        at = xml.indexOf('<m:oMath', kept)
      ) {
        const name = xml.startsWith('<m:oMathPara', at) ? 'm:oMathPara' : 'm:oMath';
        const end = xml.indexOf(`</${name}>`, at);
        if (end < 0) break;
        const until = end + name.length + '</>'.length;
        const isBlock = name === 'm:oMathPara';
        const found = findAllBelow(parseXml(xml.slice(at, until)), 'oMath');
        const all = found.map((one) => mathMLOf(one, isBlock));
        out += `${xml.slice(kept, at)}<w:r><w:t>${BEGIN}${formulas.push(all.join('')) - 1}${END}</w:t></w:r>`;
        kept = until;
      }
      return out + xml.slice(kept);
    },
    putBack: (html: string): string =>
      html.replace(FORMULA, (_all, number: string) => formulas[Number(number)] ?? ''),
  };
}

const FORMULA = new RegExp(`${BEGIN}(\\d{1,6})${END}`, 'g');
