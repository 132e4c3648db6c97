import fs from 'node:fs';

/**
 * Files through which the kernel itself is configured, for the whole machine. Most of them check only who writes, not
 * with which rights: root inside a sandbox is root here, without any of root's rights. The names are those that
 * container runtimes keep read-only, and similar ones.
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
 * What tells of other programs' memory, keys and firmware; container runtimes leave it out. Folders
 * become empty folders, files empty files.
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
 * Arguments that take the kernel's switches away from whoever is inside; they come after those for
 * /proc. What is missing here is passed by.
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
 * In a namespace of its own a program has all rights again, if only there. It could leave the read-only
 * places behind, rename them through a folder that it held open, and put others in their place. This takes
 * that from everybody. Needs bubblewrap 0.8.
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
 * A shell text that prints a line for each switch of the kernel that can be opened for writing, and one
 * where rights are left. Nothing is written. The shell does all of it itself: the first command waits for it.
 */
export const kernelProbe = [
  ...switches.map((place) => `{ true >>${place}; } 2>/dev/null && echo '${place} can be written'`),
  'while read -r name value; do case $name$value in CapEff:*[1-9a-f]*) echo "rights of root are left";; esac; done </proc/self/status',
].join('\n');
