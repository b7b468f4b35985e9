package pages

// searched says what was searched and what was not. Its figures are those of campaigns that take
// hours, and are put in by hand.
const searched = `
## What was searched, and what was not

- Every order: what the tables above say, and no more. Timers, crashes of servers, two transactions
  on one key and a second cut are not explored to an end; stories and sweeps have them.
- Properties other than agreement are not explored on these stories: some of them read how things
  came about, which multiplies the states.
- fixed, random runs: results/sweeps.md. merged: 475,000 drawn seeds, of which 7,251 break
  something; draft: 600,000, of which 12,178 do. More than 400 of these runs, one for each way to
  break, have been shrunk, and played with each cure alone and with all of them. Where one cure of a
  finding above helps, the run counts as that finding; most others have been read, and have become
  one, or turned out to be the fault of a judge or of the model. Some of the draft have not.
- Known and not cured: a node that falls as the others put a restored cut in place keeps what it
  had. If all others fall as well before it has taken over from them, what each has is put together
  by update counters, which the restore has set back: two writes can have one (replicas; 1 run of
  fixed in 2,700,000).
- Restores of random runs, with their logs cut off anywhere: results/restores.md.
- The wrong variants by random runs: results/mutants.md. Those marked * above are not looked for
  there.
`
