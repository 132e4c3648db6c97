import fs from 'node:fs';

/**
 * Files that configure the kernel for the whole machine. Most of them check only who writes, not with which privileges:
 * root inside a sandbox is root here, without root's privileges. The names are those that container runtimes keep
 * read-only, and similar ones.
 */
export const kernelReadOnly = [
  '/proc/sys',
  '/proc/sysrq-trigger',
  '/proc/irq',
  '/proc/bus',
  '/proc/fs',
  '/proc/driver',
  '/proc/tty',
  '/proc/mtrr',
  '/proc/dynamic_debug',
  '/proc/latency_stats',
];

/**
 * What reveals other programs' memory, keys and firmware; container runtimes hide it. Folders become empty folders,
 * files empty files.
 */
export const kernelHidden = [
  '/proc/kcore',
  '/proc/keys',
  '/proc/timer_list',
  '/proc/sched_debug',
  '/proc/acpi',
  '/proc/asound',
  '/proc/scsi',
  '/sys/firmware',
  '/sys/kernel/debug',
  '/sys/kernel/tracing',
  '/sys/fs/bpf',
  '/sys/devices/virtual/powercap',
];

/**
 * Returns arguments that hide the kernel's settings from programs inside; put them after those for /proc. Skips what
 * does not exist.
 */
export function kernelPlaces(): string[] {
  const readOnly = kernelReadOnly
    .filter((place) => fs.existsSync(place))
    .flatMap((place) => ['--ro-bind', place, place]);
  const hidden = kernelHidden.flatMap((place) => {
    const found = entryAt(place);
    if (!found) return [];
    return found.isDirectory() ? ['--tmpfs', place, '--remount-ro', place] : ['--ro-bind', '/dev/null', place];
  });
  return [...readOnly, ...hidden];
}

function entryAt(place: string): fs.Stats | undefined {
  try {
    return fs.statSync(place);
  } catch {
    return undefined;
  }
}

/**
 * In its own namespace a program has all privileges again. It could leave the read-only places behind, rename them
 * through a folder that it held open, and put others in their place. This forbids namespaces to all programs. Needs
 * bubblewrap 0.8.
 */
export const noNamespaces = ['--disable-userns'];

const switches = [
  '/proc/sys/kernel/core_pattern',
  '/proc/sys/vm/drop_caches',
  '/proc/sysrq-trigger',
  '/proc/mtrr',
  '/sys/kernel/uevent_helper',
  '/sys/power/state',
];

/**
 * A shell script that prints a line for each kernel setting that can be opened for writing, and one if privileges are
 * left. It writes nothing. It uses only shell built-ins, because the first command waits for it.
 */
export const kernelProbe = [
  ...switches.map((place) => `{ true >>${place}; } 2>/dev/null && echo '${place} can be written'`),
  'while read -r name value; do case $name$value in CapEff:*[1-9a-f]*) echo "root privileges remain";; esac; done </proc/self/status',
].join('\n');
