/** Loaded before a program: its clock is LATER seconds ahead. `new Date()` stays, which signs requests to a store. */
const ahead = Number(process.env.LATER) * 1000;
const now = Date.now;
Date.now = () => now() + ahead;
