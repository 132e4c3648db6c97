import fs from 'node:fs';
import type { TemporaryWorkspace } from '../../support/temporaryWorkspace';

/** Files and folders that random commands and tools work on. */
export const randomNames = [
  'a.txt',
  'b.ts',
  'sp ace.md',
  'ünï.txt',
  "quo'te",
  'dir',
  'dir/x.ts',
  'dir/deep/y.bin',
  'other',
  'new/z',
];

/** Returns a random shell command. Failures are ignored. */
export function randomCommand(random: () => number): string {
  const pick = (): string => randomNames[Math.floor(random() * randomNames.length)]!;
  const quoted = (name: string): string => `'${name.replaceAll("'", `'\\''`)}'`;
  const [one, two] = [quoted(pick()), quoted(pick())];
  const number = Math.floor(random() * 1e6);
  const commands = [
    `mkdir -p "$(dirname ${one})" && printf '%s\\nline two\\n' ${number} > ${one}`,
    `printf 'more ${number}' >> ${one}`,
    `rm -rf ${one}`,
    `mv ${one} ${two}`,
    `cp -r ${one} ${two}`,
    `ln -sfn ${two} ${one}`,
    `chmod 755 ${one}`,
    `chmod 600 ${one}`,
    `mkdir -p ${one}/empty`,
    `head -c 3000 /dev/urandom > ${one}`,
    `for i in 1 2 3 4 5 6 7 8; do mkdir -p gen/$i; echo $i ${number} > gen/$i/f; done`,
    `rm -rf gen`,
    `rm -rf ${one}; mkdir ${one}; echo ${number} > ${one}/inside`,
    `rm -rf ${one}; echo ${number} > ${one}`,
    `sed -i 's/line/row/' ${one}`,
    `find . -name '*.t*' -not -path './.git/*' -exec sh -c 'echo ${number} > "$1"' _ {} \\;`,
    `mkdir -p .git && echo ${number} > .git/HEAD`,
  ];
  return commands[Math.floor(random() * commands.length)]!;
}

/** Creates the initial content of the folder: text, bytes, a link, an empty folder, a repository. */
export function placeRandomFiles(workspace: TemporaryWorkspace, random: () => number): void {
  workspace.place('a.txt', 'one\ntwo\nthree\n');
  workspace.place('b.ts', 'export const b = 1;\r\nexport const c = 2;\r\n');
  workspace.place('dir/x.ts', '\ufeffno final newline');
  workspace.place('dir/deep/y.bin', Buffer.from([0, 1, 2, 255, 254, Math.floor(random() * 255)]));
  workspace.place('.git/HEAD', 'ref: refs/heads/main\n');
  workspace.place('.git/objects/ab/cdef', Buffer.from([1, 2, 3]));
  fs.symlinkSync('a.txt', workspace.at('other'));
  fs.mkdirSync(workspace.at('void'));
}
