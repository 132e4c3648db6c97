import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { diskFiles } from '../../src/adapters/files/diskFiles';
import { diskScripts } from '../../src/adapters/scripts/diskScripts';
import { analyzers, assessWith } from '../../src/core/security/analyzers';
import { pinsAtStart } from '../../src/core/security/scripts/pins';
import { runCommand } from '../../src/core/tools/native/runCommand';
import type { Assessment, Event } from '../../src/protocol/events/event';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace';
import { untouched } from '../support/toolContext';

/** A workspace on disk, with the assessment of its commands by all analyzers. */
interface Project extends TemporaryWorkspace {
  judge(command: string): Promise<Assessment>;
  began(): Promise<void>;
  ran(command: string): void;
}

async function inProject(
  files: Readonly<Record<string, string>>,
  use: (project: Project) => Promise<void>,
): Promise<void> {
  const workspace = temporaryWorkspace();
  const scripts = diskScripts(workspace.root);
  const environment = {
    root: workspace.root,
    files: diskFiles({ folders: [workspace.root] }),
    search: untouched.search,
    terminal: untouched.terminal,
    scripts,
  };
  const history: Event[] = [];
  try {
    for (const [name, text] of Object.entries(files)) workspace.place(name, text);
    await use({
      ...workspace,
      judge: (command) =>
        assessWith(analyzers, {
          tool: runCommand,
          call: runCommand.bind({ command }),
          environment,
          history: [...history],
        }),
      began: async () =>
        void history.push({
          type: 'task_started',
          seq: 1,
          at: 0,
          cwd: workspace.root,
          task: '',
          systemPrompt: '',
          pins: await pinsAtStart(scripts),
        } as unknown as Event),
      // Records in the log that the command ran.
      ran(command) {
        const { status, stderr } = spawnSync('bash', ['-c', command], { cwd: workspace.root, encoding: 'utf8' });
        assert.equal(status, 0, stderr);
        const id = `ran-${history.length}`;
        history.push({
          type: 'agent_response',
          seq: history.length + 1,
          at: 0,
          text: '',
          actions: [
            {
              id,
              tool: 'run_command',
              input: { command },
              summary: command,
              group: 0,
              effect: 'executes',
              risk: { level: 'medium', reasons: [] },
            },
          ],
        } as unknown as Event);
        history.push({
          type: 'observation',
          seq: history.length + 1,
          at: 0,
          actionId: id,
          outcome: 'ok',
          content: '',
          details: { kind: 'command', command },
        } as unknown as Event);
      },
    });
  } finally {
    workspace.stop();
  }
}

function assertAsks({ level, reasons, guarded }: Assessment, says: RegExp, about: string, inEveryMode?: true): void {
  assert.equal(level, 'high', `${about}: ${reasons.join(' ')}`);
  assert.match(reasons.join(' '), new RegExp(says.source, 'i'), `${about}: ${reasons.join(' ')}`);
  if (inEveryMode) assert.equal(guarded, true, `${about} is not asked about in every mode`);
}

const isUnasked = ({ level, reasons }: Assessment, about: string): void =>
  assert.notEqual(level, 'high', `${about}: ${reasons.join(' ')}`);

describe('an install command', () => {
  const manifest = (scripts: object): string => JSON.stringify({ name: 'one', version: '1.0.0', scripts });

  it('is asked about if a command of this run added an install script', () =>
    inProject(
      {
        'package.json': manifest({ test: 'node x.js' }),
        'gen.js':
          'const fs = require("fs"); const p = JSON.parse(fs.readFileSync("package.json")); p.scripts.preinstall = "node steal.js"; fs.writeFileSync("package.json", JSON.stringify(p));',
      },
      async (project) => {
        await project.began();
        isUnasked(await project.judge('npm install'), 'as it was');
        project.ran(`'${process.execPath}' gen.js`);
        for (const command of [
          'npm install',
          'npm ci',
          'pnpm i',
          'yarn',
          'yarn install --frozen-lockfile',
          'bun install',
          'npm rebuild',
        ])
          assertAsks(
            await project.judge(command),
            /Runs the install script “preinstall” of package\.json, which was added since this session began/,
            command,
            true,
          );
        isUnasked(await project.judge('npm install --ignore-scripts'), 'without scripts');
      },
    ));

  const cases: readonly (readonly [made: string, text: string, command: string, says: RegExp])[] = [
    ['.npmrc', 'script-shell=./x.sh\n', 'npm ci', /Follows \.npmrc, which was added/],
    [
      'binding.gyp',
      '{"targets":[{"target_name":"x","sources":["<!(sh x.sh)"]}]}',
      'npm install',
      /Runs binding\.gyp, which was added/,
    ],
    ['.yarnrc.yml', 'yarnPath: ./x.js\n', 'yarn install', /Follows \.yarnrc\.yml/],
    ['.pnpmfile.cjs', 'module.exports = {}', 'pnpm install', /Runs \.pnpmfile\.cjs/],
    ['setup.py', 'import os; os.system("id")', 'pip install -e .', /Runs setup\.py, which was added/],
    [
      'pyproject.toml',
      '[build-system]\nrequires = []\nbuild-backend = "own"\nbackend-path = ["."]\n',
      'pip install .',
      /Follows pyproject\.toml, which was added/,
    ],
    ['pyproject.toml', '["build-system"]\nbuild-backend = "own"\n', 'uv sync', /Follows pyproject\.toml/],
    ['build.rs', 'fn main() {}', 'cargo build', /Runs build\.rs, which was added/],
    ['.cargo/config.toml', '[build]\nrustc-wrapper = "./x"\n', 'cargo test', /Follows \.cargo\/config\.toml/],
    ['composer.json', '{"scripts":{"post-install-cmd":"sh x.sh"}}', 'composer install', /Follows composer\.json/],
    ['Gemfile', 'system("id")', 'bundle install', /Runs Gemfile/],
  ];
  for (const [file, text, command, says] of cases) {
    it(`is asked about if ${file} is new: ${command}`, () =>
      inProject({ 'package.json': manifest({}) }, async (project) => {
        await project.began();
        isUnasked(await project.judge(command), 'before');
        project.place(file, text);
        project.ran('true > made-something');
        assertAsks(await project.judge(command), says, command);
      }));
  }

  it('is not asked about because of files that existed before or only describe packages, or before any command ran', () =>
    inProject(
      {
        'package.json': manifest({ prepare: 'node build.js' }),
        '.npmrc': 'save-exact=true\n',
        'setup.py': 'x',
        'pyproject.toml': '[build-system]\nbuild-backend = "hatchling"\n[project]\nname = "a"\n',
        'Cargo.toml': '[package]\nname = "a"\nbuild = "build.rs"\n',
        'build.rs': 'fn main() {}',
        'deep/er/package.json': manifest({ prepare: 'true' }),
      },
      async (project) => {
        await project.began();
        isUnasked(await project.judge('cd deep/er && npm install'), 'a folder that nobody looked at');
        project.place(
          'pyproject.toml',
          '[build-system]\nbuild-backend = "hatchling"\n\n# more\n[project]\nname = "a"\ndependencies = ["x"]\n[tool.ruff]\nline-length = 100\n',
        );
        project.place('Cargo.toml', '[package]\nname = "a"\nbuild = "build.rs"\n[dependencies]\nserde = "1"\n');
        project.place(
          'package.json',
          JSON.stringify({ name: 'one', description: 'Two.', scripts: { prepare: 'node build.js' } }),
        );
        project.ran('true > made-something');
        for (const command of ['npm install', 'pip install -e .', 'cargo build'])
          isUnasked(await project.judge(command), command);
        assertAsks(
          await project.judge('cd deep/er && npm install'),
          /“prepare” of deep\/er\/package\.json, which was not checked when this session began/,
          'deep',
        );
      },
    ));
});

describe('a patch', () => {
  const unified = (path: string, from = 'a', to = 'b'): string =>
    `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
  const manifest = '{\n  "scripts": {\n    "test": "true"\n  }\n}\n';
  const addsScript =
    '--- a/package.json\n+++ b/package.json\n@@ -1,5 +1,6 @@\n {\n   "scripts": {\n+    "postinstall": "sh x.sh",\n     "test": "true"\n   }\n }\n';
  const ways = [
    'git apply x.patch',
    'git apply -p1 --3way x.patch',
    // Each of these applies the patch.
    'git apply --exclude --check x.patch',
    'git apply x.patch -- --check',
    'git apply --check --no-check x.patch',
    'git apply --stat --appl x.patch',
    'git apply < x.patch',
    'cat x.patch | git apply',
    'patch -p1 < x.patch',
    'patch -p1 -i x.patch',
    'patch -p1 --input=x.patch',
    'git am x.patch',
    'git am < x.patch',
  ];

  const targets: readonly (readonly [patch: string, says: RegExp])[] = [
    [unified('.github/workflows/ci.yml'), /continuous integration/],
    [unified('.vscode/tasks.json'), /Editor settings/],
    [unified('.git/hooks/pre-commit'), /internal data of Git/],
    [unified('.npmrc'), /what other tools run/],
    [unified('AGENTS.md'), /instructions/],
    [
      `diff --git a/x b/.husky/pre-push\nsimilarity index 100%\nrename from x\nrename to .husky/pre-push\n`,
      /commit hooks/,
    ],
    [addsScript, /Adds the script “postinstall” of package\.json, which runs automatically/],
    [`${unified('src/a.ts')}${unified('.github/workflows/ci.yml')}`, /continuous integration/],
    [
      '*** .gitmodules\t2024\n--- .gitmodules\t2024\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n',
      /make Git run programs/,
    ],
  ];
  for (const way of ways) {
    it(`that changes protected files is judged like an edit of them: ${way}`, () =>
      inProject({ 'package.json': manifest, 'src/a.ts': 'a\n' }, async (project) => {
        await project.began();
        for (const [text, says] of targets) {
          project.place('x.patch', text);
          assertAsks(await project.judge(way), says, text, true);
        }
      }));
  }

  it('is also read from the command line itself', () =>
    inProject({}, async (project) => {
      for (const way of ['git apply', 'patch -p1', 'git apply -'])
        assertAsks(
          await project.judge(`${way} <<'EOF'\n${unified('.github/workflows/ci.yml')}EOF`),
          /continuous integration/,
          way,
          true,
        );
      assertAsks(
        await project.judge("patch -p1 <<< $'--- a/.npmrc\\n+++ b/.npmrc\\n@@ -1 +1 @@\\n-a\\n+b'"),
        /what other tools run|expanded|hides/,
        'in one word',
      );
    }));

  it('of other files asks nothing, and an unreadable one is asked about', () =>
    inProject(
      {
        'package.json': manifest,
        'src/a.ts': 'a\n',
        'x.patch': unified('src/a.ts'),
        'fields.patch':
          '--- a/package.json\n+++ b/package.json\n@@ -1,2 +1,3 @@\n {\n+  "description": "One.",\n   "scripts": {\n',
      },
      async (project) => {
        await project.began();
        for (const command of [
          'git apply x.patch',
          'patch -p1 < x.patch',
          'git apply --check missing.patch',
          'git apply fields.patch',
          'git am --abort',
          'git diff HEAD~1 | git apply -R',
          'git diff --cached -- src/a.ts | patch -p1 -R',
          'git stash show -p stash@{0} | git apply -3',
          'git show HEAD~2 -- src/a.ts | git apply -R',
          'git --no-pager diff HEAD~1 | git apply -R',
          'git -P show HEAD | git apply -R',
          "git diff main -- 'src/*.ts' | git apply -R",
          'git show HEAD -- src/*.ts | git apply -R',
        ])
          isUnasked(await project.judge(command), command);
        for (const command of [
          'git apply missing.patch',
          'printf "%s" x | patch -p1',
          'patch -p1 < package.json',
          // Text that Git prints, but that anybody may have written.
          'git show :x.patch | git apply',
          'git show HEAD:x.patch | patch -p1',
          'git show v1.0 | git apply',
          'git show HEAD | patch -p1',
          'git cat-file blob 1234567 | git apply',
          'git log -1 --format=%B | git apply',
          'git format-patch -1 --stdout | git am',
          'git diff --dst-prefix=b/sub/ | git apply',
          'git -c diff.dstPrefix=b/sub/ diff | git apply',
          'git diff {--dst-prefix=b/sub/,--src-prefix=a/sub/} | git apply',
          'git diff $options | git apply',
          'git diff $options -- src | git apply',
          'git --no-pager show v1.0 | git apply',
          'git --no-pager -c diff.noprefix=true diff | git apply',
          'cat x.patch | (git apply)',
          '{ patch -p1; } < x.patch',
          'exec < x.patch; git apply',
          "bash -c 'git am' < x.patch",
        ])
          assertAsks(await project.judge(command), /patch/, command);
        assertAsks(
          await project.judge('cp src/a.ts y.patch && git apply y.patch'),
          /same line writes/,
          'written in the line',
        );
        project.place(
          'link.patch',
          'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+../../\n',
        );
        assertAsks(await project.judge('git apply link.patch'), /symbolic link/, 'a link');
        project.place('up.patch', unified('../../outside.txt'));
        assertAsks(await project.judge('patch -p1 < up.patch'), /outside/, 'upwards');
      },
    ));
});

describe('a compose file', () => {
  const service = (yaml: string): string =>
    `services:\n  web:\n    image: x\n${yaml
      .split('\n')
      .map((line) => `    ${line}`)
      .join('\n')}\n`;
  const dangers: readonly (readonly [yaml: string, says: RegExp])[] = [
    ['privileged: true', /privileged container, which has every right on this machine \(web in compose\.yaml\)/],
    ['network_mode: host', /Shares the network of this machine/],
    ['pid: "host"', /list of processes/],
    ['volumes: [/:/host]', /Mounts \/ of this machine/],
    ['volumes:\n  - ~/.ssh:/keys:ro', /Mounts ~\/\.ssh/],
    ['volumes: ["../../etc:/x"]', /Mounts \.\.\/\.\.\/etc/],
    ['volumes:\n  - {type: bind, source: /etc, target: /x}', /Mounts \/etc/],
    ['volumes: ["/var/run/docker.sock:/var/run/docker.sock:ro"]', /control of Docker/],
    ['volumes: ["${NOBODY_KNOWS}:/x"]', /only known when it runs/],
    ['volumes: ["${HOME:-/root}:/x"]', /Mounts \/root/],
    ['cap_add: [SYS_ADMIN]', /SYS_ADMIN/],
    ['devices: ["/dev/sda:/dev/sda"]', /devices/],
    ['security_opt: ["apparmor:unconfined"]', /Turns off the confinement/],
    ['use_api_socket: true', /control of Docker/],
    ['provider: {type: evil}', /Starts a program of this machine, evil/],
    ['extends: {file: base.yaml, service: web}', /control of Docker.*base\.yaml/],
    ['<<: {privileged: true}', /privileged/],
  ];
  for (const [yaml, says] of dangers) {
    it(`is read before it is started: ${yaml.replaceAll('\n', ' ')}`, () =>
      inProject(
        { 'compose.yaml': service(yaml), 'base.yaml': service('volumes: ["/run/docker.sock:/s"]') },
        async (project) => {
          await project.began();
          for (const command of [
            'docker compose up -d',
            'docker-compose up',
            'docker compose restart',
            'podman compose up',
            'docker compose -f compose.yaml up --build',
          ])
            assertAsks(await project.judge(command), says, command);
          for (const command of ['docker compose ps', 'docker compose logs web', 'docker compose down'])
            isUnasked(await project.judge(command), command);
        },
      ));
  }

  it('without access beyond the project starts without a question, and one chosen in other ways is read', () =>
    inProject(
      {
        'docker-compose.yml': service(
          'volumes: ["./data:/data", "named:/x", ".:/app", "/etc/localtime:/etc/localtime:ro", "${DATA:-./d}:/d"]\nports: ["8080:80"]\ncap_add: [NET_BIND_SERVICE]\nbuild: .',
        ),
        'other.yml': service('privileged: true'),
        'sub/x': '',
      },
      async (project) => {
        await project.began();
        for (const command of ['docker compose up -d', 'docker compose up --build web', 'cd sub && docker compose up'])
          isUnasked(await project.judge(command), command);
        assertAsks(
          await project.judge('docker compose -f docker-compose.yml -f other.yml up'),
          /privileged.*other\.yml/,
          '-f',
        );
        project.place('.env', 'COMPOSE_FILE=other.yml\n');
        assertAsks(await project.judge('docker compose up'), /privileged/, 'named by .env');
        project.place('.env', 'DATA=/etc\n');
        assertAsks(await project.judge('docker compose up'), /Mounts \/etc/, 'a value of .env');
        project.place('docker-compose.yml', 'include: [other.yml]\n');
        assertAsks(await project.judge('docker compose up'), /privileged/, 'included');
        project.place('docker-compose.yml', 'include: [https://example.com/x.git]\n');
        assertAsks(await project.judge('docker compose up'), /Loads a compose file from/, 'from elsewhere');
        project.place('docker-compose.yml', 'services: [\n');
        assertAsks(await project.judge('docker compose up'), /could not be read/, 'broken');
        project.place('docker-compose.override.yml', service('privileged: true'));
        project.place('docker-compose.yml', service('init: true'));
        assertAsks(await project.judge('docker compose up'), /privileged/, 'the override');
        assertAsks(
          await project.judge('echo x > docker-compose.yml && docker compose up'),
          /same line changed docker-compose\.yml/,
          'written in the line',
        );
      },
    ));
});

describe('a network address', () => {
  const controls: readonly (readonly [addresses: string, says: RegExp])[] = [
    [
      'http://localhost:2375/containers/json http://127.0.0.1:2376/info http://[::1]:2375/info http://2130706433:2375/ http://0x7f.1:2375/ http://0:2375/ http://127.9.9.9:2375/ localhost:2375/info http://localhost.:2375/',
      /Docker service of this machine/,
    ],
    [
      'https://localhost:6443/api http://127.0.0.1:10250/pods http://localhost:10255/pods http://localhost:8001/api/v1/secrets http://017700000001:8001/',
      /Kubernetes service of this machine/,
    ],
    [
      'http://169.254.169.254/latest/meta-data/ http://2852039166/ http://0xa9fea9fe/ http://0251.0376.0251.0376/ http://169.254.43518/ http://[::ffff:169.254.169.254]/ http://[::ffff:a9fe:a9fe]/ http://[64:ff9b::a9fe:a9fe]/ http://[fd00:ec2::254]/ http://100.100.100.200/ http://metadata.google.internal/computeMetadata/v1/ http://METADATA.google.internal./ http://168.63.129.16/',
      /metadata service of the cloud/,
    ],
  ];
  for (const [addresses, says] of controls) {
    for (const address of addresses.split(' ')) {
      it(`outside the servers of the project is asked about: ${address}`, () =>
        inProject({}, async ({ judge }) => {
          for (const command of [`curl '${address}'`, `curl -s "${address}" | head`, `wget -qO- '${address}'`])
            assertAsks(await judge(command), says, command);
        }));
    }
  }

  it('of a server of the project is not asked about', () =>
    inProject({}, async ({ judge }) => {
      for (const address of [
        'http://localhost:3000/',
        'http://127.0.0.1:8080/health',
        'localhost:5173',
        'http://[::1]:4000/',
      ])
        isUnasked(await judge(`curl '${address}'`), address);
    }));
});

describe('a gh filter', () => {
  it('is asked about only if it can show the environment', () =>
    inProject({}, async ({ judge }) => {
      for (const command of [
        'gh api user --jq env',
        "gh api user --jq '.login + env.GH_TOKEN'",
        "gh pr list --json title -q '$ENV'",
        "gh issue view 1 --json title --jq='[.[] | $ENV.HOME]'",
        'gh api user --template \'{{env "GH_TOKEN"}}\'',
        'gh api user -q "$X"',
      ])
        assertAsks(await judge(command), /environment|only known when it runs/, command);
      for (const command of [
        "gh api repos/a/b --jq '.environments[].name'",
        "gh pr view 3 --json title --jq '.title'",
        "gh pr list --json title --template '{{range .}}{{.title}}{{end}}'",
      ])
        isUnasked(await judge(command), command);
    }));
});
