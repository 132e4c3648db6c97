/**
 * System calls that the kernel refuses inside a sandbox, as a seccomp (BPF) program. bubblewrap passes the bytes to the
 * kernel. Refused is what continues in the kernel while the program is stopped, or leaves the sandbox in a way that no
 * namespace prevents. Compilers, package managers and test runners use none of these, or have alternatives.
 */

/** Machines with their own call numbers. A 64-bit kernel also accepts the calls of its 32-bit predecessor. */
type Machine = 'x64' | 'x86' | 'arm64' | 'arm';

/** Their names in the kernel: AUDIT_ARCH_X86_64 and so on in linux/audit.h. */
const machines: Readonly<Record<Machine, number>> = {
  x64: 0xc000_003e,
  x86: 0x4000_0003,
  arm64: 0xc000_00b7,
  arm: 0x4000_0028,
};

/** On x64, numbers from here on are those of x32, a third set of calls that hardly any system supports. */
const x32From = 0x4000_0000;

const errors = { notPermitted: 1, noSuchCall: 38, noSuchFamily: 97 };

interface Refusal {
  /** Description in the table in docs/security. */
  readonly what: string;
  /** The number of each call on each machine that has it. */
  readonly calls: Readonly<Record<string, Partial<Record<Machine, number>>>>;
  readonly error: number;
  /**
   * Refused only with these arguments; `argument` counts from 0. Only the lower 32 bits are compared, as in the kernel.
   */
  readonly where?: readonly { readonly argument: number; readonly isOneOf: readonly number[] }[];
}

const onAll = (number: number): Record<Machine, number> => ({ x64: number, x86: number, arm64: number, arm: number });

/** F_SETSIG of fcntl, which selects a signal by number. */
const setSignal = 10;
const [killed, goesOn] = [9, 18];
/** TIOCSTI types into a terminal, TIOCLINUX pastes into the console. */
const typing = [0x5412, 0x541c];
/** AF_VSOCK, which reaches the host of a virtual machine. */
const hostSockets = 40;

/**
 * Calls whose work continues in the kernel while the program is stopped. Without them a stopped program changes
 * nothing.
 */
const goingOn: readonly Refusal[] = [
  {
    what: 'io_uring',
    error: errors.notPermitted, // the error in most containers, so programs handle it
    calls: { io_uring_setup: onAll(425), io_uring_enter: onAll(426), io_uring_register: onAll(427) },
  },
  {
    what: 'Linux AIO',
    error: errors.noSuchCall, // the error of a kernel built without it
    calls: { io_setup: { x64: 206, x86: 245, arm64: 0, arm: 243 } },
  },
  {
    what: 'SIGCONT and SIGKILL as the signal for the use of a file',
    error: errors.notPermitted,
    calls: { fcntl: { x64: 72, x86: 55, arm64: 25, arm: 55 }, fcntl64: { x86: 221, arm: 221 } },
    where: [
      { argument: 1, isOneOf: [setSignal] },
      { argument: 2, isOneOf: [killed, goesOn] },
    ],
  },
];

/** Calls that reach beyond the namespaces of the sandbox, or deep into the kernel. */
const reachingOut: readonly Refusal[] = [
  {
    what: 'typing into terminals',
    error: errors.notPermitted,
    calls: { ioctl: { x64: 16, x86: 54, arm64: 29, arm: 54 } },
    where: [{ argument: 1, isOneOf: typing }],
  },
  {
    what: 'unmounting, by which a process in its own namespace could escape the read-only places',
    error: errors.notPermitted,
    calls: {
      umount2: { x64: 166, x86: 52, arm64: 39, arm: 52 },
      umount: { x86: 22 },
      pivot_root: { x64: 155, x86: 217, arm64: 41, arm: 218 },
    },
  },
  {
    what: 'keyrings of the account',
    error: errors.notPermitted,
    calls: {
      add_key: { x64: 248, x86: 286, arm64: 217, arm: 309 },
      request_key: { x64: 249, x86: 287, arm64: 218, arm: 310 },
      keyctl: { x64: 250, x86: 288, arm64: 219, arm: 311 },
    },
  },
  {
    what: 'sockets to the host of a virtual machine',
    error: errors.noSuchFamily,
    calls: { socket: { x64: 41, x86: 359, arm64: 198, arm: 281 } },
    where: [{ argument: 0, isOneOf: [hostSockets] }],
  },
  {
    what: 'the older socket call of 32-bit programs',
    error: errors.noSuchCall, // its arguments cannot be inspected
    calls: { socketcall: { x86: 102 } },
  },
  {
    what: 'bpf, perf events, userfaultfd and the kernel log',
    error: errors.notPermitted,
    calls: {
      bpf: { x64: 321, x86: 357, arm64: 280, arm: 386 },
      perf_event_open: { x64: 298, x86: 336, arm64: 241, arm: 364 },
      userfaultfd: { x64: 323, x86: 374, arm64: 282, arm: 388 },
      syslog: { x64: 103, x86: 103, arm64: 116, arm: 103 },
    },
  },
];

/** ★ All that is refused. */
export const refusals: readonly Refusal[] = [...goingOn, ...reachingOut];

/**
 * A BPF instruction: operation, number of instructions to skip if the condition is true and if it is false, and an
 * operand.
 */
interface Instruction {
  readonly code: number;
  readonly ifSo: number;
  readonly ifNot: number;
  readonly value: number;
}

/** Operation codes from linux/bpf_common.h and linux/seccomp.h. */
const codes = { load: 0x20, ifEqual: 0x15, ifAtLeast: 0x35, answer: 0x06 };
const answers = { allow: 0x7fff_0000, refuse: 0x0005_0000 };
/** Offsets in the kernel's data about a call; both machines are little-endian. */
const places = { call: 0, machine: 4, argument: (index: number): number => 16 + 8 * index };

const load = (place: number): Instruction => ({ code: codes.load, ifSo: 0, ifNot: 0, value: place });
const allow: Instruction = { code: codes.answer, ifSo: 0, ifNot: 0, value: answers.allow };
const refuse = (error: number): Instruction => ({
  code: codes.answer,
  ifSo: 0,
  ifNot: 0,
  value: answers.refuse | error,
});

/** Runs `then`, which must end with an answer, if the comparison with the loaded value is true. */
function runIf(code: number, value: number, then: readonly Instruction[]): Instruction[] {
  if (then.length > 255) throw new Error('A jump of the filter is too long.');
  return [{ code, ifSo: 0, ifNot: then.length, value }, ...then];
}

/** The answer to a call that is refused under conditions; it is allowed if one of them is not met. */
function answerTo({ error, where = [] }: Refusal): Instruction[] {
  return where.reduceRight<Instruction[]>(
    (inner, { argument, isOneOf }) => [
      load(places.argument(argument)),
      ...isOneOf.flatMap((value) => runIf(codes.ifEqual, value, inner)),
      allow,
    ],
    [refuse(error)],
  );
}

function answersOn(machine: Machine): Instruction[] {
  const foreign = machine === 'x64' ? runIf(codes.ifAtLeast, x32From, [refuse(errors.noSuchCall)]) : [];
  const refused = refusals.flatMap((refusal) => {
    const numbers = Object.values(refusal.calls).flatMap((call) => call[machine] ?? []);
    return numbers.flatMap((number) => runIf(codes.ifEqual, number, answerTo(refusal)));
  });
  return [load(places.call), ...foreign, ...refused, allow];
}

/** Processors whose call numbers are known here. */
export const canFilterCalls = ['x64', 'arm64'].includes(process.arch);

/** Returns the program; it refuses all calls of machines that are not named here. */
export function systemCallFilter(): Buffer {
  const names = Object.keys(machines) as Machine[];
  const program = [
    load(places.machine),
    ...names.flatMap((machine) => runIf(codes.ifEqual, machines[machine], answersOn(machine))),
    refuse(errors.noSuchCall),
  ];
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(({ code, ifSo, ifNot, value }, index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifSo, index * 8 + 2);
    bytes.writeUInt8(ifNot, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
