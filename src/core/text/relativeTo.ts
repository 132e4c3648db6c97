/**
 * Returns an absolute path relative to `root` if it is inside: `.` for `root` itself, else with "/". A path outside stays
 * absolute.
 */
export function relativeTo(root: string, absolute: string): string {
  const [above, below] = [withSlashes(root), withSlashes(absolute)];
  if (below === above) return '.';
  return below.startsWith(`${above}/`) ? below.slice(above.length + 1) : below;
}

/** Paths of Windows begin with a drive or two backslashes. On other systems a backslash is part of a name. */
const withSlashes = (path: string): string => (/^(?:[A-Za-z]:|\\\\)/.test(path) ? path.replaceAll('\\', '/') : path);
