const header = /^@?([A-Za-z_][\w-]*)((?:\s+[*+$]?\w+(?:=\S+)?)*)\s*:(?!=)([\w\s&-]*)$/;
/** What runs while the file is read, or changes how it is read. */
const computes = /^[ \t]*(set\s+(shell|windows-|positional|dotenv)|import\b|mod\b|\[)|`|\{\{|^[ \t]*#!/m;

/**
 * The commands of a recipe of a justfile and of what it needs; the first recipe for an empty name. Undefined where
 * the file computes, the
 * recipe takes arguments or is not written out in it.
 */
export function justRecipe(justfile: string, wanted: string): string | undefined {
  if (computes.test(justfile)) return undefined;
  const recipes = new Map<string, { needs: string[]; lines: string[]; arguments: boolean }>();
  let open: { lines: string[] } | undefined;
  for (const line of justfile.replace(/\\\n[ \t]*/g, ' ').split('\n')) {
    if (/^\s*(#.*)?$/.test(line) || /^(set|export|alias)\s|^\w+\s*:=/.test(line)) continue;
    if (/^[ \t]/.test(line)) {
      open?.lines.push(line.trim().replace(/^[@-]+\s*/, ''));
      continue;
    }
    const found = header.exec(line);
    if (!found) return undefined;
    const recipe = {
      needs: found[3]!.split(/[\s&]+/).filter(Boolean),
      lines: [] as string[],
      arguments: found[2]!.trim() !== '',
    };
    recipes.set(found[1]!, recipe);
    open = recipe;
  }
  const done = new Set<string>();
  const lines = (name: string): string[] | undefined => {
    if (done.has(name)) return [];
    done.add(name);
    const recipe = recipes.get(name);
    const before = recipe?.needs.map(lines);
    return !recipe || recipe.arguments || before!.includes(undefined)
      ? undefined
      : [...before!.flatMap((one) => one!), ...recipe.lines];
  };
  const name = wanted || [...recipes.keys()][0];
  return name === undefined ? undefined : lines(name)?.join('\n') || undefined;
}
