import { anyOf, sequence } from '../../text/alternatives';

/** A variable that gets a literal text: `d = "/"`, `$d='/'`, `const d = "/"`. */
const constant = /(?<![\w.$@])[$@]?([a-zA-Z_]\w{0,30})[ \t]{0,4}:?=[ \t]{0,4}(?:[rbu]?(['"`])([^'"`\n\\]{1,100})\2)/g;
/** Two literal texts that are joined: `'rm -rf ' + '/'`, `"a"."b"`. */
const joined = /(['"`])([^'"`\n]{0,200})\1[ \t]{0,4}(?:\+|\.{1,2}|<>)[ \t]{0,4}(['"`])([^'"`\n]{0,200})\3/g;
/** `"rm -rf " "/"` */
const besides = /(["'])([^'"`\n]{1,200})\1[ \t]{1,4}\1([^'"`\n]{1,200})\1/g;
/** `chr(47)`, `String.fromCharCode(47)` */
const character = sequence([anyOf(['chr String.fromCharCode char']), /\((\d{2,3}|0x[\da-f]{2})\)/], 'gi');
/** `path.sep` */
const separator =
  /(?<!\w)(?:(?:os\.)?path|os|require\(['"](?:node:)?path['"]\)|File)(?:\.sep(?:arator)?\b|::SEPARATOR\b)/g;
/** Escapes of a slash and a tilde. */
const escapedSlash = /\\(?:x2f|u002f|57|057)/gi;
const escapedTilde = /\\(?:x7e|u007e|176)/gi;

/** A variable where it is used: `${d}`, `#{d}`, `{d}`, `$d`, `(d)`, `+ d`. */
const uses = anyOf(
  [
    /[$#]?\{([a-zA-Z_]\w{0,30})\}/,
    /\$([a-zA-Z_]\w{0,30})(?!\w)(?![ \t]{0,4}=)/,
    /(?<=[(,[+.&"' \t])([a-zA-Z_]\w{0,30})(?=[ \t]{0,4}[),;\]+&"'}.])/,
  ],
  'g',
);

const maxConstants = 20;
const maxLength = 20_000;

/**
 * Returns code with the literal texts in the place of the variables that have them, and joined texts as one:
 * `d = '/'; rmtree(d)` becomes `…; rmtree('/')`.
 */
export function withConstants(code: string): string {
  if (code.length > maxLength) return code;
  let plain = code
    .replace(escapedSlash, '/')
    .replace(escapedTilde, '~')
    .replace(separator, "'/'")
    .replace(character, (written, number: string) => quotedSign(Number(number)) ?? written);
  const constants = new Map<string, string>();
  for (const [, name = '', , text = ''] of [...plain.matchAll(constant)].slice(0, maxConstants))
    constants.set(name, text);
  plain = plain.replace(uses, (written, ...found: readonly unknown[]) => {
    const text = constants.get(found.slice(0, 3).find((name) => name !== undefined) as string);
    if (text === undefined) return written;
    return isInText(plain, found[3] as number) ? text : `'${text}'`;
  });
  for (let round = 0; round < 4; round++) plain = plain.replace(joined, "'$2$4'").replace(besides, '$1$2$3$1');
  return plain;
}

/** Returns whether a position is inside quotation marks of its line. */
function isInText(code: string, at: number): boolean {
  const before = code.slice(code.lastIndexOf('\n', at - 1) + 1, at);
  let mark = '';
  for (const sign of before) {
    if (mark === '' && /['"`]/.test(sign)) mark = sign;
    else if (sign === mark) mark = '';
  }
  return mark !== '';
}

const quotedSign = (code: number): string | undefined =>
  code === 47 || code === 126 ? `'${String.fromCharCode(code)}'` : undefined;
