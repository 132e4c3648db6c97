import { setting } from '../setting';
import { choice, integersByName, text, texts } from '../value';

/** What may be used inside the sandbox. With less than the least not even the shell would start. */
const limits = {
  processes: {
    minimum: 16,
    words:
      'Processes and threads that run in the sandbox at the same time. Beyond that the whole sandbox is ended, its shell too.',
  },
  memory: {
    minimum: 64,
    words:
      'Megabytes of memory of all that runs in the sandbox. Beyond that its commands are ended. Temporary folders and shared memory may hold half as much beside it.',
  },
  disk: {
    minimum: 1,
    words:
      'Megabytes by which the free space of the disk may shrink while a command runs, and that one file may have. Beyond that the commands in the sandbox are ended.',
  },
  cpuSeconds: {
    minimum: 1,
    words: 'Seconds of a processor that each process may use. Beyond that it is ended.',
  },
};

/** Where commands run. */
export const sandboxSettings = {
  sandbox: setting({
    value: choice({
      auto: 'Where there is one; a session says when there is none.',
      on: 'Without a sandbox nothing is run. A command leaves it only when you choose to run that very command outside.',
      off: 'Never: every command has all rights of this account.',
    }),
    default: 'auto',
    words:
      'Whether commands run in a sandbox without network, in which only the workspace can be written. On Linux this needs [bubblewrap](https://github.com/containers/bubblewrap), on macOS the sandbox runtime (`npm install --global --ignore-scripts @anthropic-ai/sandbox-runtime@0.0.78`), which was not tried there. A command leaves it only when you choose to run that very command outside. A change holds for sessions that are opened after it.',
    flag: {
      argument: '<when>',
      words: 'whether commands run in a sandbox: where there is one (auto), only with one (on), or never (off)',
    },
  }),
  sandboxLimits: setting({
    value: integersByName(limits),
    default: {},
    words:
      'How much commands in the sandbox may use, on Linux: `processes` (with threads), `memory` and `disk` in megabytes, `cpuSeconds`. What goes beyond is ended, and the result says why. Left out: 2048 processes or 64 for each processor, half of the memory of the machine, three quarters of the free disk for each command, an hour of all processors for each process. A change holds for sessions that are opened after it.',
    flag: {
      argument: '<limits>',
      words:
        'how much commands in the sandbox may use: processes=2048,memory=4000,disk=20000 (megabytes),cpuSeconds=3600',
      read: limitsFrom,
    },
  }),
  allowedDomains: setting({
    value: texts,
    default: [],
    words:
      'Domains that commands in the sandbox may reach over HTTP and HTTPS, such as `registry.npmjs.org` or `*.example.com`, on Linux and macOS. Empty: no network at all. It needs the sandbox runtime, and on Linux `socat`: `npm install --global --ignore-scripts @anthropic-ai/sandbox-runtime@0.0.78`. What is allowed here can be sent anything that a command can read. A change holds for sessions that are opened after it.',
    flag: {
      name: '--allow-domains',
      argument: '<domains>',
      words: 'domains that commands in the sandbox may reach, with commas between; needs the sandbox runtime',
    },
  }),
  'web.privateHosts': setting({
    value: texts,
    default: [],
    words:
      'Hosts of this machine or its network that the agent may read pages from with `fetch_url`, such as `localhost:3000` or `wiki.example.lan`. You are still asked about each host. Empty: public addresses only. Services that hand out rights of this machine are never asked. A change holds for sessions that are opened after it.',
    flag: {
      argument: '<hosts>',
      words: 'hosts of this machine or its network that pages may be read from, such as localhost:3000',
    },
  }),
  'terminal.shell': setting({
    value: text(),
    default: '',
    words: 'Name or path of the shell for commands: bash, zsh, sh or PowerShell. Empty: your own.',
    flag: { name: '--shell', argument: '<shell>', words: 'name or path of the shell for commands' },
  }),
  'terminal.environment': setting({
    value: texts,
    default: [],
    words: 'Names of further environment variables that commands may see. Keys, tokens and passwords are never passed.',
    flag: {
      name: '--pass-environment',
      words: 'names of environment variables that commands may see, with commas between',
    },
  }),
};

/** The limits that a person wrote as "processes=500,memory=2000". Throws an `Error` in words. */
export function limitsFrom(text: string): Partial<Record<keyof typeof limits, number>> {
  const entries = text.split(',').map((part) => part.split('=').map((word) => word.trim()));
  const wrong = entries.find(([name = '', value, ...more]) => more.length > 0 || !isLimit(name, Number(value)));
  if (wrong) {
    throw new Error(
      `“${wrong.join('=')}” is no limit. Write processes=500, memory=2000, disk=5000 (both in megabytes) or cpuSeconds=600, with commas between; at least 16 processes and 64 megabytes of memory.`,
    );
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, Number(value)]));
}

const isLimit = (name: string, value: number): boolean =>
  Object.hasOwn(limits, name) && Number.isSafeInteger(value) && value >= limits[name as keyof typeof limits].minimum;
