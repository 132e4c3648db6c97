/** Whether a year of the Gregorian calendar has 366 days. */
export const isLeapYear = (year) => year % 4 === 0;
