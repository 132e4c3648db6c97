import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { systemCallFilter } from '../../../src/adapters/sandbox/systemCallFilter';
import { temporaryFolder } from '../../contracts/terminal.contract';
import { accounts, nodeForAll, sandboxed } from '../support/sandboxedCommands';

/** What the kernel passes to the filter about a call. */
interface Call {
  readonly machine: number;
  readonly number: number;
  readonly arguments?: readonly number[];
}

/**
 * Runs the filter like the kernel, according to the manual of its packet filter machine. Returns the error, or
 * "allowed".
 */
function answerTo(call: Call): number | 'allowed' {
  const filter = systemCallFilter();
  const known = Buffer.alloc(64);
  known.writeUInt32LE(call.number, 0);
  known.writeUInt32LE(call.machine, 4);
  (call.arguments ?? []).forEach((value, index) => known.writeBigUInt64LE(BigInt(value), 16 + 8 * index));
  let loaded = 0;
  for (let at = 0; at < filter.length / 8; at++) {
    const [code, ifSo, ifNot, value] = [
      filter.readUInt16LE(at * 8),
      filter[at * 8 + 2]!,
      filter[at * 8 + 3]!,
      filter.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x20) loaded = known.readUInt32LE(value);
    else if (code === 0x15) at += loaded === value ? ifSo : ifNot;
    else if (code === 0x35) at += loaded >= value ? ifSo : ifNot;
    else if (code === 0x06) return value === 0x7fff0000 ? 'allowed' : value & 0xffff;
    else throw new Error(`The kernel does not know the instruction ${code}.`);
  }
  throw new Error('The kernel refuses a program without an end.');
}

const machines = { x64: 0xc000003e, x86: 0x40000003, arm64: 0xc00000b7, arm: 0x40000028 };
const [notPermitted, noSuchCall, noSuchFamily] = [
  os.constants.errno.EPERM,
  os.constants.errno.ENOSYS,
  os.constants.errno.EAFNOSUPPORT,
];

/**
 * From the tables of the kernel's source (arch/x86/entry/syscalls, arch/arm/tools, include/uapi/asm-generic/unistd.h).
 */
const refused: readonly (readonly [
  name: string,
  error: number,
  x64: number,
  x86: number,
  arm64: number,
  arm: number,
  ...arguments: number[],
])[] = [
  ['io_uring_setup', notPermitted, 425, 425, 425, 425],
  ['io_uring_enter', notPermitted, 426, 426, 426, 426],
  ['io_uring_register', notPermitted, 427, 427, 427, 427],
  ['io_setup', noSuchCall, 206, 245, 0, 243],
  ['keyctl', notPermitted, 250, 288, 219, 311],
  ['add_key', notPermitted, 248, 286, 217, 309],
  ['request_key', notPermitted, 249, 287, 218, 310],
  ['bpf', notPermitted, 321, 357, 280, 386],
  ['perf_event_open', notPermitted, 298, 336, 241, 364],
  ['umount2', notPermitted, 166, 52, 39, 52],
  ['pivot_root', notPermitted, 155, 217, 41, 218],
  ['userfaultfd', notPermitted, 323, 374, 282, 388],
  ['syslog', notPermitted, 103, 103, 116, 103],
  ['ioctl', notPermitted, 16, 54, 29, 54, 0, 0x5412],
  ['ioctl', notPermitted, 16, 54, 29, 54, 0, 0x541c],
  ['fcntl', notPermitted, 72, 55, 25, 55, 3, 10, 18],
  ['fcntl', notPermitted, 72, 55, 25, 55, 3, 10, 9],
  // The kernel ignores the upper half of an argument if it expects a 32-bit one.
  ['ioctl', notPermitted, 16, 54, 29, 54, 0, 0x1_0000_5412],
  ['fcntl', notPermitted, 72, 55, 25, 55, 3, 0x1_0000_000a, 0x1_0000_0012],
  ['socket', noSuchFamily, 41, 359, 198, 281, 40],
];
/** Uses of the same calls that programs need. */
const allowed: typeof refused = [
  ['ioctl TCGETS', 0, 16, 54, 29, 54, 0, 0x5401],
  ['fcntl F_SETFL', 0, 72, 55, 25, 55, 3, 4, 18],
  ['fcntl F_SETSIG SIGIO', 0, 72, 55, 25, 55, 3, 10, 29],
  ['socket AF_UNIX', 0, 41, 359, 198, 281, 1],
  ['socket AF_INET', 0, 41, 359, 198, 281, 2],
  ['socket AF_NETLINK', 0, 41, 359, 198, 281, 16],
  ['read', 0, 0, 3, 63, 3],
  ['openat', 0, 257, 295, 56, 322],
  ['clone3', 0, 435, 435, 435, 435],
  ['execve', 0, 59, 11, 221, 11],
  ['ptrace', 0, 101, 26, 117, 26],
  ['mount', 0, 165, 21, 40, 21],
  ['epoll_pwait2', 0, 441, 441, 441, 441],
];

describe('system calls that a sandbox refuses', function () {
  this.timeout(60_000);

  for (const [name, machine] of Object.entries(machines)) {
    it(`are known by their numbers on ${name}, and no others`, () => {
      const column = Object.keys(machines).indexOf(name);
      for (const [call, error, ...rest] of refused) {
        assert.equal(answerTo({ machine, number: rest[column]!, arguments: rest.slice(4) }), error, call);
      }
      for (const [call, , ...rest] of allowed) {
        assert.equal(answerTo({ machine, number: rest[column]!, arguments: rest.slice(4) }), 'allowed', call);
      }
    });
  }

  it('are also refused in older forms: 32-bit descriptors, socketcall, x32 and unknown machines', () => {
    for (const machine of [machines.x86, machines.arm])
      assert.equal(answerTo({ machine, number: 221, arguments: [3, 10, 18] }), notPermitted);
    assert.equal(answerTo({ machine: machines.x86, number: 102, arguments: [1] }), noSuchCall);
    for (const number of [0, 425, 516])
      assert.equal(answerTo({ machine: machines.x64, number: 0x40000000 + number }), noSuchCall);
    assert.equal(answerTo({ machine: 0xc00000f3, number: 63 }), noSuchCall);
  });

  it('have the numbers of this machine’s headers', function () {
    const folders = ['/usr/include/x86_64-linux-gnu/asm', '/usr/include/asm'];
    const folder = folders.find((each) => fs.existsSync(`${each}/unistd_64.h`) && fs.existsSync(`${each}/unistd_32.h`));
    if (folder === undefined) this.skip(); // the headers are not installed
    const numbers = (bits: number): Map<string, number> => {
      const text = fs.readFileSync(`${folder}/unistd_${bits}.h`, 'utf8');
      return new Map(
        [...text.matchAll(/^#define __NR_(\w+)\s+(\d+)$/gm)].map(([, name, number]) => [name!, Number(number)]),
      );
    };
    const [wide, narrow] = [numbers(64), numbers(32)];
    for (const [name, , x64, x86] of refused) {
      assert.deepEqual([name, wide.get(name), narrow.get(name)], [name, x64, x86]);
    }
  });

  describe('in the kernel itself', () => {
    let filtered = false;
    before(async function () {
      const found = await findSandbox([temporaryFolder()]);
      if ('none' in found) this.skip(); // this machine does not support a sandbox
      filtered = found.sandbox.refusesCalls === true;
      if (!filtered) this.skip(); // this system cannot filter calls
    });

    /** Prints the result of each call. The last uses the 32-bit entry of a 64-bit program, in machine code. */
    const probe = `
import ctypes, errno, fcntl, mmap, os, socket, sys
lib = ctypes.CDLL(None, use_errno=True)
lib.syscall.restype = ctypes.c_long
def call(name, *values):
  ctypes.set_errno(0)
  lib.syscall(*values)
  print(name, errno.errorcode.get(ctypes.get_errno(), 'done'))
def tried(name, work):
  try: work(); print(name, 'done')
  except OSError as problem: print(name, errno.errorcode[problem.errno])
space = ctypes.create_string_buffer(256)
call('io_uring_setup', 425, 8, space)
call('keyctl', {'x86_64': 250}.get(os.uname().machine, 219), 0, -3, 0)
tried('AF_VSOCK', lambda: socket.socket(40, socket.SOCK_STREAM))
tried('AF_UNIX', lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
tried('AF_INET', lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
tried('AF_NETLINK', lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
tried('TIOCSTI', lambda: fcntl.ioctl(os.open('/dev/null', os.O_RDWR), 0x5412, b'x'))
if os.uname().machine == 'x86_64' and sys.argv[1:] == ['old']:
  code = mmap.mmap(-1, 4096, prot=7)
  code.write(bytes.fromhex('53b8a9010000bb0800000031c9cd805bc3')) # io_uring_setup(8, 0) by int 0x80
  way = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
  print('32-bit io_uring_setup', errno.errorcode.get(-way(), 'done'))
`;
    const lines = (text: string): Record<string, string> =>
      Object.fromEntries(
        text
          .trim()
          .split('\n')
          .map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
      );
    const outside = (...more: string[]): Record<string, string> | undefined => {
      try {
        return lines(execFileSync('python3', ['-c', probe, ...more], { encoding: 'utf8' }));
      } catch {
        return undefined;
      }
    };

    for (const account of accounts) {
      it(`are refused to ${account.name} on both call interfaces; calls that programs need are not`, async function () {
        if (!outside()) this.skip(); // Python is not installed
        const hasOldWay = outside('old') !== undefined;
        const {
          results: [ran],
        } = await sandboxed(account, [`python3 probe.py ${hasOldWay ? 'old' : ''}`], { files: { 'probe.py': probe } });
        if (ran!.exitCode === 127) this.skip(); // the Python of the tests belongs to another account
        assert.deepEqual(lines(ran!.output), {
          io_uring_setup: 'EPERM',
          keyctl: 'EPERM',
          AF_VSOCK: 'EAFNOSUPPORT',
          AF_UNIX: 'done',
          AF_INET: 'done',
          AF_NETLINK: 'done',
          TIOCSTI: 'EPERM',
          ...(hasOldWay && process.arch === 'x64' && { '32-bit io_uring_setup': 'EPERM' }),
        });
      });

      it(`are not needed by Node programs that ${account.name} runs`, async function () {
        const program = `
const fs = require('node:fs/promises');
const { Worker } = require('node:worker_threads');
const { execFile } = require('node:child_process');
const net = require('node:net');
(async () => {
  await fs.mkdir('made/deep', { recursive: true });
  const names = Array.from({ length: 200 }, (_, index) => 'made/deep/' + index);
  await Promise.all(names.map(name => fs.writeFile(name, name.repeat(1000))));
  const read = await Promise.all(names.map(name => fs.readFile(name, 'utf8')));
  let watcher;
  const watched = new Promise(resolve => { watcher = require('node:fs').watch('made', resolve); });
  await fs.rename('made/deep/1', 'made/one');
  await watched;
  watcher.close();
  const worked = await new Promise(resolve => new Worker('require("node:worker_threads").parentPort.postMessage(2)', { eval: true }).once('message', resolve));
  const said = await new Promise(resolve => execFile('/bin/sh', ['-c', 'echo child'], (_, out) => resolve(out.trim())));
  const server = net.createServer(socket => socket.end('hello')).listen('made/socket');
  const heard = await new Promise(resolve => net.connect('made/socket').on('data', data => resolve(String(data))));
  server.close();
  console.log(read.length, worked, said, heard);
})();
`;
        const node = `'${nodeForAll()}'`;
        const {
          results: [version, ran],
        } = await sandboxed(account, [`${node} --version`, `${node} program.js`], { files: { 'program.js': program } });
        if (version!.exitCode !== 0) this.skip(); // the sandbox has its own folder at the path of the Node copy
        assert.equal(ran!.output, '200 2 child hello\n');
      });
    }

    it('are not refused outside the sandbox for the same program', function () {
      const done = outside();
      if (!done) this.skip(); // Python is not installed
      // A container may already refuse it.
      if (done['io_uring_setup'] !== 'done') this.skip();
      assert.notEqual(done['TIOCSTI'], 'EPERM');
    });
  });
});
