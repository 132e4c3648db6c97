const usualDiscount = 10;

/** The price less a discount in percent. */
export const priceWith = (price, discount) => price - (price * (discount || usualDiscount)) / 100;
