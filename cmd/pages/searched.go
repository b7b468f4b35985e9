package pages

// searched says what was searched and what was not. Its figures are those of campaigns that take
// hours, and are put in by hand.
const searched = `
## What was searched, and what was not

- Every order: only what the tables above say. Two transactions on one key, timers, crashes and
  several cuts at once are not explored to an end; sweeps draw them.
- Sweeps of fixed: drawn seeds 300001 to 330000 and 400001 to 410000 were clean as the last of its
  cures came in.
- Restores: results/restores.md.
`
