package ignite_test

import (
	"testing"
	"testing/fstest"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/scenarios"
)

// This file is longer than others because it is one table: the case table of section 3.2, which is
// read beside it, row by row.

// rows are the rows of the case table (3.2) that are about transactions, each a story: its nodes and
// keys, what happens, what must come of it.
var rows = []struct{ name, story string }{
	{"a primary dies before its NPR: near rolls back, and its backup asks near", `
nodes N P Q B
client N
key x on P B
key y on Q
-- script --
hold P->N NPR T
N commit T x y
check B state T backup PREPARED
drop P->N NPR T
crash P for good
-- expect --
N outcome T ROLLED_BACK
B Q state T ROLLED_BACK
B finish T recovery
Q finish T user
merged holds
fixed holds
`},
	{"a primary dies after near has committed: its backup asks near, and near waits for it", `
nodes N P Q B
client N
key x on P B
key y on Q
-- script --
hold N->P NFQ T
N commit T x=1 y=1
drop N->P NFQ T
hold log->B left P
crash P for good
check N state T COMMITTED
check B state T PREPARED
release log->B left P
-- expect --
N outcome T COMMITTED
B finish T recovery
B data x 1
Q data y 1
merged holds
fixed holds
`},
	{"all owners die while near commits: the client is told that nobody knows", `
nodes N P Q B
client N
key x on P B
key y on Q
-- script --
hold N->P NFQ T
N commit T x=1 y=1
drop N->P NFQ T
crash B for good
crash P for good
-- expect --
N outcome T UNKNOWN
Q data y 1
merged holds
fixed holds
`},
	{"the backup that near waits for dies as well", `
nodes N P Q B
client N
key x on P B
key y on Q
-- script --
hold N->P NFQ T
hold B->N CCR T
N commit T x=1 y=1
drop N->P NFQ T
crash P for good
check B state T COMMITTED
crash B for good
drop B->N CCR T
-- expect --
N outcome T UNKNOWN
merged holds
fixed holds
`},
	{"near dies, and nobody has prepared: locks are given back", `
nodes N P Q C
client N C
key x on P
key y on Q
-- script --
N begin T
N write T x=1 y=1
check P Q state T ACTIVE
crash N for good
check P Q state T ROLLED_BACK
C commit U x=2 y=2
-- expect --
C outcome U COMMITTED
P data x 2
merged holds
fixed holds
`},
	{"near dies, one primary has not prepared: all roll back", `
nodes N P Q B
client N
key x on P B
key y on Q
-- script --
hold N->Q NPQ T
N commit T x=1 y=1
check P B state T PREPARED
drop N->Q NPQ T
crash N for good
-- expect --
P Q B state T ROLLED_BACK
P finish T recovery
merged holds
fixed holds
`},
	{"near dies while a prepare runs: who is asked waits until it has ended", `
nodes N P Q C
client N
key x on P
key y on Q C
-- script --
hold Q->C DPQ T
N commit T x=1 y=1
crash N for good
check P state T PREPARED
check Q state T PREPARING
release Q->C DPQ T
-- expect --
P data x 1
Q C data y 1
P Q finish T recovery
merged holds
fixed holds
`},
	{"near dies while a prepare runs that fails", `
nodes N P Q C
client N C
key x on P
key y on Q
-- script --
C begin U
C write U y=2
N commit T x=1 y=1 optimistic
crash N for good
check P state T PREPARED
check Q state T PREPARING
deliver clock->Q timeout T
C commit U
-- expect --
P Q state T ROLLED_BACK
Q data y 2
merged holds
fixed holds
`},
	{"near dies, and the prepare of the only primary fails", `
nodes N P B C D
client N D
key x on P B C
-- script --
D begin U
D write U x=2
N commit T x=1 optimistic
crash N for good
check P state T PREPARING
deliver clock->P timeout T
-- expect --
P state T ROLLED_BACK
P finish T recovery
merged holds
fixed holds
`},
	{"who says no rolls back at once, though it has not heard of near's death", `
nodes N P Q
client N
key x on P
key y on Q
-- script --
hold N->Q NPQ T
N commit T x=1 y=1
drop N->Q NPQ T
hold log->Q left N
crash N for good
check P Q state T ROLLED_BACK
release log->Q left N
-- expect --
Q finish T recovery
merged holds
fixed holds
`},
	{"near dies while it is asked: the others are asked, with both among the failed", `
nodes N P Q B
client N
key x on P B
key y on Q
-- script --
hold N->Q NPQ T
hold B->N RQ T
hold log->N left P
N commit T x=1 y=1
drop N->Q NPQ T
crash P for good
check B state T PREPARED
crash N for good
-- expect --
B Q state T ROLLED_BACK
B finish T recovery
merged holds
fixed holds
`},
	{"a rollback is not reported before the backups of a dead primary know of it", `
nodes N P B C
client N
key x on P B C
-- script --
hold P->N NPR T
hold log->B left P
hold log->C left P
N commit T x=1
drop P->N NPR T
crash P for good
check N state T ROLLED_BACK
check B C state T PREPARED
crash N for good
release log->B left P
release log->C left P
-- expect --
B C data x 1
merged holds
fixed holds
`},
	{"near dies, all prepared, no NFQ delivered: all commit by recovery", `
nodes N P Q B
client N
key x on P B
key y on Q
-- script --
hold N->* NFQ T
N commit T x=1 y=1
drop N->* NFQ T
crash N for good
-- expect --
P B data x 1
Q data y 1
P Q finish T recovery
B finish T user
merged holds
fixed holds
`},
	{"near dies, some NFQ delivered: the rest commits by recovery", `
nodes N P Q
client N
key x on P
key y on Q
-- script --
hold N->Q NFQ T
N commit T x=1 y=1
drop N->Q NFQ T
crash N for good
-- expect --
P finish T user
Q finish T recovery
P data x 1
Q data y 1
merged holds
fixed holds
`},
	{"a near server dies with its own share", `
nodes N Q B
key x on N B
key y on Q
-- script --
hold N->* NFQ T
hold N->* DFQ T
N commit T x=1 y=1
drop N->* NFQ T
drop N->* DFQ T
crash N for good
-- expect --
B Q finish T recovery
B data x 1
Q data y 1
merged holds
fixed holds
`},
	{"a backup dies in the prepare: it counts as done", `
nodes N P Q B
client N
key x on P B
key y on Q
-- script --
hold P->B DPQ T
N commit T x=1 y=1
check P state T PREPARING
crash B for good
-- expect --
N outcome T COMMITTED
P data x 1
merged holds
fixed holds
`},
	{"a backup dies in the finish: it counts as done", `
nodes N P Q B
client N
key x on P B
key y on Q
-- script --
hold P->B DFQ T
N commit T x=1 y=1
crash B for good
-- expect --
N outcome T COMMITTED
P data x 1
merged holds
fixed holds
`},
	{"the primary of one phase dies after its backup has committed", `
nodes N P B
client N
key x on P B
-- script --
hold B->P DPR T
N commit T x=1
crash P for good
-- expect --
B data x 1
merged holds
N outcome T COMMITTED
fixed holds
N outcome T COMMITTED
assumes-rollback breaks outcome
`},
	{"the primary of one phase dies before its backup has heard of it", `
nodes N P B
client N
key x on P B
-- script --
hold N->P NPQ T
N commit T x=1
drop N->P NPQ T
crash P for good
-- expect --
merged holds
N outcome T ROLLED_BACK
fixed holds
N outcome T ROLLED_BACK
assumes-commit breaks synchrony
`},
	{"both owners of one phase die: a rollback is reported (fixed: that nobody knows)", `
nodes N P B
client N
key x on P B
-- script --
hold B->P DPR T
hold B->N CCR T
N commit T x=1
crash P for good
crash B for good
drop B->N CCR T
-- expect --
merged holds
N outcome T ROLLED_BACK
fixed holds
N outcome T UNKNOWN
`},
	{"the only owner of one phase dies", `
nodes N P
client N
key x on P
-- script --
hold N->P NPQ T
N commit T x=1
drop N->P NPQ T
crash P for good
-- expect --
merged holds
N outcome T ROLLED_BACK
fixed holds
N outcome T UNKNOWN
`},
	{"the backup of one phase dies: the primary commits alone", `
nodes N P B
client N
key x on P B
-- script --
hold P->B DPQ T
N commit T x=1
crash B for good
-- expect --
N outcome T COMMITTED
P data x 1
merged holds
fixed holds
`},
	{"near dies in one phase: the primary waits for its backup, and finishes by recovery", `
nodes N P B
client N
key x on P B
-- script --
hold B->P DPR T
N commit T x=1
crash N for good
check B state T COMMITTED
check P state T PREPARED
release B->P DPR T
-- expect --
P B data x 1
P finish T recovery
B finish T user
merged holds
fixed holds
`},
	{"near and the backup of one phase die", `
nodes N P B
client N
key x on P B
-- script --
hold P->B DPQ T
N commit T x=1
crash N for good
check P state T PREPARED
crash B for good
-- expect --
P data x 1
P finish T recovery
merged holds
fixed holds
`},
	{"the primary of a lock that near waits for dies", `
nodes N P Q C
client N C
key x on P
key y on Q
-- script --
C begin U
C write U x=2
N begin T
N write T y=1
hold N->P LQ T
N write T x=1
drop N->P LQ T
crash P for good
check N outcome T ROLLED_BACK
-- expect --
N outcome T ROLLED_BACK
Q state T primary ROLLED_BACK
merged holds
fixed holds
`},
	{"each is the other's backup: what an answer has bound follows its primary", `
nodes N P Q
client N
key x on P Q
key y on Q P
-- script --
hold N->* NFQ T
N commit T x=1 y=1
drop N->* NFQ T
crash N for good
-- expect --
P Q data x 1
P Q data y 1
merged holds
fixed holds
`},
}

func TestEveryRowOfTheCaseTableEndsAsItSays(t *testing.T) { tell(t, rows) }

// tell plays stories.
func tell(t *testing.T, stories []struct{ name, story string }) {
	t.Helper()
	files := fstest.MapFS{}
	for _, s := range stories {
		text := "# " + s.name + ".\n-- scenario --\nmodel ignite" + s.story
		files[s.name+".txt"] = &fstest.MapFile{Data: []byte(text)}
	}
	scenarios.Test(t, ignite.Protocol, files)
}
