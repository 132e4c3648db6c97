import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { diskScripts } from '../../../src/adapters/scripts/diskScripts';
import { loadPowerShell } from '../../../src/adapters/scripts/powerShellParser';
import { isPowerShell } from '../../../src/core/shell/effects/context';
import { assessWithScripts } from '../../../src/core/security/scripts/assessWithScripts';
import { pinsAtStart } from '../../../src/core/security/scripts/pins';
import type { Assessment, Event } from '../../../src/protocol/events/event';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

/**
 * A project on the real disk with a real Git repository. Commands are assessed as at the start of a session; none is
 * run.
 */
export interface World {
  judge(command: string, place?: { shell?: string; confined?: boolean }): Promise<Assessment>;
  stop(): void;
}

/** Names and contents of a world's files. Files matched by `.gitignore` exist but are untracked. */
type Files = Readonly<Record<string, string>>;

/** Earlier than any file in the machine's temporary folders, so that no row depends on existing files. */
const beganAt = Date.parse('2025-01-01T00:00:00Z');

export async function worldOf(files: Files): Promise<World> {
  const workspace = temporaryWorkspace('app');
  for (const [name, text] of Object.entries(files)) {
    workspace.place(name, text);
    if (text.startsWith('#!')) fs.chmodSync(workspace.at(name), 0o755);
  }
  makeRepository(workspace);
  workspace.place('notes.txt', 'Not tracked, and not ignored.\n');
  const scripts = diskScripts(workspace.root);
  const began = { type: 'task_started', at: beganAt, pins: await pinsAtStart(scripts) } as unknown as Event;
  const powershell = await loadPowerShell();
  return {
    judge(command, { shell = 'bash', confined = false } = {}) {
      const context = {
        workspace: workspace.root,
        shell,
        ...(confined && { confined }),
        ...(isPowerShell(shell) && { powershell }),
      };
      return assessWithScripts(command, context, scripts, [began]);
    },
    stop: () => workspace.stop(),
  };
}

/** Creates one commit of all files that are not ignored. */
function makeRepository({ root }: TemporaryWorkspace): void {
  const git = (...words: string[]): void => {
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'core.autocrlf=false'];
    execFileSync('git', [...author, ...words], {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    });
  };
  git('init', '-b', 'main');
  git('add', '-A');
  git('commit', '-m', 'Begin');
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

const ignored = [
  'node_modules',
  '/dist',
  '/build',
  '/out',
  'coverage',
  'target',
  '.venv',
  '__pycache__',
  'vendor',
  '.terraform',
  'tfplan',
  '*.log',
  '.env',
  'tmp.json',
];

/** A small project that declares one dependency. */
export const smallProject: Files = {
  '.gitignore': `${ignored.join('\n')}\n`,
  'package.json': json({
    name: 'app',
    version: '1.0.0',
    type: 'module',
    scripts: { test: 'node --test', build: 'node scripts/build.js', dev: 'node src/index.js' },
    dependencies: { zod: '4.0.0' },
  }),
  'package-lock.json': json({ name: 'app', lockfileVersion: 3, packages: {} }),
  'README.md': '# App\n',
  'AGENTS.md': 'Run the tests.\n',
  'src/app.ts': 'export const add = (a: number, b: number): number => a + b;\n',
  'src/index.js': 'console.log("app");\n',
  'lib/help.js': 'export const help = "Help";\n',
  'scripts/build.js': 'console.log("built");\n',
  'scripts/build.sh': '#!/bin/sh\nset -e\nmkdir -p dist\ncp -r src dist/\n',
  'scripts/serve.sh': '#!/bin/sh\nnode src/index.js\n',
  '.github/workflows/ci.yml': 'on: push\n',
  '.env': 'TOKEN=abc\n',
  'dist/app.js': '// made by a build\n',
  'build/app.js': '// made by a build\n',
  'coverage/index.html': '<p>\n',
  'test.log': 'ok\n',
  'node_modules/zod/package.json': json({ name: 'zod', version: '4.0.0' }),
};

const activate = `# This file is used by "source .venv/bin/activate".
deactivate () {
  if [ -n "\${_OLD_VIRTUAL_PATH:-}" ]; then
    PATH="\${_OLD_VIRTUAL_PATH:-}"
    export PATH
    unset _OLD_VIRTUAL_PATH
  fi
  unset VIRTUAL_ENV
  if [ ! "\${1:-}" = "nondestructive" ]; then
    unset -f deactivate
  fi
}
deactivate nondestructive
VIRTUAL_ENV="$PWD/.venv"
export VIRTUAL_ENV
_OLD_VIRTUAL_PATH="$PATH"
PATH="$VIRTUAL_ENV/bin:$PATH"
export PATH
`;

/** The same project with files of many ecosystems, so that each of their everyday commands has something to act on. */
export const manyLanguages: Files = {
  ...smallProject,
  'package.json': json({
    name: 'app',
    version: '1.0.0',
    type: 'module',
    scripts: {
      test: 'vitest run',
      build: 'tsc -p .',
      lint: 'eslint .',
      typecheck: 'tsc --noEmit',
      dev: 'vite',
    },
    dependencies: { zod: '4.0.0' },
    devDependencies: {
      '@playwright/test': '1.55.0',
      eslint: '9.0.0',
      jest: '30.0.0',
      prettier: '3.0.0',
      'ts-node': '10.0.0',
      tsx: '4.0.0',
      typescript: '5.9.0',
      vite: '7.0.0',
      vitest: '4.0.0',
    },
  }),
  'src/app.test.ts': 'import { add } from "./app";\n',
  'src/Main.java': 'class Main {}\n',
  'src/main.c': 'int main(void) { return 0; }\n',
  'src/index.php': '<?php echo 1;\n',
  'src/logo.svg': '<svg/>\n',
  'src/util/index.ts': 'export {};\n',
  'tests/test_app.py': 'def test_add():\n    assert 1 + 1 == 2\n',
  'app/main.py': 'print("app")\n',
  'scripts/report.py': 'import sys\nprint(open(sys.argv[1]).read())\n',
  'pyproject.toml': '[project]\nname = "app"\nversion = "1"\ndependencies = ["django"]\n',
  'requirements.txt': 'django\n',
  'poetry.lock': '',
  'uv.lock': '',
  'Cargo.toml': '[package]\nname = "app"\nversion = "0.1.0"\n\n[dependencies]\nserde = "1"\n',
  'go.mod': 'module example.org/app\n\ngo 1.24\n',
  'pom.xml': '<project/>\n',
  'build.gradle': 'plugins { id "java" }\n',
  gradlew: '#!/bin/sh\nexec java -jar gradle/wrapper/gradle-wrapper.jar "$@"\n',
  mvnw: '#!/bin/sh\nexec java -jar .mvn/wrapper/maven-wrapper.jar "$@"\n',
  'CMakeLists.txt': 'project(app C)\nadd_executable(main src/main.c)\n',
  Makefile: 'all: test\n\ntest:\n\tnode --test\n\nhelp:\n\t@echo "make test"\n\ninstall:\n\tcp -r src build/\n',
  justfile: 'test:\n  node --test\n',
  Gemfile: 'source "https://rubygems.org"\ngem "rspec"\n',
  Rakefile: 'task :test do\nend\n',
  'bin/rails': '#!/usr/bin/env ruby\nrequire_relative "../config/boot"\nrequire "rails/commands"\n',
  'composer.json': '{ "require-dev": { "phpunit/phpunit": "12" } }\n',
  'app.csproj': '<Project Sdk="Microsoft.NET.Sdk"/>\n',
  'mix.exs': 'defmodule App.MixProject do\nend\n',
  'Package.swift': '// swift-tools-version:6.0\n',
  'pubspec.yaml': 'name: app\n',
  'main.tf': 'terraform {}\n',
  'chart/Chart.yaml': 'name: app\nversion: 0.1.0\n',
  'compose.yaml': 'services:\n  web:\n    image: app\n',
  'data/sample.json': '{"version":"1.0.0"}\n',
  'data/sample.csv': 'a,b,c\n1,2,3\n',
  'data/names.txt': 'one\ntwo\n',
  'public/index.html': '<p>\n',
  '.venv/bin/activate': activate,
  'vendor/bin/phpunit': '#!/usr/bin/env php\n<?php require "autoload.php";\n',
};

/** Compiler output is binary. */
const binary = '\u007fELF\u0000';

/** The same with the files used by the walks of `walks.jsonl`. */
export const manyWalks: Files = {
  ...manyLanguages,
  'package.json': json({
    name: 'app',
    version: '1.0.0',
    type: 'module',
    scripts: {
      test: 'vitest run',
      'test:e2e': 'playwright test',
      build: 'tsc -p .',
      lint: 'eslint .',
      typecheck: 'tsc --noEmit',
      dev: 'vite',
      start: 'node src/index.js',
    },
    dependencies: { zod: '4.0.0', react: '19.0.0' },
    devDependencies: {
      '@playwright/test': '1.55.0',
      eslint: '9.0.0',
      jest: '30.0.0',
      prettier: '3.0.0',
      'ts-node': '10.0.0',
      tsx: '4.0.0',
      typescript: '5.9.0',
      vite: '7.0.0',
      vitest: '4.0.0',
      madge: '8.0.0',
      stylelint: '16.0.0',
      browserslist: '4.0.0',
      'http-server': '14.0.0',
      'react-native': '0.80.0',
    },
  }),
  'manage.py': '#!/usr/bin/env python\nimport django\n',
  artisan: '#!/usr/bin/env php\n<?php require "vendor/autoload.php";\n',
  'app/models/user.rb': 'class User\nend\n',
  'spec/models/user_spec.rb': 'describe User\n',
  'test/models/user_test.rb': 'class UserTest\nend\n',
  'src/main.cpp': 'int main() {}\n',
  'cmd/app/main.go': 'package main\n',
  'site.yml': '- hosts: all\n',
  'alerts.yml': 'groups: []\n',
  Dockerfile: 'FROM node\n',
  'boards/board.dts': '/dts-v1/;\n',
  '.env.example': 'TOKEN=\n',
  'chart/templates/web.yaml': 'kind: Deployment\n',
  'notebooks/explore.ipynb': '{}\n',
  'CMakePresets.json': '{ "version": 3 }\n',
  'platformio.ini': '[env:esp32dev]\n',
  'test/widget_test.dart': 'void main() {}\n',
  configure: '#!/bin/sh\necho configured\n',
  'vendor/bin/php-cs-fixer': '#!/usr/bin/env php\n<?php require "autoload.php";\n',
  'build/main': binary,
  'build/tests/unit_tests': binary,
  'build/libs/app.jar': binary,
  'build/fix.patch': '--- a/src/app.ts\n+++ b/src/app.ts\n@@ -1 +1 @@\n-export\n+export\n',
  'build/Makefile': 'all:\n\ntest:\n\techo tested\n',
  'out/Main.class': binary,
  'bin/app': binary,
};

/** Files of this repository that the recorded task uses: its scripts, its command line and their tests. */
export function thisRepository(root: string): Files {
  const below = (folder: string): string[] => {
    const entries = fs.readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
  };
  const atTop = ['package.json', 'tsconfig.json', 'esbuild.js', '.oxlintrc.json'];
  const names = [...atTop, ...below('scripts'), ...below('src/cli'), ...below('test/cli')];
  return {
    '.gitignore': 'node_modules\ndist\nout\n',
    ...Object.fromEntries(names.map((name) => [name, fs.readFileSync(`${root}/${name}`, 'utf8')])),
    'dist/cli.js': '#!/usr/bin/env node\nconsole.log("waymark");\n',
    'out/last.txt': 'made by a run of the tests\n',
  };
}
