// Mentions of things other than files, resolved by VS Code, Git and the sessions of this machine.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Sessions } from '../../../src/adapters/sessions/sessions';
import { createWorkspacePaths } from '../../../src/adapters/files/workspacePaths';
import { mentionsIn, type MentionName } from '../../../src/core/context/mentions';
import { contextSources, type ContextSources } from '../../../src/extension/context/contextSources';
import { mentionKinds } from '../../../src/extension/context/mentionKinds';
import { TerminalOutputs } from '../../../src/extension/context/terminalOutputs';
import type { Event, NewEvent } from '../../../src/protocol/events/event';
import { until, workspace } from '../support/session';

describe('mentions in a message', () => {
  let folder: string;
  let sessions: Sessions;
  let terminals: TerminalOutputs;
  let sources: ContextSources;
  const ends: { dispose(): unknown }[] = [];
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-mentions-'));
    sessions = new Sessions(path.join(folder, 'sessions'));
    terminals = new TerminalOutputs();
    sources = contextSources(sessions, terminals)!;
    ends.push(terminals);
  });
  after(() => {
    for (const end of ends) end.dispose();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const offered = async (name: MentionName, query: string, from = sources): Promise<(string | undefined)[][]> =>
    (await mentionKinds[name].complete!(query, from)).map(({ label, detail, insert }) => [label, detail, insert]);
  const given = async (kind: MentionName, argument: string, from = sources) =>
    mentionKinds[kind].resolve({ kind, argument, written: `@${kind}:${argument}`, certain: true }, from);

  it('@symbol completes symbols and gives their lines', async () => {
    const file = path.join(workspace(), 'mentioned.ways');
    fs.writeFileSync(file, 'before\nway home\n  left\n  right\nend\nafter\n');
    try {
      const uri = vscode.Uri.file(file);
      const name = 'homeward_way';
      ends.push(
        vscode.languages.registerWorkspaceSymbolProvider({
          provideWorkspaceSymbols: (query) =>
            name.startsWith(query)
              ? [
                  new vscode.SymbolInformation(
                    name,
                    vscode.SymbolKind.Function,
                    '',
                    new vscode.Location(uri, new vscode.Range(1, 4, 1, 8)),
                  ),
                ]
              : [],
        }),
        vscode.languages.registerDocumentSymbolProvider(
          { pattern: '**/*.ways' },
          {
            provideDocumentSymbols: () => [
              new vscode.DocumentSymbol(
                name,
                '',
                vscode.SymbolKind.Function,
                new vscode.Range(1, 0, 4, 3),
                new vscode.Range(1, 4, 1, 8),
              ),
            ],
          },
        ),
      );
      assert.deepEqual(await offered('symbol', 'homeward'), [
        [name, 'mentioned.ways', `@symbol:mentioned.ways#${name}`],
      ]);
      const found = await given('symbol', `mentioned.ways#${name}`);
      assert.equal(found!.label, `@symbol:mentioned.ways#${name}: lines 2-5 of mentioned.ways`);
      assert.match(found!.text, /2\s+way home\n\s*3\s+left\n\s*4\s+right\n\s*5\s+end\s*$/);
      await assert.rejects(given('symbol', 'nowhere_way'), /Symbol “nowhere_way” not found/);
    } finally {
      fs.rmSync(file);
    }
  });

  for (const name of ['#private_way', 'gone_way?']) {
    it(`@symbol finds ${name} as completion writes it`, async () => {
      const file = path.join(workspace(), 'signs.ways');
      fs.writeFileSync(file, 'way\n');
      const plain = name.replace('#', '');
      const provider = vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (query) =>
          plain.startsWith(query.replace('#', ''))
            ? [
                new vscode.SymbolInformation(
                  name,
                  vscode.SymbolKind.Field,
                  '',
                  new vscode.Location(vscode.Uri.file(file), new vscode.Range(0, 0, 0, 3)),
                ),
              ]
            : [],
      });
      try {
        const [[, , insert]] = (await offered('symbol', plain.slice(0, 5))).filter(([label]) => label === name) as [
          [string, string, string],
        ];
        const [mention] = mentionsIn(`See ${insert}, please.`);
        assert.match((await mentionKinds.symbol.resolve(mention!, sources))!.text, /1\s+way/);
      } finally {
        provider.dispose();
        fs.rmSync(file);
      }
    });
  }

  it('@git completes commits, and gives uncommitted changes or one commit', async () => {
    const repository = path.join(folder, 'repository');
    const git = (...words: string[]): string =>
      execFileSync('git', ['-C', repository, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
        encoding: 'utf8',
      });
    fs.mkdirSync(repository);
    git('init', '-q');
    fs.writeFileSync(path.join(repository, 'a.txt'), 'one\n');
    git('add', '.');
    git('commit', '-q', '-m', 'The first line');
    fs.writeFileSync(path.join(repository, 'a.txt'), 'one\ntwo\n');
    const there = { ...sources, folders: [repository], paths: createWorkspacePaths([repository]) };
    const [[, , insert]] = (await offered('git', 'first', there)).filter(
      ([, detail]) => detail === 'The first line',
    ) as [[string, string, string]];
    assert.match((await given('git', 'diff', there))!.text, /\n\+two/);
    const commit = (await given('git', insert.replace('@git:', ''), there))!;
    assert.match(commit.text, /The first line[^]*\n\+one/);
    assert.equal(commit.trust, 'prose');
    await assert.rejects(given('git', 'nonesuch', there), /Commit “nonesuch” not found/);
  });

  it('@session completes earlier sessions by topic, and gives their messages', async () => {
    const id = sessions.newId();
    const { store } = sessions.open(id);
    const said: NewEvent[] = [
      {
        type: 'task_started',
        task: 'Mend the ferry times.',
        title: 'Mend the ferry times.',
        systemPrompt: '',
        model: { name: 'm', provider: 'p', contextWindow: null },
        tools: [],
        cwd: workspace(),
        confirmation: 'risky',
        limits: { steps: 0, cost: 0, seconds: 0 },
      },
      { type: 'finished', status: 'submitted', summary: 'The clock was an hour behind.' },
    ];
    const events = said.map((event, seq) => ({ ...event, seq, at: 1_700_000_000_000 + seq })) as Event[];
    for (const event of events) store!.append(event);
    await store!.close();
    sessions.remember(id, events, store!.position);
    assert.deepEqual(
      (await offered('session', 'ferry')).map(([label, , insert]) => [label, insert]),
      [['Mend the ferry times.', `@session:${id}`]],
    );
    const [[, detail] = []] = await offered('session', 'ferry');
    assert.match(detail ?? '', /2023,? [^:]*\d:\d\d [AP]M$/, 'to the minute');
    const found = await given('session', id);
    assert.match(found!.text, /Mend the ferry times\.[^]*The clock was an hour behind\./);
    await assert.rejects(given('session', 'nonesuch'), /Session “nonesuch” not found/);
  });

  it('@terminal gives the last commands of a terminal and their output', async function () {
    this.timeout(120_000);
    await assert.rejects(given('terminal', ''), /No terminal command found/);
    const terminal = vscode.window.createTerminal({ shellPath: '/bin/bash', name: 'mentioned' });
    ends.push(terminal);
    terminal.show();
    const shell = await until('a shell that tells of its commands', () => terminal.shellIntegration, 20).catch(
      () => undefined,
    );
    if (!shell) return this.skip(); // not supported by this shell or this version of VS Code
    const told = async (what: RegExp): Promise<string> =>
      until(String(what), async () => {
        const found = await given('terminal', '').catch(() => undefined);
        return found && what.test(found.text) && found.text;
      });
    // The output of a running command can be read, except perhaps for the first command of a shell, which may start too
    // early.
    for (const round of [1, 2, 3]) {
      shell.executeCommand(`echo "seen $((40 + ${round}))"; sleep 1`);
      if (
        await told(
          new RegExp(`\\$ echo "seen \\$\\(\\(40 \\+ ${round}\\)\\)"; sleep 1\nseen ${40 + round}\n\\[exit 0\\]$`),
        ).catch(() => undefined)
      )
        break;
      assert.notEqual(round, 3, (await given('terminal', ''))?.text);
    }
    // For a command that ends at once, VS Code may report no output. Then the text of the terminal is used, or the
    // output is reported as missing.
    await vscode.env.clipboard.writeText('of the person');
    shell.executeCommand('echo "at once $((6 * 7))"; false');
    await told(/at once \$[^\n]*\n(at once 42|\[Its output, if any, is unknown\.\])\n\[exit 1\]$/);
    assert.equal(await vscode.env.clipboard.readText(), 'of the person');
  });
});
