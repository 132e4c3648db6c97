const paragraph = (index) =>
  `The parser reads line ${index} of the file, keeps **what it means** and drops \`what it does not\`; see src/parser-${index}.ts:${index + 3} for the place.`;

const code = (index) =>
  [
    '```ts',
    `export function step${index}(value: number): number {`,
    ...Array.from({ length: 6 }, (_, line) => `  const part${line} = value * ${line + index}; // keeps ${line}`),
    `  return part0 + part${index % 6};`,
    '}',
    '```',
  ].join('\n');

const list = (index) =>
  Array.from({ length: 6 }, (_, item) => `- item ${item} of ${index}: \`npm run task-${item}\` and then *look*`).join(
    '\n',
  );

const table = (index) =>
  [
    '| name | value | why |',
    '|---|---|---|',
    ...[1, 2, 3, 4].map((row) => `| \`n${row}\` | ${row * index} | as before |`),
  ].join('\n');

/** Returns about `characters` of Markdown as models write it. */
export function longAnswer(characters = 9000) {
  const parts = [];
  let length = 0;
  for (let index = 1; length < characters; index++) {
    const part = [
      `## Part ${index}`,
      paragraph(index),
      list(index),
      code(index),
      paragraph(index + 50),
      table(index),
    ].join('\n\n');
    parts.push(part);
    length += part.length + 2;
  }
  return parts.join('\n\n').slice(0, characters);
}

/** Returns a single long list, which remains one block until its end. */
export const longList = (items = 150) =>
  Array.from(
    { length: items },
    (_, item) => `- entry ${item} has \`code-${item}\` and **weight**, see src/a${item}.ts`,
  ).join('\n');

/** Returns a JavaScript file with this many lines. */
export const script = (lines) => Array.from({ length: lines }, (_, line) => `${scriptLine(line)}\n`).join('');
export const scriptLine = (line) => `export const value${String(line).padStart(4, '0')} = ${line};`;
export const editedLine = (line) => `export const value${String(line).padStart(4, '0')} = ${line} + 1;`;
