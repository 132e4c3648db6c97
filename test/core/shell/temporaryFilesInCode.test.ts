import assert from 'node:assert/strict';
import { assessCommand } from '../../../src/core/shell/assessCommand';

/** Code whose deletions concern only temporary files that it makes. */
const temporary = [
  'import tempfile, shutil\nfolder = tempfile.mkdtemp()\ntry:\n    use(folder)\nfinally:\n    shutil.rmtree(folder)',
  'folder = Path(tempfile.mkdtemp(prefix="test_"))\nshutil.rmtree(folder, ignore_errors=True)',
  'handle, name = tempfile.mkstemp()\nos.close(handle)\nos.unlink(name)',
  'with tempfile.TemporaryDirectory() as folder:\n    path = os.path.join(folder, "a.txt")\n    os.remove(path)',
  'with tempfile.NamedTemporaryFile("w", delete=False) as f:\n    f.write("x")\n    path = f.name\nwith open("a.txt") as f:\n    f.read()\nprint(f"{path}=")\nrun(["lint", path], check=True)\nos.unlink(path)',
  'from tempfile import mkdtemp\nd = mkdtemp()\nshutil.rmtree(d)',
];

/** Code that may delete something else. */
const lasting = [
  'shutil.rmtree("src")',
  'folder = tempfile.mkdtemp()\nshutil.rmtree("src")',
  'folder = tempfile.mkdtemp()\nfolder = "src"\nshutil.rmtree(folder)',
  'folder = tempfile.mkdtemp()\nfolder += "/../../home"\nshutil.rmtree(folder)',
  'folder = tempfile.mkdtemp()\nif (folder := "src"):\n    shutil.rmtree(folder)',
  'folder = tempfile.mkdtemp()\nfor folder in ["src"]:\n    shutil.rmtree(folder)',
  'folder = tempfile.mkdtemp()\nfolder, other = "src", "b"\nshutil.rmtree(folder)',
  'folder = tempfile.mkdtemp()\nx = 1; folder = "src"\nshutil.rmtree(folder)',
  'folder = tempfile.mkdtemp()\nfolder: str = "src"\nshutil.rmtree(folder)',
  'folder = tempfile.mkdtemp()\ndef clean(folder):\n    shutil.rmtree(folder)\nclean("src")',
  'folder = tempfile.mkdtemp()\npath = os.path.join(folder, "..")\nshutil.rmtree(path)',
  'folder = tempfile.mkdtemp()\npath = os.path.join(folder, "../../home")\nshutil.rmtree(path)',
  'with tempfile.NamedTemporaryFile() as f:\n    pass\nwith open("a.txt") as f:\n    path = f.name\nos.unlink(path)',
  'tempfile.mkdtemp = lambda: "src"\nfolder = tempfile.mkdtemp()\nshutil.rmtree(folder)',
  'from helpers import mkdtemp\nfolder = mkdtemp()\nshutil.rmtree(folder)',
  'import helpers as tempfile\nfolder = tempfile.mkdtemp()\nshutil.rmtree(folder)',
  'folder = tempfile.mkdtemp()\nglobals()["folder"] = "src"\nshutil.rmtree(folder)',
  'folder = tempfile.mkdtemp()\nshutil.rmtree(folder)\nos.remove("a.txt")',
];

describe('deletions of temporary files in code', () => {
  const level = (code: string) =>
    assessCommand(`python - <<'END'\n${code}\nEND`, { workspace: '/w', folder: '.', confined: true }).level;

  for (const code of temporary)
    it(`need no approval in the sandbox: ${JSON.stringify(code.slice(0, 60))}`, () =>
      assert.equal(level(code), 'medium'));
  for (const code of lasting)
    it(`are asked about if they may concern other files: ${JSON.stringify(code.slice(-70))}`, () =>
      assert.equal(level(code), 'high'));
});
