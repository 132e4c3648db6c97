import { toText } from './clock.js';
import { nextFerry } from './nextFerry.js';
import { loadTimetable } from './timetable.js';

const clock = new Date();
const now = process.argv.slice(2).join(' ') || toText(clock.getHours() * 60 + clock.getMinutes());
console.log(`The next ferry after ${now} leaves at ${nextFerry(loadTimetable(), now)}.`);
