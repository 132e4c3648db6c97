import type { Word } from 'unbash';
import type { Scope } from '../../effects/scope';
import { isRawDisk, isVitalWord } from '../../verdict/vitalPlaces';
import { literal } from '../../syntax/value';
import { changedValues } from './changedValues';
import { LineReading, type Edit, type Expansion } from './lineReading';
import { anyHome, printedBy, withoutLastBreaks } from './printedText';
import { asWord, insideQuotes, wordText, quoted } from './plainWords';

/** Maximum number of texts for a line, and of their characters together. */
const maxTexts = 12;
const maxCharactersInAll = 30_000;
/** Maximum number of times that values are put in: each may make further ones known. */
const maxRounds = 10;
const maxValuesEach = 6;
const maxCharacters = 20_000;

/**
 * Returns texts that a line may amount to, with the values that it gives itself in the place of its expansions, and the
 * texts that it runs in the place of the commands that run them: `read x <<< /; rm -rf $x` becomes `rm -rf /`. Values
 * count from whichever part of the line they come. Only for a search for what every mode asks about.
 */
export function possibleTexts(text: string, scope: Scope): string[] {
  if (
    !/[$`<|]|\b(?:alias|eval|trap|PROMPT_COMMAND|GIT_WORK_TREE|parallel|BASH_ENV|ln|mount)\b|sh|argv|-D|--w|--chdir/i.test(
      text,
    )
  )
    return [];
  const ends = new Set<string>();
  const most = Math.min(maxTexts, Math.ceil(maxCharactersInAll / text.length));
  let waiting = new Set([text]);
  for (let round = 0; round < maxRounds && waiting.size > 0; round++) {
    const next = new Set<string>();
    for (const each of waiting) {
      const made = each.length > maxCharacters ? [] : withValues(each, scope);
      if (made.length === 0 && each !== text) ends.add(each);
      for (const one of made) if (next.size + ends.size < most) next.add(one);
    }
    waiting = next;
  }
  return [...ends, ...waiting];
}

/** Returns the texts after one round. Values of variables come first, so that no variable is replaced too early. */
function withValues(text: string, scope: Scope): string[] {
  const reading = new LineReading(text, scope.parse(text));
  const edits = (defines: boolean): Edit[] =>
    reading.expansions.flatMap((each) => (each.defines === defines ? (editOf(each, reading, scope) ?? []) : []));
  const found = [reading.commands, edits(true), edits(false)].find(({ length }) => length > 0);
  return found ? applied(text, found) : [];
}

/** Applies edits that do not overlap, the first of them. An edit with several texts makes several texts of the line. */
function applied(text: string, edits: readonly Edit[]): string[] {
  const ordered = edits.toSorted((a, b) => a.pos - b.pos || b.end - a.end);
  let made: { readonly text: string; readonly rest: number }[] = [{ text: '', rest: 0 }];
  let end = 0;
  for (const edit of ordered) {
    if (edit.pos < end) continue;
    end = edit.end;
    made = made
      .flatMap((before) =>
        edit.texts.map((one) => ({ text: before.text + text.slice(before.rest, edit.pos) + one, rest: edit.end })),
      )
      .slice(0, maxTexts);
  }
  return made.map((one) => one.text + text.slice(one.rest)).filter((one) => one !== text);
}

function editOf(expansion: Expansion, reading: LineReading, scope: Scope): Edit | undefined {
  const { part, alone, quoting } = expansion;
  const values = valuesAt(expansion, reading, scope);
  if (!values?.length) return undefined;
  const isList = /^\$(?:@|\{[@]|\{\w+\[@\])/.test(part.text);
  const place = alone && isList ? alone : part;
  const texts = firstValues(values).map((value) => {
    if (place === alone) return value.map(quoted).join(' ');
    if (quoting === 'double quotes' || quoting === 'here-document') return insideQuotes(value.join(' '));
    if (quoting === 'one word') return asWord(value.join(' '));
    return value
      .flatMap((word) => reading.definitions.wordsIn(word))
      .map(asWord)
      .join(' ');
  });
  return { pos: place.pos, end: place.end, texts: [...new Set(texts)] };
}

/** The values that matter most: those that name what must not be lost. */
function firstValues(values: readonly string[][]): readonly string[][] {
  const isVital = (value: readonly string[]): boolean =>
    value.some((word) => isVitalWord(literal(word)) || isRawDisk(word) || /\s/.test(word));
  return [...values.filter(isVital), ...values.filter((value) => !isVital(value))].slice(0, maxValuesEach);
}

function valuesAt(
  { part, around }: Expansion,
  { definitions }: LineReading,
  scope: Scope,
): readonly string[][] | undefined {
  if (part.type === 'CommandExpansion') {
    const printed = part.script && printedBy(part.script, around.input, definitions.functions);
    return printed === undefined ? undefined : [[withoutLastBreaks(printed)]];
  }
  const valuesOf = (name: string): readonly string[][] | undefined =>
    definitions.valuesOf(name, around.frame) ?? usual(name, scope);
  if (part.type === 'SimpleExpansion') return wholeOrFirst(part.text.slice(1), valuesOf(part.text.slice(1)));
  if (part.type !== 'ParameterExpansion' || part.prefix === '#') return undefined;
  const { parameter, index, operation } = part;
  const folder = operation && parameter === 'PWD' ? [[scope.context.workspace ?? `${anyHome}/project`]] : undefined;
  const all = valuesOf(parameter) ?? folder;
  const named = index ? atIndex(index, all) : wholeOrFirst(parameter, all);
  const values = part.prefix === '!' ? named?.flatMap(([name = '']) => valuesOf(name) ?? []) : named;
  if (!operation) return values;
  const isList = parameter === '@' || index?.text === '@';
  return operation.type === 'Slice' && isList
    ? partsOf(operation.offset.text, values)
    : changedValues(operation, values);
}

/** A name without an index is the first element of an array in bash, and the whole array in zsh. */
const wholeOrFirst = (name: string, values: readonly string[][] | undefined): readonly string[][] | undefined =>
  /^[@*]$/.test(name) ? values : values?.flatMap((list) => (list.length > 1 ? [list.slice(0, 1), list] : [list]));

/** Returns elements of arrays. Zsh counts from 1. */
function atIndex(index: Word, values: readonly string[][] | undefined): readonly string[][] | undefined {
  const text = wordText(index) ?? '';
  if (/^[@*]$/.test(text)) return values;
  const at = Number(text);
  return values?.flatMap((list) => {
    const elements = Number.isInteger(at) ? [list.at(at), list.at(at - 1)].filter((one) => one !== undefined) : list;
    return elements.map((one) => [one]);
  });
}

/** `${@:2}`, which counts from 1, and `${list[@]:1}` */
const partsOf = (offset: string, values: readonly string[][] | undefined): readonly string[][] | undefined =>
  values?.flatMap((list) => [list.slice(Number(offset) - 1), list.slice(Number(offset))]);

/** Values of variables that every shell has. */
function usual(name: string, { context }: Scope): readonly string[][] | undefined {
  const given = context.variables && Object.hasOwn(context.variables, name) ? context.variables[name] : undefined;
  if (name === 'HOME') return [['~']];
  if (name === 'USER' || name === 'LOGNAME') return [['user']];
  if (name === 'IFS') return [[' ']];
  if (name === 'PATH') return [['/usr/bin:/bin']];
  if (name === 'SHELL' || name === 'BASH' || name === '0') return [['bash']];
  return given === undefined ? undefined : [[given]];
}
