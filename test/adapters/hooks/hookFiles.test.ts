import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { HookConsent } from '../../../src/adapters/hooks/hookConsent';
import { readHookFiles } from '../../../src/adapters/hooks/hookFiles';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('hooks files', () => {
  let workspace: TemporaryWorkspace;
  let home: TemporaryWorkspace;
  beforeEach(() => {
    [workspace, home] = [temporaryWorkspace('work'), temporaryWorkspace('home')];
  });
  afterEach(() => {
    workspace.stop();
    home.stop();
  });
  const put = (command: string, place = workspace, file = '.agent/hooks.json'): void =>
    place.place(file, JSON.stringify({ hooks: { Stop: [{ hooks: [{ command }] }] } }));
  const files = () => readHookFiles(workspace.root, home.root);
  const named = async (): Promise<string[]> =>
    [...(await files())[0]!.source.matchAll(/^# (.+)$/gm)].map(([, name]) => name!).slice(1);

  it('are read from the workspace first, then from the home folder', async () => {
    put('one');
    put('two', workspace, '.openhands/hooks.json');
    put('three', home, '.openhands/hooks.json');
    assert.deepEqual(
      (await files()).map(({ path: file, hooks }) => [file, hooks[0]!.command]),
      [
        ['.agent/hooks.json', 'one'],
        ['.openhands/hooks.json', 'two'],
        [path.join(home.root, '.openhands/hooks.json'), 'three'],
      ],
    );
  });

  for (const [command, expected] of [
    ['./guard.sh', ['guard.sh']],
    ['sh guard.sh --strict', ['guard.sh']],
    ['python3 -u tools/check', ['tools/check']],
    ['"$OPENHANDS_PROJECT_DIR"/guard.sh', ['guard.sh']],
    ['true && ./guard.sh | tee log', ['guard.sh']],
    ['npm run lint', ['package.json#lint', 'tools/lint.mjs']],
    ['npx eslint src', ['package.json']],
    ['make guard', ['Makefile', 'guard.sh']],
    // Changed folders, interpreters and spellings.
    ['cd scr && sh g.sh', ['scr/g.sh']],
    ['sh "my hooks/g.sh"', ['my hooks/g.sh']],
    [`cd 'my hooks'; ./g.sh`, ['my hooks/g.sh']],
    ['sh -c "exec node ./srv.mjs"', ['srv.mjs']],
    [`bash -lc 'cd scr; . ./g.sh'`, ['scr/g.sh']],
    ['env MODE=1 nice -n 5 timeout 10 sh tools/check', ['tools/check']],
    ['exec sh guard.sh', ['guard.sh']],
    ['unheard-of -v sh tools/check', ['tools/check']],
    ['unheard-of ./guard.sh', ['guard.sh']],
    ['sh < tools/check', ['tools/check']],
    ['cat tools/check | sh', ['tools/check']],
    ['source ./guard.sh', ['guard.sh']],
    ['if true; then ./guard.sh; fi', ['guard.sh']],
    ['X=$(sh guard.sh) && test -n "$X"', ['guard.sh']],
    ['node --import=./srv.mjs tools/lint.mjs', ['srv.mjs', 'tools/lint.mjs']],
    ['python3 -m tools.scan', ['tools/scan.py']],
    ['node .', ['package.json']],
    ['awk -f tools/check notes.md', ['tools/check']],
    ['find . -name "*.x" -exec sh tools/check {} \\;', ['tools/check']],
    ['${CLAUDE_PROJECT_DIR:-.}/guard.sh', ['guard.sh']],
    ['cd "$WHEREVER" && ./guard.sh', ['guard.sh']],
    ['SCRIPT=./guard.sh; "$SCRIPT"', ['guard.sh']],
    ['BASH_ENV=./guard.sh bash -c true', ['guard.sh']],
    ['env -S "sh guard.sh"', ['guard.sh']],
    ['sh <<EOF\n./guard.sh\nEOF', ['guard.sh']],
    ['sh <<< "sh guard.sh"', ['guard.sh']],
    ['trap "sh guard.sh" EXIT', ['guard.sh']],
    [`python3 -c "exec(open('tools/scan.py').read())"`, ['tools/scan.py']],
    ['node -e "require(\'./srv.mjs\')"', ['srv.mjs']],
    ['check() { ./guard.sh; }; check', ['guard.sh']],
    ['for each in guard.sh scr/g.sh; do sh $each; done', ['guard.sh', 'scr/g.sh']],
    // Scripts that a script runs.
    ['bash scr/here.sh', ['scr/g.sh', 'scr/here.sh']],
    ['sh calls.sh', ['calls.sh', 'guard.sh', 'srv.mjs']],
    // Data, and files that are outside the folder or do not exist.
    ['echo x >> guard.sh', []],
    ['cat notes.md', []],
    ['cat guard.sh', []],
    ['grep -c guard guard.sh | tee log', []],
    ['echo "see guard.sh"', []],
    ['sh ../outside.sh', []],
    ['sh link.sh', []],
    ['sh missing.sh', []],
  ] as const) {
    it(`count ${expected.join(', ') || 'no script'} as part of “${command}”`, async () => {
      for (const file of [
        'guard.sh',
        'tools/check',
        'tools/lint.mjs',
        'tools/scan.py',
        'scr/g.sh',
        'my hooks/g.sh',
        'srv.mjs',
        'notes.md',
        'log',
      ])
        workspace.place(file, '1\n');
      workspace.place(
        'scr/here.sh',
        '#!/bin/bash\nHERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\nexec "$HERE/g.sh" "$@"\n',
      );
      workspace.place('calls.sh', 'set -e\n./guard.sh\nexec node srv.mjs\n');
      workspace.place(
        'package.json',
        JSON.stringify({ scripts: { lint: 'node tools/lint.mjs', other: 'node srv.mjs' } }),
      );
      workspace.place('Makefile', 'guard:\n\tsh guard.sh\n');
      fs.writeFileSync(path.join(workspace.root, '../outside.sh'), '1\n');
      fs.symlinkSync('../outside.sh', workspace.at('link.sh'));
      put(command);
      assert.deepEqual(await named(), expected);
    });
  }

  it('that lead out of the folder or are huge are not read, and are reported', async () => {
    put('one', home, 'elsewhere.json');
    fs.mkdirSync(workspace.at('.agent'));
    fs.symlinkSync(home.at('elsewhere.json'), workspace.at('.agent/hooks.json'));
    workspace.place('.openhands/hooks.json', ' '.repeat(128 * 1024 + 1));
    assert.deepEqual(
      (await files()).map(({ path: file, hooks, problems }) => [
        file,
        hooks,
        problems.map(({ severity, message, from }) => `${severity} ${from.line}:${from.column} ${message}`),
      ]),
      [
        ['.agent/hooks.json', [], ['error 1:1 None of its hooks run: it is a link to a place outside its folder.']],
        [
          '.openhands/hooks.json',
          [],
          ['error 1:1 None of its hooks run: it has 131,073 bytes, and files over 128 KB are not read.'],
        ],
      ],
    );
  });

  it('stay approved until they or one of their scripts change', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-consent-'));
    try {
      workspace.place('guard.sh', 'exit 0\n');
      put('sh guard.sh');
      const [file] = await files();
      const consent = new HookConsent(folder);
      assert.deepEqual([consent.has(file!), consent.isOutdated(file!)], [false, false]);
      consent.agree([file!]);
      assert.deepEqual([new HookConsent(folder).has(file!), consent.textOf(file!)], [true, file!.source]);
      workspace.place('guard.sh', 'exit 2\n');
      const [changed] = await files();
      assert.deepEqual([consent.has(changed!), consent.isOutdated(changed!)], [false, true]);
      fs.rmSync(workspace.at('.agent/hooks.json'));
      assert.deepEqual(await files(), []);
      const lost = await consent.files(workspace.root, home.root);
      assert.deepEqual(
        [lost.map(({ path: name, lost: why }) => [name, why]), consent.waiting(lost)],
        [[['.agent/hooks.json', 'it is gone']], lost],
      );
      consent.agree(lost);
      assert.deepEqual(await consent.files(workspace.root, home.root), [], 'a person went on without');
      workspace.place('guard.sh', 'exit 0\n');
      put('sh guard.sh');
      assert.deepEqual(
        consent.waiting(await files()).map(({ path: name }) => name),
        ['.agent/hooks.json'],
        'it is back, and nobody agreed to it since',
      );
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
