/** The scores from the highest to the lowest. */
export const ranked = (scores) => scores.sort((a, b) => b - a);
