import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { allLimits, limitingLine } from '../../../src/adapters/sandbox/limits';
import { checkedSetting } from '../../../src/core/settings/check';
import { sandboxLimitsFrom } from '../../../src/core/settings/groups/sandbox';
import { temporaryFolder } from '../../contracts/terminal.contract';
import { accounts, nodeForAll, sandboxed } from '../support/sandboxedCommands';

/** Each process starts two others, down to this depth, and all stay alive: as greedy as a fork bomb, but finite. */
const bomb = (depth: number): string =>
  `bomb() { if [ "$1" -gt 0 ]; then bomb $(($1 - 1)) & bomb $(($1 - 1)) & fi; sleep 20; }; bomb ${depth}`;
/** Allocates this much memory and keeps it for a while. */
const hog = (megabytes: number): string =>
  `'${nodeForAll()}' -e "const kept = []; for (let n = 0; n < ${megabytes / 10}; n++) kept.push(Buffer.alloc(10 << 20, 1)); setTimeout(() => console.log('kept', kept.length), 20000)"`;

/** Returns the valid part of a setting. */
const limitsIn = (setting: unknown): unknown => checkedSetting('sandboxLimits', setting ?? {}).value;

describe('sandbox limits', function () {
  this.timeout(120_000);
  before(async function () {
    if ('none' in (await findSandbox([temporaryFolder()]))) this.skip();
  }); // this machine does not support a sandbox

  for (const account of accounts) {
    describe(`of ${account.name}`, () => {
      it('end a fork bomb as one failed command; the next command runs', async () => {
        const {
          results: [burst, next],
        } = await sandboxed(account, [bomb(11), 'ls /proc | grep -c "^[0-9]"'], { limits: { processes: 200 } });
        assert.equal(burst!.end, 'shell_died');
        assert.match(burst!.note!, /more than 200 processes and threads.*waymark\.sandboxLimits/);
        assert.equal(next!.exitCode, 0, JSON.stringify(next));
        assert.ok(Number(next!.output) < 10, `what was begun is gone: ${next!.output}`);
      });

      it('end a fork bomb in the background and report it with that command or the next', async () => {
        const {
          results: [burst, next],
        } = await sandboxed(account, [`${bomb(11)} &`, 'sleep 1; echo after', 'echo at last'], {
          limits: { processes: 200 },
        });
        assert.match(`${burst!.note} ${next!.note}`, /more than 200 processes and threads/);
        assert.ok([burst, next].some((result) => result!.end === 'shell_died'));
      });

      it('end a program that uses too much memory, and keep the shell', async () => {
        const {
          results: [kept, greedy, next],
        } = await sandboxed(account, ['here=still', hog(1500), 'echo "$here"'], { limits: { memory: 400 } });
        assert.equal(kept!.exitCode, 0);
        assert.equal(greedy!.exitCode, 137);
        assert.match(greedy!.note!, /more than 400 MB of memory/);
        assert.doesNotMatch(greedy!.output, /kept/);
        assert.equal(next!.output, 'still\n');
      });

      it('end a program that keeps too much memory outside its own process memory', async () => {
        const kept = {
          file: 'import os, time\nfile = os.memfd_create("kept")\nfor _ in range(500): os.write(file, bytes(1 << 20))\ntime.sleep(60)\n',
          shared:
            'import mmap, time\nkept = mmap.mmap(-1, 500 << 20)\nfor at in range(0, 500 << 20, 4096): kept[at] = 1\ntime.sleep(60)\n',
        };
        const files = { 'file.py': kept.file, 'shared.py': kept.shared };
        const tried = ['file.py', 'shared.py'].map((file) => `python3 ${file}; echo kept`);
        const {
          results: [present, ...ended],
        } = await sandboxed(account, ['command -v python3', ...tried, 'echo usable'], {
          files,
          limits: { memory: 200 },
        });
        if (present!.exitCode !== 0) return; // Python is not installed, and shells have no such files
        const next = ended.pop()!;
        for (const result of ended) {
          assert.equal(result.end, 'shell_died', JSON.stringify(result));
          assert.match(result.note!, /grew by more than 300 MB.*waymark\.sandboxLimits/);
        }
        assert.equal(next.output, 'usable\n');
      });

      it('allow memory that is shared between processes', async () => {
        const shared = `python3 -c "import os, time; kept = bytearray(200 << 20); [os.fork() or (time.sleep(2), os._exit(0)) for _ in range(4)]; [os.wait() for _ in range(4)]; print('shared')"`;
        const {
          results: [sharing],
        } = await sandboxed(account, [`command -v python3 >/dev/null || { echo shared; exit; }; ${shared}`], {
          limits: { memory: 500 },
        });
        assert.match(sharing!.output, /shared/, sharing!.note);
      });

      it('limit the temporary folders', async () => {
        const fill = (place: string): string => `head -c 200M /dev/zero > ${place}/file`;
        const { results } = await sandboxed(account, ['/tmp', '/var/tmp', '/dev/shm', '/dev'].map(fill), {
          limits: { memory: 256 },
        });
        for (const { exitCode, output } of results) {
          assert.notEqual(exitCode, 0);
          assert.match(output, /No space left|Read-only file system|Permission denied/);
        }
      });

      it('end a command that fills the disk', async () => {
        const {
          results: [large, many],
        } = await sandboxed(
          account,
          [
            'head -c 100M /dev/zero > large',
            'for n in $(seq 1 400); do head -c 1M /dev/zero > part$n; sleep 0.01; done; rm -f part*; echo done',
          ],
          { limits: { disk: 60 } },
        );
        assert.notEqual(large!.exitCode, 0);
        // If other programs fill the same disk meanwhile, its free space may be short before the file is that large.
        assert.match(large!.note!, /larger than 60 MB|the disk lost more than 60 MB/);
        assert.match(many!.note!, /the disk lost more than 60 MB/);
      });

      it('end a process that uses too much CPU time, and report it', async () => {
        const {
          results: [endless],
        } = await sandboxed(account, ['bash -c "while :; do :; done"'], { limits: { cpuSeconds: 1 } });
        assert.notEqual(endless!.exitCode, 0);
        assert.match(endless!.note!, /more than 1 second of processor time/);
      });
    });
  }

  it('let a process with a large address space run', async () => {
    const {
      results: [started],
    } = await sandboxed(
      accounts.at(-1)!,
      [`'${nodeForAll()}' -e "new WebAssembly.Memory({ initial: 1, maximum: 65536 }); console.log('started')"`],
      { limits: { memory: 300 } },
    );
    assert.equal(started!.output, 'started\n');
  });

  it('let a command write on a disk with less than 2 MB of free space', () => {
    for (const free of [0, 1]) {
      const file = path.join(temporaryFolder(), 'written');
      const [shell, ...line] = limitingLine(allLimits({}), free);
      const { status, signal } = spawnSync(shell!, [...line, '/bin/sh', '-c', 'echo text > "$0"', file]);
      assert.deepEqual([status, signal], [0, null], `${free} MB`);
      assert.equal(fs.readFileSync(file, 'utf8'), 'text\n');
    }
  });
});

describe('the notation of limits', () => {
  it('is the same in the setting and on the command line', () => {
    assert.deepEqual(sandboxLimitsFrom('processes=500, memory=2000'), { processes: 500, memory: 2000 });
    assert.deepEqual(limitsIn({ processes: 500, disk: 10 }), { processes: 500, disk: 10 });
  });

  it('ignores invalid limits in the setting', () => {
    assert.deepEqual(limitsIn({ processes: 0, memory: '2000', disk: -1, cpuSeconds: 1.5, other: 3 }), {});
    for (const nothing of [undefined, null, 'processes=5', 5]) assert.deepEqual(limitsIn(nothing), {});
  });

  it('rejects invalid limits on the command line', () => {
    for (const wrong of [
      'processes',
      'processes=',
      'processes=0',
      'memory=1',
      'disk=-1',
      'cpuSeconds=x',
      'threads=500',
      '',
    ]) {
      assert.throws(() => sandboxLimitsFrom(wrong), /is not a limit\. Write processes=500/, wrong);
    }
  });

  it('uses defaults of the machine for missing limits', () => {
    const { processes, memory, disk, cpuSeconds } = allLimits({ cpuSeconds: 5 });
    assert.ok(processes >= 2048 && memory >= 1024);
    assert.deepEqual([disk, cpuSeconds], [undefined, 5]);
  });
});
