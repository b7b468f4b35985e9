package ignite_test

import "testing"

// cures are stories of what recovery as it shipped gets wrong, and of what cures it.
var cures = []struct{ name, story string }{
	{"a no that is forgotten", `
# P asks Q, who has nothing yet: no. Then NPQ arrives. R asks Q, who is PREPARED
# by now, and P, who has not heard the no: two yes. R commits, and P rolls back.
nodes N P Q R
client N
key x on P
key y on Q
key z on R
-- script --
hold N->Q NPQ T
N commit T x=1 y=1 z=1 optimistic
hold log->Q left N
hold log->R left N
hold Q->P RR T
crash N for good
check P state T PREPARED
release N->Q NPQ T
release log->Q left N
release log->R left N
release Q->P RR T
-- expect --
merged breaks atomicity ...
forgets-no breaks atomicity ...
fixed holds
P R state T ROLLED_BACK
`},
	{"a peer that vanishes is no yes: its backup knows better", `
# Q waits for C, who has heard of nothing, and dies. P, who asked Q, takes that for
# a yes and commits x; y is on nobody.
nodes N P Q C
client N
key x on P
key y on Q C
-- script --
hold Q->C DPQ T
N commit T x=1 y=1
crash N for good
check Q state T PREPARING
drop Q->C DPQ T
crash Q for good
-- expect --
merged breaks unanimity
vanished-yes breaks unanimity
fixed holds
P state T ROLLED_BACK
`},
	{"nor is it a no", `
# Q has committed for its user, and C with it. P asks Q, who dies first.
nodes N P Q C
client N
key x on P
key y on Q C
-- script --
hold N->P NFQ T
hold P->Q RQ T
N commit T x=1 y=1
check Q C state T COMMITTED
drop N->P NFQ T
crash N for good
crash Q for good
-- expect --
merged holds
P data x 1
C data y 1
fixed holds
P data x 1
C data y 1
vanished-no breaks atomicity
P state T ROLLED_BACK
`},
	{"near's answer comes after the yes", `
# P dies before its NPR, N rolls back, and B's question is answered with no: that is
# under way as N dies. Q asks B, who has not heard that N is gone: it is PREPARED,
# and says yes. Q commits. Then B obeys N's answer.
nodes N P Q B
client N
key x on P B
key y on Q
-- script --
hold P->N NPR T
N commit T x=1 y=1
drop P->N NPR T
hold N->* NFQ T
hold N->B RR T
hold log->B left N
crash P for good
drop N->* NFQ T
crash N for good
check Q state T COMMITTED
release N->B RR T
release log->B left N
-- expect --
merged breaks atomicity
B state T ROLLED_BACK
gone-untold breaks atomicity
B state T ROLLED_BACK
fixed holds
B data x 1
Q data y 1
`},
	{"a finish of the dead comes after the yes", `
# Q cannot prepare, so N and P roll back; all three die. B asks C, who has not heard
# that P is gone: yes. B commits. Then P's DFQ(rollback) reaches C.
nodes N P Q B C
client N
key x on P B C
key y on Q
-- script --
Q refuse T
hold P->B DFQ T
hold P->C DFQ T
hold log->C left P
N commit T x=1 y=1
crash Q for good
crash N for good
drop P->B DFQ T
crash P for good
check B state T COMMITTED
release P->C DFQ T
release log->C left P
-- expect --
merged breaks atomicity ...
gone-untold breaks atomicity ...
fixed holds
B C data x 1
`},
	{"a rollback that was reported, and a request that comes later", `
# P dies, B says that it has not committed, N reports a rollback. Then P's DPQ reaches
# B, who has not heard that P is gone, and commits in one phase.
nodes N P B
client N
key x on P B
-- script --
hold P->B DPQ T
hold log->B left P
N commit T x=1
crash P for good
check N outcome T ROLLED_BACK
release P->B DPQ T
release log->B left P
-- expect --
merged breaks outcome
B data x 1
forgets-no breaks outcome
B data x 1
fixed holds
`},
	{"only reads", `
# Q has only reads. It is PREPARED, but as shipped it has nothing to show for it.
nodes N P Q R
client N
key x on P
key y on Q
key z on R
-- script --
hold N->P NFQ T
hold N->Q NFQ T
N commit T x=1 z=1 reads y
drop N->P NFQ T
drop N->Q NFQ T
crash N for good
-- expect --
R data z 1
merged breaks atomicity ...
no-read-votes breaks atomicity ...
fixed holds
P data x 1
`},
	{"a question to the dead", `
# P asks Q, who is dead; that it left comes late.
nodes N P Q
client N
key x on P
key y on Q
-- script --
hold N->* NFQ T
N commit T x=1 y=1
drop N->* NFQ T
hold log->P left Q
hold P->Q RQ T
crash N for good
crash Q for good
release log->P left Q
-- expect --
merged holds
P data x 1
fixed holds
P data x 1
deaf-to-left breaks completion
P state T PREPARED
`},
}

func TestWhatRecoveryAsShippedGetsWrongIsCured(t *testing.T) { tell(t, cures) }
