const header = /^@?([A-Za-z_][\w-]*)((?:\s+[*+$]?\w+(?:=\S+)?)*)\s*:(?!=)([\w\s&-]*)$/;
/** Constructs that run code while the file is read, or change how it is read. */
const computes = /^[ \t]*(set\s+(shell|windows-|positional|dotenv)|import\b|mod\b|\[)|`|\{\{|^[ \t]*#!/m;

interface Recipe {
  readonly needs: readonly string[];
  readonly lines: string[];
  readonly arguments: boolean;
}

/**
 * Returns the commands of a justfile recipe and its dependencies; the first recipe if `wanted` is empty. Returns
 * undefined if the file computes something, the recipe takes arguments or it is not written out in the file.
 */
export function justRecipe(justfile: string, wanted: string): string | undefined {
  if (computes.test(justfile)) return undefined;
  const recipes = new Map<string, Recipe>();
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
  const [first] = recipes.keys();
  const name = wanted || first;
  return name === undefined ? undefined : recipeLines(name, recipes)?.join('\n') || undefined;
}

/**
 * Returns the lines of a recipe after those of its dependencies, each once. Returns undefined if one of them takes
 * arguments or is missing. Iterative, because a chain of dependencies may exceed the call stack.
 */
function recipeLines(wanted: string, recipes: ReadonlyMap<string, Recipe>): string[] | undefined {
  const lines: string[] = [];
  const begun = new Set([wanted]);
  const open = [{ name: wanted, next: 0 }];
  for (let innermost = open.at(-1); innermost; innermost = open.at(-1)) {
    const recipe = recipes.get(innermost.name);
    if (!recipe || recipe.arguments) return undefined;
    const need = recipe.needs[innermost.next++];
    if (need === undefined) {
      // Pushed one by one: a long list would exceed the argument limit of a call.
      for (const line of recipe.lines) lines.push(line);
      open.pop();
    } else if (!begun.has(need)) {
      begun.add(need);
      open.push({ name: need, next: 0 });
    }
  }
  return lines;
}
