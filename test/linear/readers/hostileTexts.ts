/** A text of any requested length that is expensive to read. */
export interface HostileText {
  readonly name: string;
  /** Nesting depth is half of the text's length. */
  readonly nests?: true;
  write(length: number): string;
}

const repeated = (unit: string): HostileText => ({
  name: `repeated ${JSON.stringify(unit)}`,
  write: (length) => unit.repeat(Math.ceil(length / unit.length)),
});

/** Only opening parts, then opening and closing parts: nested as deep as half of the text allows. */
function nested(open: string, close: string): HostileText[] {
  const inner = 'a';
  return [
    {
      name: `nested ${JSON.stringify(open)} … ${JSON.stringify(close)}`,
      nests: true,
      write(length) {
        const depth = Math.ceil(length / (open.length + close.length));
        return open.repeat(depth) + inner + close.repeat(depth);
      },
    },
    repeated(open),
  ];
}

const singleCharacters = [...'a0 \n\t"\'\\/<>{[($`-=*.:,;|&#@%!~^_\0é😀', '\r\n', '\u001b'];

const alternating = [
  'a ',
  'a\n',
  'a.',
  'a/',
  'a=',
  'a:',
  'a,',
  'a;',
  'a-',
  '"a" ',
  '\\"',
  "\\'",
  '\\\\',
  '"\'',
  '\r\n\n',
  ' \n',
  '\t\n',
  '= =',
  'Aé',
];

/** Beginnings of constructs that a reader knows, never completed. */
const nearMisses = [
  '://a',
  'a://',
  'user:pass@',
  'token=',
  'sk-',
  'eyJ',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----\n',
  '-----END ',
  '---\n',
  '+++\n',
  '--- a\n',
  '+++ b\n',
  '@@ -1,1 +1,1 @@\n',
  'diff --git a/a b/a\n',
  '*** Begin Patch\n',
  '*** Update File: a\n',
  '*** Add File: a\n+a\n',
  '```\n',
  '```bash\n',
  '<a',
  '<a ',
  '</a',
  '</a>',
  '<!--',
  '<![CDATA[',
  '&lt;',
  '&#',
  '{{',
  '{%',
  '{#',
  '{{ a }}',
  '{% if a %}',
  '<<a\n',
  "<<'a'\n",
  '$((',
  '${a:-',
  '$(a ',
  '`a ',
  '; a',
  ' | a',
  ' && a',
  ' > a',
  ' \\\n',
  'a() { ',
  'if a; then ',
  'while a; do ',
  'for a in a; do ',
  'case a in a) ',
  'function a { ',
  'a: b\n',
  'a: a\n\ta\n',
  'a = $(a)\n',
  'export A=a\n',
  '@a',
  '@a/b ',
  '/a ',
  '# a\n',
  '- a\n',
  '  - a\n',
  'a: [',
  'a: {',
  '&a *a ',
  '1. a\n',
  'PATH=a:',
  'data: a\n\n',
  '"a": "b", ',
  '{"a":1}\n',
  '{"a":"',
  "{'a':",
  '[1,',
  '// a\n',
  '/* a ',
  '[a]\n',
  '[a "b"]\n',
  'BEGIN { ',
  's/a/b/;',
  '{a,b}',
  '**/',
  '*a',
  '[a-',
  '!(a|',
  'VAR_NAME ',
  'THOUGHT: ',
  '<think>',
  '<tool_call>',
  '<StructuredResponse>',
  '<Action>',
  '{"StructuredResponse":',
  'FROM a\n',
  'services:\n  a:\n',
  '%a%',
  '^\n',
  'for %a in (a) do ',
  '@"\n',
  '@{a=',
  '\u202e',
  '\u200b',
  '\ud800',
  'state A {\n  A : words\n  x --> y\n}\n',
  'namespace A {\n  class `namespace A`\n  class x\n}\nx --> `namespace A`\n',
  'subgraph A (2)\nsubgraph A\nend\nsubgraph A\nb --> c\nend\nend\n',
];

const pairs: readonly (readonly [open: string, close: string])[] = [
  ['(', ')'],
  ['((', '))'],
  ['[', ']'],
  ['{', '}'],
  ['{"a":', '}'],
  ['[[', ']]'],
  ['$(', ')'],
  ['$((', '))'],
  ['${a:-', '}'],
  ['"$(', ')"'],
  ['{ ', ' }'],
  ['( ', ' )'],
  ['<(', ')'],
  ['<a>', '</a>'],
  ['<args>', '</args>'],
  ['<Actions>', '</Actions>'],
  ['<think>', '</think>'],
  ['{{ ', ' }}'],
  ['{% if a %}', '{% endif %}'],
  ['if a; then ', '; fi'],
  ['while a; do ', '; done'],
  ['a() { ', '; }'],
  ['case a in a) ', ';; esac'],
  ['! ', ''],
  ['- ', ''],
  ['a: ', ''],
  ['> ', ''],
  ['bash -c "', '"'],
  ["eval '", "'"],
  ['sudo ', ''],
  ['env ', ''],
  ['A=a ', ''],
  ['not ', ''],
  ['a.', ''],
  ['a(', ')'],
  ['@(', ')'],
  ['& { ', ' }'],
  ['\\(', '\\)'],
];

/** Distinct words, with `before` and `after` around each. */
const differing = (before: string, after: string): HostileText => ({
  name: `differing words in ${JSON.stringify([before, after])}`,
  write(length) {
    const words: string[] = [];
    let written = 0;
    for (let number = 46_656; written < length; number++) {
      const word = `${before}w${number.toString(36)}${after}`;
      words.push(word);
      written += word.length;
    }
    return words.join('');
  },
});

const around: readonly (readonly [before: string, after: string])[] = [
  ['', ' '],
  ['', '\n'],
  ['', '/'],
  ['', ','],
  ['', '; '],
  ['', ': 1\n'],
  ['', '=1\n'],
  ['-', '\n'],
  ['+', '\n'],
  ['@', ' '],
  ['https://', '.com '],
  ['<', '>'],
  ['<', '>1</a>'],
  ['"', '": 1,'],
  ['[', ']\n'],
  ['*** Delete File: ', '\n'],
  ['--- ', '\n+++ a\n@@ -1 +1 @@\n-a\n+b\n'],
  ['', ':\n\techo\n'],
  ['', '() { echo; }; '],
  ['{{ ', ' }}'],
  ['$', ' '],
  ['x=$', '; '],
];

/** Names that each stand for eight of the previous one: expanding them never ends. */
const growing = (
  name: string,
  first: string,
  next: (at: number, before: string) => string,
  last = '',
): HostileText => ({
  name: `names that stand for names of ${name}`,
  write(length) {
    const lines = [first];
    let written = first.length + last.length;
    for (let at = 1; ; at++) {
      const line = next(at, `a${at - 1}`);
      written += line.length;
      if (written > length) return lines.join('') + last;
      lines.push(line);
    }
  },
});
const eight = (text: string): string => text.repeat(8);

const growingNames = [
  growing('a shell', 'a0=aaaaaaaa; ', (at, before) => `a${at}=${eight(`$${before}`)}; ls $a${at}; `),
  growing('a shell that quotes', 'a0=aaaaaaaa; ', (at, before) => `a${at}="${eight(`\${${before}}`)}"; ls "$a${at}"; `),
  growing('cmd', 'set a0=aaaaaaaa\n', (at, before) => `set a${at}=${eight(`%${before}%`)}\necho %a${at}%\n`),
  growing('PowerShell', '$a0="aaaaaaaa"; ', (at, before) => `$a${at}="${eight(`$${before}`)}"; ls $a${at}; `),
  growing('make', 'a0 = aaaaaaaa\n', (at, before) => `a${at} = ${eight(`$(${before})`)}\na:\n\tls $(a${at})\n`),
  growing('YAML', 'a0: &a0 [a]\n', (at, before) => `a${at}: &a${at} [${eight(`*${before}, `)}]\n`),
  growing(
    'a template',
    '{% set a0 = "aaaaaaaa" %}',
    (at, before) => `{% set a${at} = ${eight(`${before} ~ `)}"" %}{{ a${at} }}`,
  ),
  growing('braces', '', () => 'ls {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}; '),
];

/** ★ Texts that every reader must process in linear time. */
export const hostileTexts: readonly HostileText[] = [
  ...singleCharacters.map(repeated),
  ...alternating.map(repeated),
  ...nearMisses.map(repeated),
  ...around.map(([before, after]) => differing(before, after)),
  ...pairs.flatMap(([open, close]) => nested(open, close)),
  ...growingNames,
];
