import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { ripgrepSearch } from '../../../src/adapters/search/ripgrep';
import { textVersion } from '../../../src/adapters/files/textVersion';
import { FileProblem } from '../../../src/core/ports/files';
import type { Environment } from '../../../src/core/ports/environment';
import type { Tool } from '../../../src/core/ports/tool';
import { knownToolsets } from '../../../src/core/tools/toolsets';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';
import { attempts } from './tools';
import { untouched } from '../../support/toolContext';

const pathTools = [
  ...new Map(
    knownToolsets
      .flatMap(({ tools }) => tools)
      .filter(({ name }) => name in attempts)
      .map((tool) => [`${tool.name} ${tool.description}`, tool]),
  ).values(),
];
const files: Readonly<Record<string, string>> = {
  '.agentignore': 'private/\n*.sealed\n',
  '.gitignore': 'built/\n',
  'private/inner/a.txt': 'CANARY inner\n',
  'b.sealed': 'CANARY sealed\n',
  'sub/.agentignore': 'notes.txt\n',
  'sub/notes.txt': 'CANARY notes\n',
  'built/out.txt': 'CANARY built\n',
  'src/plain.txt': 'plain CANARY-free\n',
};
const leftOut = ['private/inner/a.txt', 'b.sealed', 'sub/notes.txt'];

describe('paths in .agentignore and .gitignore', () => {
  let place: TemporaryWorkspace;
  let environment: Environment;
  beforeEach(() => {
    place = temporaryWorkspace();
    for (const [name, text] of Object.entries(files)) place.place(name, text);
    fs.mkdirSync(place.at('.git'));
    const folders = [place.root];
    environment = {
      root: place.root,
      files: diskFiles({ folders }),
      search: ripgrepSearch({ folders }),
      terminal: untouched.terminal,
    };
  });
  afterEach(() => place.stop());

  const spellings = (name: string): string[] => [
    name,
    `./${name}`,
    `src/../${name}`,
    place.at(name),
    path.dirname(name),
  ];
  /** Pretends that every file has been read before. */
  const versionSeen = (name: string): string | undefined => {
    try {
      return textVersion(fs.readFileSync(path.resolve(place.root, name), 'utf8'));
    } catch {
      return undefined;
    }
  };
  /** Returns the output of a tool, or the error message if it refuses. */
  const shown = async (tool: Tool, input: unknown): Promise<string> => {
    try {
      return (
        await tool
          .bind(input)
          .run({ environment, signal: AbortSignal.timeout(10_000), progress() {}, history: [], versionSeen })
      ).content;
    } catch (thrown) {
      assert.ok(thrown instanceof FileProblem || thrown instanceof Error, String(thrown));
      return thrown.message;
    }
  };

  for (const tool of pathTools) {
    const { reads, writes } = attempts[tool.name]!((name) => files[name]?.split('\n')[0] ?? 'plain');
    if (reads) {
      it(`are never shown by ${tool.name}, whatever the spelling`, async () => {
        for (const name of leftOut)
          for (const spelled of spellings(name))
            for (const input of reads(spelled))
              assert.doesNotMatch(await shown(tool, input), /CANARY (inner|sealed|notes)/, JSON.stringify(input));
      });

      it(`are not in the results of ${tool.name} for the whole folder`, async () => {
        let some = false;
        for (const input of [...reads('.'), ...reads('**')]) {
          const text = await shown(tool, input);
          some ||= text.includes('plain');
          assert.doesNotMatch(
            text,
            /CANARY (inner|sealed|notes|built)|a\.txt|b\.sealed|notes\.txt|out\.txt/,
            JSON.stringify(input),
          );
        }
        assert.ok(some || /^(read_file)$/.test(tool.name), 'it found nothing at all, so nothing was checked');
      });
    }
    if (writes) {
      it(`are never changed by ${tool.name}, whatever the spelling`, async () => {
        for (const name of leftOut)
          for (const spelled of spellings(name).slice(0, 4))
            for (const input of writes(spelled)) await shown(tool, input);
        for (const name of leftOut) assert.equal(fs.readFileSync(place.at(name), 'utf8'), files[name], name);
      });
    }
  }

  describe('of a folder around another open folder', () => {
    it('apply there too, whichever was opened first, and nothing is found twice', async () => {
      place.place('sub/open.txt', 'plain CANARY open\n');
      place.place('.agentignore', 'sub/hidden.txt\n');
      place.place('sub/hidden.txt', 'CANARY hidden\n');
      for (const folders of [
        [place.at('sub'), place.root],
        [place.root, place.at('sub')],
      ]) {
        const disk = diskFiles({ folders });
        await assert.rejects(disk.read(place.at('sub/hidden.txt')), /excluded by \.agentignore/);
        await assert.rejects(disk.read(place.at('sub/notes.txt')), /excluded by \.agentignore/);
        const listed = await disk.list(place.at('sub'), { depth: 1, limit: 10 });
        assert.deepEqual(
          listed.entries.map((entry) => path.posix.basename(entry.path)),
          ['.agentignore', 'open.txt'],
        );
        const { matches } = await ripgrepSearch({ folders }).search(
          { pattern: 'CANARY (open|hidden)', literal: false, caseSensitive: true, maxMatches: 9 },
          AbortSignal.timeout(10_000),
        );
        assert.deepEqual(
          matches.map(({ text }) => text),
          ['plain CANARY open'],
        );
      }
    });
  });
});
