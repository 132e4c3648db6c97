/** How many pages of `size` items hold `items` of them. */
export const pageCount = (items, size) => Math.floor(items / size);
