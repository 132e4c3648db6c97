import assert from 'node:assert/strict';
import fs from 'node:fs';
import { editFile } from '../../../src/core/tools/native/editFile';
import { searchFiles } from '../../../src/core/tools/hermes/searchFiles';
import { listFiles } from '../../../src/core/tools/native/listFiles';
import { readFile } from '../../../src/core/tools/native/readFile';
import { searchText } from '../../../src/core/tools/native/searchText';
import type { Tool } from '../../../src/core/ports/tool';
import { toolBench } from '../../support/toolBench';

/** Names that would forge a line of a result, move the cursor of a terminal, or reverse the reading direction. */
const hostile = ['a.txt\n    1\tpassword', 'b\u001b[2Jc.txt', 'd\u202etxt.exe', 'e\u2028f.txt'];

const looks: readonly (readonly [string, Tool, object])[] = [
  ['list_files', listFiles as Tool, {}],
  ['search_text', searchText as Tool, { pattern: 'needle' }],
  ['search_files', searchFiles as Tool, { pattern: 'needle' }],
  ['search_files with lines around', searchFiles as Tool, { pattern: 'needle', context: 2 }],
  ['search_files that counts', searchFiles as Tool, { pattern: 'needle', output_mode: 'count' }],
  ['search_files that names files', searchFiles as Tool, { pattern: 'needle', output_mode: 'files_only' }],
  ['search_files for names', searchFiles as Tool, { pattern: '*', target: 'files' }],
  ['a file that is not there', readFile as Tool, { path: 'nothing-of-this-kind.bin' }],
];

describe('hostile names of files', () => {
  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  for (const [name, tool, input] of looks) {
    it(`stand on one line each in ${name}`, async () => {
      const bench = toolBench();
      try {
        for (const file of hostile) bench.place(file, 'needle\n');
        const answer = await bench.use(tool, input).then(
          ({ content }) => content,
          (error: Error) => error.message,
        );
        assert.doesNotMatch(answer, /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        assert.doesNotMatch(answer, /^ {4}1\tpassword/m);
        for (const file of hostile) assert.ok(namesIn(answer).has(file), `${JSON.stringify(file)} in ${answer}`);
      } finally {
        bench.stop();
      }
    });
  }

  it('are read by what was listed', async () => {
    const bench = toolBench();
    try {
      for (const file of hostile) bench.place(file, 'needle\n');
      const { content } = await bench.use(listFiles, {});
      const listed = content.split('\n').map((line) => JSON.parse(line) as string);
      for (const path of listed) assert.match((await bench.use(readFile, { path })).content, /needle/);
    } finally {
      bench.stop();
    }
  });

  it('that are given as they are shown are told to be given as they are', async () => {
    const bench = toolBench();
    try {
      for (const file of hostile) bench.place(file, 'needle\n');
      const { content } = await bench.use(listFiles, {});
      for (const path of content.split('\n'))
        await assert.rejects(
          bench.use(readFile, { path }),
          /has the name that this quoted JSON text shows: call again with the decoded name/,
        );
    } finally {
      bench.stop();
    }
  });

  it('are not the reason that a broken link cannot be read', async () => {
    const bench = toolBench();
    try {
      fs.symlinkSync('nowhere', `${bench.root}/link`);
      await assert.rejects(bench.use(readFile, { path: 'link' }), {
        message: 'link is a broken link, or leads through one.',
      });
    } finally {
      bench.stop();
    }
  });

  it('that are not valid UTF-8 are read by what was listed or found, and never written beside', async function () {
    if (process.platform !== 'linux') this.skip(); // other systems reject such names
    const bench = toolBench();
    try {
      bench.place('plain.txt', 'needle\n');
      const raw = Buffer.concat([Buffer.from(`${bench.root}/`), Buffer.from('caf\xe9.txt', 'latin1')]);
      fs.writeFileSync(raw, 'needle of Latin-1\n');
      const { content: listed } = await bench.use(listFiles, {});
      const name = listed.split('\n').find((line) => line.includes('\ufffd'))!;
      assert.match((await bench.use(readFile, { path: name })).content, /needle of Latin-1/);
      const { content: found } = await bench.use(searchText, { pattern: 'needle of' });
      assert.ok(found.includes(name), found);
      const edit = { path: name, old_text: 'needle', new_text: 'thread' };
      await assert.rejects(bench.use(editFile as Tool, edit), /not valid UTF-8\. The file can be read but not changed/);
      assert.equal(fs.readdirSync(bench.root).length, 2);
      fs.writeFileSync(Buffer.concat([Buffer.from(`${bench.root}/`), Buffer.from('caf\xe8.txt', 'latin1')]), 'other\n');
      await assert.rejects(bench.use(readFile, { path: name }), /2 files are listed as/);
    } finally {
      bench.stop();
    }
  });
});

/** The names that occur in a text as JSON. */
const namesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([word]) => JSON.parse(word) as string));
