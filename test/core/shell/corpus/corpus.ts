import fs from 'node:fs';
import path from 'node:path';
import { cases } from '../cases';

interface Labelled {
  readonly command: string;
  readonly expected: string;
  readonly tags: readonly string[];
  readonly borderline?: unknown;
}

const file = path.join(process.env['REPOSITORY']!, '../shared/corpus/commands.dev.jsonl');
const shared = fs.existsSync(file)
  ? fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Labelled)
  : [];
const own = Object.values(cases).flatMap((levels) =>
  Object.entries(levels).flatMap(([expected, commands]) =>
    commands.map((command): Labelled => ({ command, expected, tags: ['shell:bash'] })),
  ),
);

/** Our own labelled commands, and those of the shared corpus if it exists. */
export const inBash = [...own, ...shared].filter(({ tags }) => tags.includes('shell:bash'));
