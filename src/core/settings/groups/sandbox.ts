import { setting } from '../setting';
import { choice, integersByName, text, texts } from '../value';

/** Limits inside the sandbox. Below the minimum values, not even the shell would start. */
const limits = {
  processes: {
    minimum: 16,
    words: 'Maximum processes and threads in the sandbox. Beyond that the whole sandbox ends, including its shell.',
  },
  memory: {
    minimum: 64,
    words:
      'Maximum megabytes of memory for everything in the sandbox. Beyond that its commands end. Temporary folders and shared memory can take half as much in addition.',
  },
  disk: {
    minimum: 1,
    words:
      'Maximum megabytes by which free disk space may shrink while a command runs, and maximum size of one file. Beyond that the commands in the sandbox end.',
  },
  cpuSeconds: {
    minimum: 1,
    words: 'Maximum CPU seconds per process. Beyond that the process ends.',
  },
};

/** Where commands run. */
export const sandboxSettings = {
  sandbox: setting({
    value: choice({
      auto: 'Use a sandbox if available. A session says if there is none.',
      on: 'Run nothing without a sandbox. A command leaves it only if you choose to run that command outside.',
      off: 'Never. Every command has all rights of your account.',
    }),
    default: 'auto',
    words:
      'Whether commands run in a sandbox that has no network and can write only to the workspace. On Linux this needs [bubblewrap](https://github.com/containers/bubblewrap), on macOS the sandbox runtime (`npm install --global --ignore-scripts @anthropic-ai/sandbox-runtime@0.0.78`), which is untested there. A command leaves it only if you choose to run that command outside. Applies to sessions opened afterwards. [How the sandbox works](command:waymark.openDocs?%22security/sandbox.md%22)',
    flag: {
      argument: '<when>',
      words: 'sandbox for commands: if there is one (auto), required (on), or none (off)',
    },
  }),
  sandboxLimits: setting({
    value: integersByName(limits),
    default: {},
    words:
      'Limits for commands in the sandbox, on Linux: `processes` (with threads), `memory` and `disk` in megabytes, `cpuSeconds`. Commands beyond a limit end, and the result says why. Defaults: 2048 processes or 64 per processor, half of the machine’s memory, three quarters of the free disk space per command, an hour of all processors per process. Applies to sessions opened afterwards.',
    flag: {
      argument: '<limits>',
      words: 'limits for commands in the sandbox: processes=2048,memory=4000,disk=20000 (megabytes),cpuSeconds=3600',
      read: sandboxLimitsFrom,
    },
  }),
  allowedDomains: setting({
    value: texts,
    default: [],
    words:
      'Domains that commands in the sandbox may reach over HTTP and HTTPS, such as `registry.npmjs.org` or `*.example.com`, on Linux and macOS. Empty: no network at all. Requires the sandbox runtime, and on Linux `socat`: `npm install --global --ignore-scripts @anthropic-ai/sandbox-runtime@0.0.78`. Commands can send anything they can read to these domains. Applies to sessions opened afterwards.',
    flag: {
      name: '--allow-domains',
      argument: '<domains>',
      words: 'comma-separated domains that commands in the sandbox may reach; requires the sandbox runtime',
    },
  }),
  'web.privateHosts': setting({
    value: texts,
    default: [],
    words:
      'Hosts on this machine or its network from which the agent may read pages with `fetch_url`, such as `localhost:3000` or `wiki.example.lan`. Waymark still asks about each host. Empty: public addresses only. Services that hand out credentials of this machine are never contacted. Applies to sessions opened afterwards.',
    flag: {
      argument: '<hosts>',
      words: 'hosts on this machine or its network from which pages may be read, such as localhost:3000',
    },
  }),
  'terminal.shell': setting({
    value: text(),
    default: '',
    words:
      'Name or path of the shell for commands: bash, zsh, sh or PowerShell. Empty: your shell, or bash if yours is sh.',
    flag: { name: '--shell', argument: '<shell>', words: 'name or path of the shell for commands' },
  }),
  'terminal.environment': setting({
    value: texts,
    default: [],
    words: 'Additional environment variables that commands can see. Keys, tokens and passwords are never passed.',
    flag: {
      name: '--pass-environment',
      words: 'comma-separated names of environment variables that commands may see',
    },
  }),
};

/** Parses limits such as "processes=500,memory=2000". Throws an `Error` with a message for people. */
export function sandboxLimitsFrom(text: string): Partial<Record<keyof typeof limits, number>> {
  const entries = text.split(',').map((part) => part.split('=').map((word) => word.trim()));
  const wrong = entries.find(([name = '', value, ...more]) => more.length > 0 || !isLimit(name, Number(value)));
  if (wrong) {
    throw new Error(
      `“${wrong.join('=')}” is not a limit. Write processes=500, memory=2000, disk=5000 (both in megabytes) or cpuSeconds=600, comma-separated; at least 16 processes and 64 megabytes of memory.`,
    );
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, Number(value)]));
}

const isLimit = (name: string, value: number): boolean =>
  Object.hasOwn(limits, name) && Number.isSafeInteger(value) && value >= limits[name as keyof typeof limits].minimum;
