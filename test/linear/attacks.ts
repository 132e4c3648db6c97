import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** A text that may make a regular expression slow: a prefix, a repeated part, and a suffix that does not match. */
export interface Attack {
  readonly before: string;
  readonly pump: string;
  readonly after: string;
}

export function attackText({ before, pump, after }: Attack, length: number): string {
  return before + pump.repeat(Math.ceil(length / pump.length)) + after;
}

/** Generic attacks, independent of the pattern. */
const usual = [
  'a',
  '0',
  ' ',
  '\n',
  '\t',
  '/',
  '.',
  '-',
  '_',
  '"',
  '\\',
  '<',
  '[',
  '=',
  'a ',
  'a.',
  '\\"',
  "\\'",
  '\r\n',
];
const endings = ['', '\u0000', '\n\u0000'];
const mostPumps = 45;

/**
 * Attacks for one pattern: each of its repetitions pumped after a matching prefix, and each of its prefixes repeated.
 */
export function attacksOn(source: string, flags: string): Attack[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const tries = new Map<string, { before: string; pump: string }>();
  const add = (before: string, pump: string): void => {
    if (pump !== '' && tries.size < mostPumps) tries.set(JSON.stringify([before, pump]), { before, pump });
  };
  for (const { before, pump } of repetitionsIn(pattern)) {
    add('', pump);
    add(before, pump);
  }
  for (const beginning of beginningsOf(pattern)) add('', beginning);
  for (const pump of usual) add('', pump);
  return [...tries.values()].flatMap((each) => endings.map((after) => ({ ...each, after })));
}

type Part = AST.Element | AST.Alternative | AST.Pattern;

/** Returns a shortest text that the part matches, with each repetition at least once. */
function sampleOf(part: Part, pick = 0): string {
  switch (part.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return sampleOf(part.alternatives[pick % part.alternatives.length]!, pick);
    case 'Alternative':
      return part.elements.map((element) => sampleOf(element, pick)).join('');
    case 'Quantifier':
      return sampleOf(part.element, pick).repeat(Math.min(Math.max(part.min, 1), 200));
    case 'Character':
      return String.fromCodePoint(part.value);
    case 'CharacterClass':
    case 'CharacterSet':
    case 'ExpressionCharacterClass':
      return memberOf(part, pick);
    case 'Backreference':
      return [part.resolved].flat().map((group) => sampleOf(group, pick))[0] ?? '';
    case 'Assertion':
      return part.kind === 'lookahead' && !part.negate ? sampleOf(part.alternatives[0]!, pick) : '';
    default:
      return '';
  }
}

const candidates = [...'a0 /.-_:=,;#"\'<>[](){}|&$@%+*?!~^\\`\tA\r\n\u00e9\u4e00\u001b\u009c\ufffdzXe'];

/**
 * Returns a character of the class. `pick` selects a different one each time, so that two classes meet in a shared
 * character.
 */
function memberOf(part: AST.CharacterClass | AST.CharacterSet | AST.ExpressionCharacterClass, pick: number): string {
  const mode =
    part.type === 'ExpressionCharacterClass' || part.raw.includes('\\p') || part.raw.includes('\\u{') ? 'u' : '';
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^${part.raw}$`, `${mode}s`);
  } catch {
    pattern = new RegExp(`^${part.raw}$`, 'us');
  }
  const fitting = candidates.filter((candidate) => pattern.test(candidate));
  if (fitting.length > 0) return fitting[pick % fitting.length]!;
  const first = part.type === 'CharacterClass' ? part.elements[0] : undefined;
  if (first?.type === 'Character') return String.fromCodePoint(first.value);
  if (first?.type === 'CharacterClassRange') return String.fromCodePoint(first.min.value);
  return 'a';
}

/** Each repetition without a small bound, with a text that leads up to it. */
function repetitionsIn(pattern: AST.Pattern): { before: string; pump: string }[] {
  const found: { before: string; pump: string }[] = [];
  const visit = (part: Part, before: string): void => {
    if (part.type === 'Alternative') {
      let leading = before;
      for (const element of part.elements) {
        visit(element, leading);
        leading += sampleOf(element);
      }
      return;
    }
    if (part.type === 'Quantifier') {
      if (part.max > 20) {
        const alternatives =
          part.element.type === 'Group' || part.element.type === 'CapturingGroup'
            ? part.element.alternatives.length
            : 1;
        for (let pick = 0; pick < Math.max(3, Math.min(alternatives, 6)); pick++)
          found.push({ before, pump: sampleOf(part.element, pick) });
      }
      visit(part.element as Part, before);
      return;
    }
    if ('alternatives' in part)
      for (const alternative of part.alternatives) if (alternative.type === 'Alternative') visit(alternative, before);
  };
  visit(pattern, '');
  return found;
}

/** Every prefix of every path through the pattern. Repeated, each of them starts a search for the rest. */
function beginningsOf(pattern: AST.Pattern): string[] {
  const found: string[] = [];
  for (const alternative of pattern.alternatives) {
    let text = '';
    for (const element of alternative.elements) {
      text += sampleOf(element);
      found.push(text);
    }
  }
  return found;
}
