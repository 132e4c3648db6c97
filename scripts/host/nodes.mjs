// The Node versions that Waymark supports, for the bench.
import path from 'node:path';
import { cacheFolder, once } from './cache.mjs';
import { npmInstall } from './npm.mjs';
import { ensureTools, nodeIn, nodePackage } from './tools.mjs';
import { OLDER_NODES } from './versions.mjs';

/** Returns the absolute path of the binary of Node 20, 22 or 24; downloads it if it is not in the cache. */
export async function nodeOf(major) {
  const version = OLDER_NODES[major];
  if (version === undefined) return (await ensureTools()).node;
  const folder = path.join(cacheFolder(), `n${version}-${process.platform}-${process.arch}`);
  await once(folder, (place) => npmInstall(place, [`${nodePackage}@${version}`]));
  return nodeIn(folder);
}
