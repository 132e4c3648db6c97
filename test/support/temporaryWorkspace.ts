import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A temporary folder on the real disk, removed after the test. */
export interface TemporaryWorkspace {
  readonly root: string;
  at(...names: string[]): string;
  place(name: string, bytes: Uint8Array | string): void;
  bytes(name: string): Buffer | undefined;
  remove(name: string): void;
  /** Returns the paths of all files and folders below the root, sorted. */
  names(): string[];
  stop(): void;
}

export function temporaryWorkspace(name = ''): TemporaryWorkspace {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-test-')));
  const root = path.join(folder, name);
  fs.mkdirSync(root, { recursive: true });
  const at = (...names: string[]): string => path.join(root, ...names);
  return {
    root,
    at,
    place(name, bytes) {
      fs.mkdirSync(path.dirname(at(name)), { recursive: true });
      fs.writeFileSync(at(name), bytes);
    },
    bytes: (name) => (fs.existsSync(at(name)) ? fs.readFileSync(at(name)) : undefined),
    remove: (name) => fs.rmSync(at(name), { recursive: true }),
    names: () => fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).sort(),
    stop: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/** Gives each test of a suite its own folder. */
export function freshForEach(use: (workspace: TemporaryWorkspace) => void): void {
  let workspace: TemporaryWorkspace | undefined;
  beforeEach(() => use((workspace = temporaryWorkspace())));
  afterEach(() => workspace?.stop());
}
