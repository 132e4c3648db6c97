import fs from 'node:fs';
import path from 'node:path';

/**
 * Reads a folder byte by byte without any code of the product: kind, permissions and content of every entry, by path.
 */
export function wholeTree(root: string, leaveOut: (name: string) => boolean = () => false): Record<string, string> {
  const tree: Record<string, string> = {};
  const visit = (folder: string, below: string): void => {
    for (const name of fs.readdirSync(folder)) {
      if (leaveOut(name)) continue;
      const place = path.join(folder, name);
      const relative = below === '' ? name : `${below}/${name}`;
      const stat = fs.lstatSync(place);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) tree[relative] = `link ${fs.readlinkSync(place)}`;
      else if (stat.isDirectory()) {
        tree[relative] = `folder ${mode}`;
        visit(place, relative);
      } else tree[relative] = `file ${mode} ${fs.readFileSync(place).toString('base64')}`;
    }
  };
  visit(root, '');
  return tree;
}
