import assert from 'node:assert/strict';
import { analyzers, assessWith } from '../../../src/core/security/analyzers';
import { runCommand } from '../../../src/core/tools/native/runCommand';
import { writeFile } from '../../../src/core/tools/native/writeFile';
import { untouched } from '../../support/toolContext';
import type { Tool } from '../../../src/core/ports/tool';

describe('a workspace that is a whole disk', () => {
  const judged = async (tool: Tool, input: unknown, root = '/') => {
    const environment = { ...untouched, root, ...(root === '/' && { holdsHome: true }) };
    const action = { tool, call: tool.bind(input), environment, history: [] };
    const { level, guarded = false, floor = false, reasons } = await assessWith(analyzers, action);
    return { level, guarded: guarded || floor, reasons };
  };
  const write = (path: string): [Tool, object] => [writeFile, { path, content: 'a\n' }];
  const run = (command: string): [Tool, object] => [runCommand, { command }];

  for (const [tool, input] of [
    write('etc/hosts'),
    write('usr/bin/ls'),
    run('echo a > etc/hosts'),
    run('echo a >> /etc/hosts'),
    run('cd etc && touch cron.d/a'),
    run('sed -i s/a/b/ etc/fstab'),
    run('cp a usr/bin/ls'),
    run('rm etc/passwd'),
    run('rm -r e*'),
    run('mv etc/passwd a'),
  ])
    it(`asks in every mode before a file of the system is changed: ${JSON.stringify(input)}`, async () => {
      const { level, guarded, reasons } = await judged(tool, input);
      assert.deepEqual([level, guarded], ['high', true], reasons.join());
    });

  for (const [tool, input] of [
    write('srv/project/a.txt'),
    write('tmp/a.txt'),
    run('echo a > srv/project/a.txt'),
    run('cat etc/os-release'),
    run('touch var/tmp/a'),
  ])
    it(`asks nothing more about other files: ${JSON.stringify(input)}`, async () => {
      const { level, guarded, reasons } = await judged(tool, input);
      assert.deepEqual([level === 'high', guarded], [false, false], reasons.join());
    });

  for (const [tool, input] of [write('etc/hosts'), run('echo a > usr/bin/ls')])
    it(`alone is judged like that: ${JSON.stringify(input)}`, async () => {
      const { level, guarded, reasons } = await judged(tool, input, '/srv/project');
      assert.deepEqual([level === 'high', guarded], [false, false], reasons.join());
    });
});
